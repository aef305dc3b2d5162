"""`serve`: one real `transformers serve` with a tiny model and an adapter, the refusals, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import small_models
from peft import PeftModel
from transformers import LlamaForCausalLM

from hasp_trainer import serve
from hasp_trainer.engine_address import EngineAddress
from hasp_trainer.errors import Failed, Refused
from hasp_trainer.served_folder import generation_settings, lay_out

KEY = "5" * 64
TOKENS = 24
PROMPTS = [f"w{number} w{number + 7}" for number in range(12)]


class Server(NamedTuple):
    url: str
    base: Path
    adapter: Path
    process: subprocess.Popen[str]
    # Its folder for temporary files, and what it printed.
    spare: Path
    problems: Path
    line: str


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(serve.KEY_VARIABLE, KEY)


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "hasp_trainer", "serve", *arguments]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("serve")
    base = small_models.save_model(folder / "base")
    adapter = small_models.save_adapter(folder / "adapter", base)
    spare = folder / "temporary"
    spare.mkdir()
    package = str(Path(serve.__file__).resolve().parent.parent)
    problems = folder / "stderr"
    with problems.open("w") as stderr:
        process = subprocess.Popen(
            command("--model", str(base), "--adapter", str(adapter)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            env={**os.environ, "TMPDIR": str(spare), "PYTHONPATH": package, serve.KEY_VARIABLE: KEY},
        )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("ready "), problems.read_text()
        ready, url, name = line.split()
        assert (ready, name) == ("ready", "student")
        yield Server(url, base, adapter, process, spare, problems, line)
        # The engine is the only child; its id is read before the end, to see that it is gone after.
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        engine = int(children.read_text().split()[0]) if children.exists() else None
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(60) == 0
        if engine is not None:
            with pytest.raises(ProcessLookupError):
                os.kill(engine, 0)
        assert list(spare.glob("hasp-serve-*")) == []
    finally:
        process.kill()
        process.wait()


def ask(server: Server, content: str, stream: bool = False, **more: Any) -> tuple[str, str, dict[str, int]]:
    """Text, reason of the end, and counts of a reply."""
    body = {
        "model": "student",
        "messages": [{"role": "user", "content": content}],
        "max_tokens": TOKENS,
        "stream": stream,
        **more,
    }
    headers = {"content-type": "application/json", "authorization": f"Bearer {KEY}"}
    request = urllib.request.Request(f"{server.url}/chat/completions", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=60) as reply:
        if not stream:
            found = json.load(reply)
            choice = found["choices"][0]
            return choice["message"]["content"], choice["finish_reason"], found["usage"]
        parts = [json.loads(line[6:]) for line in reply if line.startswith(b"data: {")]
    text = "".join(part["choices"][0]["delta"].get("content") or "" for part in parts)
    last = parts[-1]
    return text, last["choices"][0]["finish_reason"], last["usage"]


def generated(model: Any, content: str) -> tuple[str, str, int]:
    """Text, reason and tokens of a greedy reply, without any server."""
    words = small_models.tokenizer()
    inputs = words.apply_chat_template(
        [{"role": "user", "content": content}],
        add_generation_prompt=True,
        return_tensors="pt",
        return_dict=True,
    )
    start = inputs["input_ids"].shape[1]
    tokens = model.generate(**inputs, max_new_tokens=TOKENS, do_sample=False)[0, start:]
    ended = tokens[-1].item() == words.eos_token_id
    text = words.decode(tokens, skip_special_tokens=True)
    return text, "stop" if ended else "length", len(tokens)


def test_the_adapted_model_answers_greedily_and_stops_at_its_end_token(server: Server) -> None:
    base = LlamaForCausalLM.from_pretrained(server.base)
    plain = [generated(base, prompt) for prompt in PROMPTS]
    adapted = PeftModel.from_pretrained(base, server.adapter).eval()
    expected = [generated(adapted, prompt) for prompt in PROMPTS]
    assert all(one[0] != other[0] for one, other in zip(plain, expected, strict=True))
    # Both ends are among them: otherwise the test would not see an end token that is overlooked.
    assert {reason for _, reason, _ in expected} == {"stop", "length"}
    for stream in (False, True):
        for prompt, (text, reason, tokens) in zip(PROMPTS, expected, strict=True):
            found, why, counts = ask(server, prompt, stream=stream, temperature=0)
            assert (found, why, counts["completion_tokens"]) == (text, reason, tokens)
            assert counts["prompt_tokens"] == 7
            assert counts["total_tokens"] == 7 + tokens


def test_a_seed_holds_for_its_call_among_many(server: Server) -> None:
    alone = [ask(server, "w1 w2", temperature=0.9, top_p=0.95, seed=seed)[0] for seed in range(6)]
    assert len(set(alone)) == 6
    with ThreadPoolExecutor(6) as clients:
        among = list(
            clients.map(
                lambda turn: ask(
                    server, "w1 w2", stream=turn % 2 == 0, temperature=0.9, top_p=0.95, seed=turn % 6
                )[0],
                range(24),
            )
        )
    assert among == [alone[turn % 6] for turn in range(24)]


def test_another_name_is_refused(server: Server) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        ask(server, "w1", model="other")
    assert refused.value.code == 400


def test_only_the_routes_of_a_student_answer_and_only_with_its_key(server: Server) -> None:
    top = server.url.removesuffix("/v1")
    own = {"authorization": f"Bearer {KEY}", "content-type": "application/json"}

    def status(path: str, headers: dict[str, str], body: bytes | None = None) -> int:
        request = urllib.request.Request(f"{top}{path}", body, headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                return reply.status
        except urllib.error.HTTPError as error:
            return error.code

    load = json.dumps({"model": str(server.base)}).encode()
    assert status("/health", own) == 200
    with urllib.request.urlopen(urllib.request.Request(f"{top}/v1/models", headers=own), timeout=60) as reply:
        assert [model["id"] for model in json.load(reply)["data"]] == ["student"]
    assert [status(path, own, load) for path in ("/load_model", "/reset", "/v1/completions")] == [404] * 3
    assert status("/reset", {"origin": "https://evil.com", "content-type": "text/plain"}, b"x") == 403
    assert status("/health", {**own, "host": "evil.com"}) == 403
    assert [status(path, {}) for path in ("/health", "/v1/models", "/reset")] == [401] * 3


def test_other_users_can_neither_read_the_key_nor_reach_the_engine(server: Server) -> None:
    [folder] = server.spare.glob("hasp-serve-*")
    assert folder.stat().st_mode & 0o077 == 0
    assert (folder / "engine.sock").is_socket()
    assert KEY not in server.line + server.problems.read_text()
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
    if children.exists():
        engine = children.read_text().split()[0]
        assert KEY not in Path(f"/proc/{server.process.pid}/cmdline").read_text()
        assert KEY not in Path(f"/proc/{engine}/cmdline").read_text()
        assert KEY not in Path(f"/proc/{engine}/environ").read_text()


@pytest.mark.parametrize("given", [None, "", "short", "5" * 63, "5" * 65, "G" * 64, f"{'5' * 64}\n"])
def test_a_student_without_a_key_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str | None
) -> None:
    if given is None:
        monkeypatch.delenv(serve.KEY_VARIABLE)
    else:
        monkeypatch.setenv(serve.KEY_VARIABLE, given)
    with pytest.raises(Refused, match="HASP_STUDENT_KEY must hold the key"):
        serve.serve(order(tmp_path))


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ("none", "no model: it has no config.json"),
        ("adapter", "is an adapter, not a model"),
        ("tokenizer", "has no tokenizer"),
        ("template", "has no chat template"),
    ],
)
def test_a_folder_that_is_no_model_is_refused(tmp_path: Path, broken: str, message: str) -> None:
    base = small_models.save_model(tmp_path / "base")
    folder = base
    if broken == "none":
        folder = tmp_path
    if broken == "adapter":
        folder = small_models.save_adapter(tmp_path / "adapter", base)
    if broken == "tokenizer":
        for file in base.glob("tokenizer*"):
            file.unlink()
    if broken == "template":
        (base / "chat_template.jinja").unlink()
    with pytest.raises(Refused, match=message):
        serve.serve(order(folder))


def test_an_adapter_without_weights_is_refused(tmp_path: Path) -> None:
    base = small_models.save_model(tmp_path / "base")
    (tmp_path / "adapter").mkdir()
    (tmp_path / "adapter" / "adapter_config.json").write_text('{"peft_type": "LORA"}')
    with pytest.raises(Refused, match="is no adapter"):
        serve.serve(order(base, adapter=str(tmp_path / "adapter")))


def order(model: Path, **more: Any) -> serve.Order:
    given = {"adapter": None, "engine": "transformers", "port": 0, "name": "student", "max_length": None}
    return serve.Order(**{"model": str(model), "start_seconds": 60.0, "with_parent": False, **given, **more})


@pytest.mark.parametrize(
    ("script", "seconds", "message"),
    [
        ("print('no room on the card'); raise SystemExit(3)", 60.0, "code 3 .*no room on the card"),
        ("print('loading', flush=True); import time; time.sleep(600)", 1.0, "not answer within 1 s.*loading"),
    ],
)
def test_a_server_that_does_not_come_up_is_told_with_its_last_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, seconds: float, message: str
) -> None:
    base = small_models.save_model(tmp_path / "base")
    monkeypatch.setattr(serve, "command_of", lambda *given: [sys.executable, "-c", script])
    ended: list[int] = []
    end = serve.Engine.end

    def ending(engine: serve.Engine) -> None:
        end(engine)
        ended.append(engine.process.returncode)

    monkeypatch.setattr(serve.Engine, "end", ending)
    with pytest.raises(Failed, match=message):
        serve.serve(order(base, start_seconds=seconds))
    assert ended in ([3], [-signal.SIGTERM])


def test_the_served_settings_are_neutral_but_for_the_end_tokens(tmp_path: Path) -> None:
    base = small_models.save_model(tmp_path / "base")
    (base / "generation_config.json").write_text(
        '{"eos_token_id": [0, 3], "repetition_penalty": 1.05, "top_k": 20, "temperature": 0.7}'
    )
    settings = generation_settings(base)
    # 2 is the tokenizer's own end of a turn, and config.json's.
    assert settings["eos_token_id"] == [0, 2, 3]
    assert (settings["repetition_penalty"], settings["top_k"], settings["temperature"]) == (1.0, 0, 1.0)
    lay_out(base, None, tmp_path / "student")
    assert json.loads((tmp_path / "student" / "generation_config.json").read_text()) == settings
    assert (tmp_path / "student" / "model.safetensors").samefile(base / "model.safetensors")


def test_vllm_serves_the_adapter_under_the_name(tmp_path: Path) -> None:
    base = small_models.save_model(tmp_path / "base")
    adapter = small_models.save_adapter(tmp_path / "adapter", base)
    address = EngineAddress("/private/engine.sock")
    line = serve.command_of("vllm", order(base, max_length=4096), base, adapter, address)
    assert f"student={adapter}" in line
    assert line[line.index("--served-model-name") + 1] != "student"
    assert line[line.index("--uds") + 1] == "/private/engine.sock"
    assert "--no-trust-remote-code" in line
    assert line[line.index("--max-lora-rank") + 1] == "8"
    assert line[line.index("--max-model-len") + 1] == "4096"
    plain = serve.command_of("vllm", order(base), base, None, address)
    assert plain[plain.index("--served-model-name") + 1] == "student"
    assert "--enable-lora" not in plain
