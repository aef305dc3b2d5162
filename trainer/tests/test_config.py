"""Train configs: read strictly, each mistake with its key and the choice."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import hasp_trainer
from hasp_trainer.config import Lora, read_config
from hasp_trainer.errors import Refused

LEAST = "method: sft\nmodel: m\ndata: [a.jsonl]\noutput: out\n"


def written(tmp_path, text: str, name: str = "c.yaml") -> str:
    file = tmp_path / name
    file.write_text(text, "utf-8")
    return str(file)


def test_defaults_are_the_papers(tmp_path):
    config = read_config(written(tmp_path, LEAST))
    assert config.lora == Lora(16, 32, 0)
    assert (config.tokens_per_step, config.warmup, config.seed, config.log_every) == (65536, 0.03, 42, 10)
    assert (config.rate, config.batch, config.adapter, config.after) == (1e-5, None, None, None)


def test_numbers_of_yaml(tmp_path):
    """PyYAML alone reads 5e-6 as text, and 2026-11-26 as a date."""
    text = (
        LEAST
        + "learning_rate: [1e-5, 5e-6]\niteration: 2\nadapter: 2026-11-26\nepochs: 1.5E0\nmax_steps: 7\n"
    )
    config = read_config(written(tmp_path, text))
    assert (config.rate, config.adapter, config.epochs, config.max_steps) == (5e-6, "2026-11-26", 1.5, 7)


def test_json_is_read_too(tmp_path):
    config = read_config(
        written(
            tmp_path, '{"method": "dpo", "model": "m", "data": ["a"], "output": "o", "lora": null}', "c.json"
        )
    )
    assert (config.method, config.lora) == ("dpo", None)


REFUSED = [
    ("epoch: 3", 'unknown key "epoch". Did you mean "epochs"?'),
    ("zzz: 3", 'unknown key "zzz"'),
    ("lora: {rnk: 8}", 'unknown key "lora.rnk". Did you mean "lora.rank"?'),
    ("lora: 8", "lora must be a mapping of keys, not 8"),
    ("lora: {rank: 0}", '"lora.rank" must be a whole number of 1 or more, not 0'),
    ("lora: {dropout: 1.5}", '"lora.dropout" must be a number from 0 to 1, not 1.5'),
    ("learning_rate: .nan", "must be a number above 0, or a list of such, one an iteration, not nan"),
    ("learning_rate: 1e999", "must be a number above 0, or a list of such, one an iteration, not inf"),
    ("learning_rate: []", "must be a value, or a list of such, one an iteration, not a list"),
    ("learning_rate: [1e-5, 0]", "must be a number above 0, or a list of such"),
    ("learning_rate: [1e-5, 1e-6]\niteration: 3", '"learning_rate" has 2 values, but the iteration is 3'),
    ("epochs: true", '"epochs" must be a number above 0, not true'),
    ("epochs: ten", '"epochs" must be a number above 0, not "ten"'),
    ("max_steps: 2.5", '"max_steps" must be a whole number of 1 or more, or null, not 2.5'),
    ("packing: 1", '"packing" must be true or false, not 1'),
    ("schedule: cosin", 'must be cosine, linear or constant (did you mean "cosine"?), not "cosin"'),
    ("warmup: 3", '"warmup" must be a number from 0 to 1, not 3'),
    ("weights: [1]", '"weights" must be row or none, not a list'),
    ("adapter: a\nlora: null", 'an adapter goes with "lora", which is null'),
    ("dpo: {beta: -1}", '"dpo.beta" must be a number above 0, not -1'),
    ("seed: 1\nseed: 2", 'c.yaml:6:1: the key "seed" is there twice'),
    ("seed: [", "c.yaml:6:1:"),
]


@pytest.mark.parametrize(("line", "message"), REFUSED, ids=[line for line, _ in REFUSED])
def test_a_mistake_is_refused(tmp_path, line, message):
    with pytest.raises(Refused) as error:
        read_config(written(tmp_path, LEAST + line + "\n"))
    assert message in error.value.message
    assert "c.yaml" in error.value.message
    assert error.value.next.endswith((".", "c.yaml"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a train config must be a mapping of keys, not null"),
        ("- a", "a train config must be a mapping of keys, not a list"),
        ("method: sft\nmodel: m\ndata: [a]", '"output" is missing'),
        ("method: stf\n", '"method" must be sft, dpo, distil or sdft (did you mean "sft"?), not "stf"'),
        (LEAST.replace("[a.jsonl]", "a.jsonl"), '"data" must be a list of one or more texts, not "a.jsonl"'),
        (LEAST.replace("[a.jsonl]", "[]"), '"data" must be a list of one or more texts, not a list'),
    ],
)
def test_a_config_that_lacks_something(tmp_path, text, message):
    with pytest.raises(Refused) as error:
        read_config(written(tmp_path, text))
    assert message in error.value.message


def test_the_command_and_the_method_agree(tmp_path):
    file = written(tmp_path, LEAST)
    with pytest.raises(Refused) as error:
        read_config(file, "dpo")
    assert error.value.message.endswith('"method" is sft, but the command is dpo')
    assert error.value.next == f"Run: python -m hasp_trainer sft {file}"


def test_a_file_that_cannot_be_read(tmp_path):
    for name, content in [("none.yaml", None), ("latin.yaml", b"model: \xe9"), ("broken.json", b'{"a": 1')]:
        file = tmp_path / name
        if content is not None:
            file.write_bytes(content)
        with pytest.raises(Refused) as error:
            read_config(str(file))
        assert error.value.message.startswith(str(file))
    with pytest.raises(Refused, match="Is a directory"):
        read_config(str(tmp_path))


def test_help_and_mistakes_need_no_pytorch(tmp_path):
    """The command line as a process: two lines on stderr, the exit code, and none of the slow imports."""
    file = written(tmp_path, LEAST + "epoch: 3\n")
    code = (
        "import sys; from hasp_trainer.__main__ import main\n"
        f"code = main(['sft', {file!r}])\n"
        "assert not {'torch', 'transformers', 'trl'} & set(sys.modules)\n"
        "sys.exit(code)"
    )
    package = str(Path(hasp_trainer.__file__).parents[1])
    process = {"capture_output": True, "text": True, "env": {**os.environ, "PYTHONPATH": package}}
    run = subprocess.run([sys.executable, "-c", code], **process, check=False)
    assert run.returncode == 2
    first, second = run.stderr.splitlines()
    assert first == f'error: {file}: unknown key "epoch". Did you mean "epochs"?'
    assert second.startswith("next: Keys: method, model, data, output")
    shown = subprocess.run([sys.executable, "-m", "hasp_trainer", "--help"], **process, check=True)
    for command in ("sft", "dpo", "distil", "sdft", "preflight", "serve"):
        assert f"    {command}" in shown.stdout
