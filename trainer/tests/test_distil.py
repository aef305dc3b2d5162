"""`distil`: the student comes closer to its teacher, and the contract of outputs and resume holds."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest
import small_models
import torch
from peft import PeftModel
from scene import Scene, messages
from transformers import AutoModelForCausalLM, AutoTokenizer

from hasp_trainer.checkpoints import Resumable
from hasp_trainer.distil import likeliest

REPLY = 4


@pytest.fixture
def taught(tmp_path: Path) -> Scene:
    """A student and a wider teacher with other weights, and 12 prompts."""
    student = small_models.save_model(tmp_path / "student")
    torch.manual_seed(7)
    small_models.model(7, hidden=48, layers=1).save_pretrained(tmp_path / "teacher")
    small_models.tokenizer().save_pretrained(tmp_path / "teacher")
    scene = Scene(tmp_path, str(student))
    scene.write_rows("a-prompt.jsonl", [{"prompt": messages("user", f"w{i} w{i + 3}")} for i in range(12)])
    scene.settings |= {
        "method": "distil",
        "data": ["a-prompt.jsonl"],
        "distil": {"teacher": "teacher", "reply_tokens": REPLY},
        "tokens_per_step": 40,
        "batch": 2,
        "epochs": 3,
        "log_every": 1,
        "max_length": 64,
    }
    return scene


def divergence(student: Any, teacher: Any) -> float:
    """The mean reverse divergence from the teacher on the student's own samples, computed from whole logits."""
    words = small_models.tokenizer()
    total, count = 0.0, 0
    torch.manual_seed(0)
    for number in range(12):
        inputs = words.apply_chat_template(
            messages("user", f"w{number} w{number + 3}"),
            add_generation_prompt=True,
            return_tensors="pt",
            return_dict=True,
        )
        start = inputs["input_ids"].shape[1]
        tokens = student.generate(**inputs, do_sample=True, top_k=0, max_new_tokens=REPLY)
        with torch.no_grad():
            own = student(tokens).logits[0, start - 1 : -1].log_softmax(-1)
            other = teacher(tokens).logits[0, start - 1 : -1].log_softmax(-1)
        total += (own.exp() * (own - other)).sum().item()
        count += own.shape[0]
    return total / count


def test_the_student_comes_closer_to_its_teacher(taught: Scene) -> None:
    assert taught.run("out", epochs=30, learning_rate=2e-2, log_every=10, save_every=1000) == 0
    curve = taught.curve("out")
    # The same seed ends elsewhere on another processor: 0.61 of the first loss was seen.
    assert curve[-1]["loss"] < 0.7 * curve[0]["loss"]
    assert curve[-1]["mean_token_accuracy"] > curve[0]["mean_token_accuracy"]
    teacher = AutoModelForCausalLM.from_pretrained("teacher")
    before = AutoModelForCausalLM.from_pretrained(taught.model)
    far = divergence(before, teacher)
    after = PeftModel.from_pretrained(before, "out/adapter").eval()
    assert divergence(after, teacher) < 0.7 * far


def test_it_writes_what_jobs_read(taught: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    assert taught.run("out") == 0
    result = taught.result("out")
    curve = taught.curve("out")
    # 12 prompts of 7 tokens with replies of 4: 4 of them make an optimizer step of about 40 tokens.
    assert result["steps"] == 3 * 3
    assert [line["step"] for line in curve] == list(range(1, 10))
    assert result["tokens"] == curve[-1]["num_tokens"]
    assert 9 * 4 * (7 + 1) <= result["tokens"] <= 9 * 4 * (7 + REPLY)
    for line in curve:
        assert line["loss"] > 0 and line["entropy"] > 0 and 0 <= line["mean_token_accuracy"] <= 1
    capsys.readouterr()
    assert taught.run("out") == 0
    assert "done before" in capsys.readouterr().out


def test_resume_after_sigkill_gives_the_same_curve(taught: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    changes = {"save_every": 2, "learning_rate": 1e-2}
    assert taught.run("whole", **changes) == 0
    assert taught.killed("killed", lambda: dies_at(monkeypatch, 6), **changes) == -signal.SIGKILL
    assert 0 < len(taught.curve("killed")) < 9
    assert taught.run("killed", **changes) == 0
    assert taught.curve("killed") == taught.curve("whole")
    one, other = taught.result("killed"), taught.result("whole")
    assert {**one, "seconds": 0} == {**other, "seconds": 0}


def dies_at(monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
    """The process kills itself in the middle of that optimizer step, counted from 0."""
    step = Resumable.training_step

    def deadly(self: Any, *args: Any, **kwargs: Any) -> Any:
        if self.state.global_step == steps:
            signal.raise_signal(signal.SIGKILL)
        return step(self, *args, **kwargs)

    monkeypatch.setattr(Resumable, "training_step", deadly)


def test_the_likeliest_tokens_are_those_of_whole_logits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hasp_trainer.distil.ROWS_AT_ONCE", 3)
    torch.manual_seed(0)
    head, states = torch.nn.Linear(8, 20), torch.randn(10, 8)
    assert likeliest(states, head).tolist() == head(states).argmax(-1).tolist()


def test_bad_input_is_refused(taught: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    def refused(**changes: Any) -> str:
        assert taught.run("out", **changes) == 2
        assert not (taught.folder / "out").exists()
        return capsys.readouterr().err

    assert "longer than max_length 9 with their replies" in refused(max_length=9)
    assert "the teacher cannot be loaded" in refused(distil={"teacher": "nowhere", "reply_tokens": 4})
    assert '"distil.teacher" is missing' in refused(distil=None)
    small_models.model(1).save_pretrained("other")
    other = AutoModelForCausalLM.from_pretrained("other")
    other.resize_token_embeddings(100)
    other.save_pretrained("other")
    assert "a vocabulary of 100 tokens" in refused(distil={"teacher": "other", "reply_tokens": 4})
    taught.write_rows("none.jsonl", [{"completion": messages("assistant", "w1")}])
    assert "none.jsonl:1: `prompt` is missing" in refused(data=["none.jsonl"])


def test_the_tokenizer_is_the_models(taught: Scene) -> None:
    """Words of the tests are single tokens; the counts above rest on it."""
    words = AutoTokenizer.from_pretrained(taught.model)
    ids = words.apply_chat_template(messages("user", "w1 w2"), add_generation_prompt=True, return_dict=True)
    assert len(ids["input_ids"]) == 7
