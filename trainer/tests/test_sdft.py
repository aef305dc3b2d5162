"""`sdft`: the student without contexts comes closer to itself with them, and the contract of resume holds."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest
import small_models
import torch
from peft import PeftModel
from scene import Scene, messages
from test_distil import dies_at
from transformers import AutoModelForCausalLM

from hasp_trainer import sdft

REPLY = 3


def plain(number: int) -> list[dict[str, str]]:
    return messages("user", f"w{number} w{number + 3}")


def informed(number: int) -> list[dict[str, str]]:
    """The context is not behind the last message, but before it."""
    return [*messages("system", "w40 w41 w42"), *plain(number)]


@pytest.fixture
def learner(tmp_path: Path) -> Scene:
    scene = Scene(tmp_path, str(small_models.save_model(tmp_path / "student")))
    scene.write_rows(
        "a-context.jsonl", [{"prompt": plain(i), "privileged": informed(i), "skill": "x"} for i in range(12)]
    )
    scene.settings |= {
        "method": "sdft",
        "data": ["a-context.jsonl"],
        "sdft": {"reply_tokens": REPLY},
        "tokens_per_step": 60,
        "batch": 2,
        "epochs": 3,
        "log_every": 1,
        "max_length": 64,
    }
    return scene


def shares(model: Any, prompt: list[dict[str, str]]) -> torch.Tensor:
    """The distribution of the first token of a reply."""
    words = small_models.tokenizer()
    inputs = words.apply_chat_template(
        prompt, add_generation_prompt=True, return_tensors="pt", return_dict=True
    )
    with torch.no_grad():
        return model(**inputs).logits[0, -1].softmax(-1)


def test_the_student_learns_to_answer_as_if_it_saw_the_context(learner: Scene) -> None:
    base = AutoModelForCausalLM.from_pretrained(learner.model)
    aims = [shares(base, informed(i)) for i in range(12)]
    before = [shares(base, plain(i)) for i in range(12)]
    assert learner.run("out", epochs=25, learning_rate=1e-2, log_every=10, save_every=1000) == 0
    after = PeftModel.from_pretrained(base, "out/adapter").eval()
    found = [shares(after, plain(i)) for i in range(12)]
    assert away(found, aims) < 0.7 * away(before, aims)
    curve = learner.curve("out")
    assert curve[-1]["loss"] < 0.75 * curve[0]["loss"]


def test_the_teacher_reads_the_privileged_messages_whole(
    learner: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[list[int]] = []
    compute = sdft.Trainer._compute_self_distillation_loss

    def noting(self: Any, model: Any, inputs: Any, logits: Any) -> Any:
        for ids, mask in zip(inputs["teacher_input_ids"], inputs["teacher_attention_mask"], strict=True):
            read.append(ids[mask.bool()].tolist())
        return compute(self, model, inputs, logits)

    monkeypatch.setattr(sdft.Trainer, "_compute_self_distillation_loss", noting)
    assert learner.run("out", max_steps=1) == 0
    words = small_models.tokenizer()
    prompts = [
        words.apply_chat_template(informed(i), add_generation_prompt=True, return_dict=True)["input_ids"]
        for i in range(12)
    ]
    assert len(read) == 4
    assert all(any(ids[: len(prompt)] == prompt for prompt in prompts) for ids in read)


@pytest.mark.parametrize("teacher", ["start", pytest.param("live", marks=pytest.mark.thorough)])
def test_the_adapter_it_starts_from_also_teaches(learner: Scene, teacher: str) -> None:
    """After one step both teachers are the same: the start. With an adapter it is not the plain model."""
    start = small_models.save_adapter(learner.folder / "start", Path(learner.model))
    given = {"max_steps": 1, "learning_rate": 1e-9, "sdft": {"reply_tokens": REPLY, "teacher": teacher}}
    assert learner.run("out", adapter="start", **given) == 0
    # The same student as one model, which trains an adapter of its own: nothing else differs.
    base = AutoModelForCausalLM.from_pretrained(learner.model)
    PeftModel.from_pretrained(base, start).merge_and_unload().save_pretrained("merged")
    small_models.tokenizer().save_pretrained("merged")
    assert learner.run("whole", model="merged", **given) == 0
    (line,), (other,) = learner.curve("out"), learner.curve("whole")
    for name in ("loss", "entropy", "mean_token_accuracy", "num_tokens"):
        assert line[name] == pytest.approx(other[name], rel=1e-3)
    assert line["loss"] > 0.01


def test_the_start_teaches_to_the_end(learner: Scene) -> None:
    """After many steps the student has moved, and the teacher has not: the adapter of the start is still there."""
    start = small_models.save_adapter(learner.folder / "start", Path(learner.model))
    base = AutoModelForCausalLM.from_pretrained(learner.model)
    aims = [shares(PeftModel.from_pretrained(base, start).eval(), informed(i)) for i in range(12)]
    changes = {"epochs": 12, "learning_rate": 2e-2, "log_every": 10, "save_every": 1000}
    assert learner.run("out", adapter="start", **changes) == 0
    assert sorted(one.name for one in Path("out/adapter").iterdir()) == [
        "adapter_config.json",
        "adapter_model.safetensors",
    ]

    def student(adapter: str) -> list[torch.Tensor]:
        model = AutoModelForCausalLM.from_pretrained(learner.model)
        adapted = PeftModel.from_pretrained(model, adapter).eval()
        return [shares(adapted, plain(i)) for i in range(12)]

    assert away(student("out/adapter"), aims) < 0.7 * away(student("start"), aims)


def away(some: list[torch.Tensor], aims: list[torch.Tensor]) -> float:
    """The mean distance in total variation."""
    return sum((one - aim).abs().sum().item() / 2 for one, aim in zip(some, aims, strict=True)) / len(aims)


@pytest.mark.parametrize("adapter", [pytest.param(None, marks=pytest.mark.thorough), "start"])
def test_resume_after_sigkill_gives_the_same_curve(
    learner: Scene, monkeypatch: pytest.MonkeyPatch, adapter: str | None
) -> None:
    small_models.save_adapter(learner.folder / "start", Path(learner.model))
    changes = {"save_every": 2, "learning_rate": 1e-2, "adapter": adapter}
    assert learner.run("whole", **changes) == 0
    assert learner.result("whole")["steps"] == 9
    assert learner.killed("killed", lambda: dies_at(monkeypatch, 6), **changes) == -signal.SIGKILL
    assert 0 < len(learner.curve("killed")) < 9
    assert learner.run("killed", **changes) == 0
    assert learner.curve("killed") == learner.curve("whole")
    assert learner.result("killed")["tokens"] == learner.result("whole")["tokens"]


def test_a_row_without_contexts_is_refused(learner: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    learner.write_rows(
        "broken.jsonl", [{"prompt": plain(0), "privileged": informed(0)}, {"prompt": plain(1)}]
    )
    assert learner.run("out", data=["broken.jsonl"]) == 2
    assert "broken.jsonl:2: `privileged` is missing" in capsys.readouterr().err
    assert not (learner.folder / "out").exists()
