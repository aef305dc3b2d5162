"""The commands sft and dpo from config to output: curve, resume, iterations, adapters."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest
import torch
from datasets import Dataset
from peft import PeftModel
from safetensors.torch import load_file
from scene import Scene, dpo_row, messages, sft_row
from tiny import tiny_model
from transformers import AutoModelForCausalLM, Trainer, TrainerCallback
from trl import SFTConfig

from hasp_trainer import checkpoints, metrics
from hasp_trainer.__main__ import main
from hasp_trainer.rows import read_rows
from hasp_trainer.tokens import accumulation, optimizer_steps, sft_tokens
from hasp_trainer.training import Plan
from hasp_trainer.weighted_sft import WeightedSFTTrainer

FIELDS = [
    "step",
    "iteration",
    "loss",
    "grad_norm",
    "learning_rate",
    "entropy",
    "num_tokens",
    "mean_token_accuracy",
    "epoch",
]
IDS = torch.tensor([[1, 2, 3, 4, 5]])


def logits(model: Any) -> torch.Tensor:
    model.eval()
    with torch.no_grad():
        return model(input_ids=IDS).logits


def test_sft_writes_what_jobs_read(scene: Scene, capsys):
    assert scene.run("out", epochs=6, log_every=3, learning_rate=5e-2) == 0
    curve, result = scene.curve("out"), scene.result("out")
    assert all(list(line) == FIELDS for line in curve)
    # Twelve rows of 36 to 43 tokens: 150 tokens a step are two batches of two rows, so three steps an epoch.
    assert [line["step"] for line in curve] == list(range(3, 19, 3))
    assert [line["epoch"] for line in curve] == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    assert [line["num_tokens"] for line in curve] == [479 * i for i in range(1, 7)]
    assert curve[-1]["loss"] < curve[0]["loss"] - 0.1
    assert curve[-1]["mean_token_accuracy"] > curve[0]["mean_token_accuracy"] + 0.3
    assert {key: result[key] for key in ("schema", "steps", "total_steps", "adapter")} == {
        "schema": "hasp.training/1",
        "steps": 18,
        "total_steps": 18,
        "adapter": "adapter",
    }
    assert result["loss"] == curve[-1]["loss"]
    assert result["tokens"] == result["total_tokens"] == curve[-1]["num_tokens"]
    assert result["seconds"] > 0
    names = sorted(one.name for one in Path("out").iterdir())
    assert names == ["adapter", "checkpoints", "metrics.jsonl", "result.json", "train.json"]
    # Every four steps and at the end; the last two are kept.
    assert sorted(os.listdir("out/checkpoints")) == ["checkpoint-16", "checkpoint-18"]
    assert "done: 18 steps" in capsys.readouterr().out


def test_the_adapter_loads_back_and_changes_the_output(scene: Scene):
    scene.run("out")
    base = AutoModelForCausalLM.from_pretrained(scene.model)
    before = logits(base)
    adapted = logits(PeftModel.from_pretrained(base, "out/adapter"))
    assert not torch.allclose(before, adapted, atol=1e-3)
    # The same as the weights of the last checkpoint.
    last = load_file("out/checkpoints/checkpoint-6/adapter_model.safetensors")
    for name, value in load_file("out/adapter/adapter_model.safetensors").items():
        assert torch.equal(value, last[name])


def test_training_of_all_weights(scene: Scene):
    assert scene.run("out", lora=None, epochs=8, log_every=3) == 0
    curve = scene.curve("out")
    assert curve[-1]["loss"] < curve[0]["loss"] / 2
    base = AutoModelForCausalLM.from_pretrained(scene.model)
    whole = AutoModelForCausalLM.from_pretrained("out/adapter")
    assert not torch.allclose(logits(base), logits(whole), atol=1e-3)
    assert (Path("out/adapter") / "chat_template.jinja").is_file()


def test_a_finished_output_is_left_alone(scene: Scene, capsys):
    scene.run("out")
    times = {file: file.stat().st_mtime_ns for file in Path("out").rglob("*")}
    assert scene.run("out") == 0
    assert "done before: out" in capsys.readouterr().out
    assert {file: file.stat().st_mtime_ns for file in Path("out").rglob("*")} == times


def test_an_iteration_continues_the_one_before(scene: Scene):
    """Its own learning rate and warmup; steps and tokens add up; it starts with the adapter of the one before."""
    shared = {"learning_rate": [1e-2, 4e-3], "warmup": 0.5, "schedule": "constant", "log_every": 1}
    scene.run("one", **shared)
    scene.run("two", **shared, iteration=2, after="one", adapter="one/adapter")
    one, two = scene.curve("one"), scene.curve("two")
    # Six steps, three of them warmup: 0, 1/3, 2/3, then the whole rate.
    shape = [0, 1 / 3, 2 / 3, 1, 1, 1]
    assert [line["learning_rate"] for line in one] == pytest.approx([1e-2 * part for part in shape])
    assert [line["learning_rate"] for line in two] == pytest.approx([4e-3 * part for part in shape])
    assert [line["step"] for line in two] == [7, 8, 9, 10, 11, 12]
    assert {line["iteration"] for line in two} == {2}
    tokens = one[-1]["num_tokens"]
    assert [line["num_tokens"] for line in two] == [tokens + line["num_tokens"] for line in one]
    result = scene.result("two")
    assert (result["steps"], result["total_steps"]) == (6, 12)
    assert (result["tokens"], result["total_tokens"]) == (tokens, 2 * tokens)
    # Same rows, same order: without a step of its own it has the loss that the trained adapter has.
    assert two[0]["loss"] < one[0]["loss"] - 0.05


@pytest.mark.parametrize(
    ("schedule", "shape"),
    [("linear", [0, 1, 0.8, 0.6, 0.4, 0.2]), ("cosine", [0, 1, 0.904508, 0.654508, 0.345492, 0.095492])],
)
def test_schedules(scene: Scene, schedule, shape):
    """Six steps, one of warmup; then the rest of the way to 0 in five."""
    scene.run("out", warmup=0.1, schedule=schedule, log_every=1)
    assert [line["learning_rate"] for line in scene.curve("out")] == pytest.approx(
        [1e-2 * one for one in shape], abs=1e-8
    )


def test_an_iteration_without_a_row_keeps_the_student(scene: Scene, capsys):
    """Data and output as they are where nothing is corrected any more; a first iteration has to have rows."""
    scene.run("one")
    Path("none.jsonl").write_text("")
    later = {"data": ["none.jsonl"], "iteration": 2, "after": "one", "adapter": "one/adapter"}
    assert main(["preflight", scene.config("two", **later)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "fits"
    assert scene.run("two", **later) == 0
    assert "none.jsonl has no row" in capsys.readouterr().out
    kept = [Path(one, "adapter/adapter_model.safetensors").read_bytes() for one in ("one", "two")]
    assert kept[0] == kept[1]
    one, two = scene.result("one"), scene.result("two")
    assert (two["steps"], two["loss"], two["total_steps"]) == (0, None, one["steps"])
    assert two["total_tokens"] == one["tokens"]
    scene.run("three", iteration=3, after="two", adapter="two/adapter")
    assert scene.result("three")["total_steps"] == 2 * one["steps"]
    assert scene.run("first", data=["none.jsonl"]) == 2
    assert not Path("first").exists()


def test_tokens_per_step_make_the_accumulation(scene: Scene):
    lengths = [100, 300] * 50
    config = scene.read("out", tokens_per_step=4000, batch=4, epochs=3)
    # 200 tokens a row on average: 20 rows a step, five batches of four; 100 rows are five steps an epoch.
    assert accumulation(config, lengths) == (4, 5)
    assert optimizer_steps(config, 100, 4, 5) == 15
    plan = Plan.of(scene.read("out", tokens_per_step=4000, batch=4, epochs=3, warmup=0.03), lengths)
    assert (plan.steps, plan.warmup) == (15, 1)
    # A last step with fewer rows counts; epochs may end in the middle; max_steps ends sooner.
    assert optimizer_steps(config, 101, 4, 5) == 18
    assert optimizer_steps(scene.read("out", epochs=0.5), 100, 4, 5) == 3
    assert optimizer_steps(scene.read("out", epochs=9, max_steps=2), 100, 4, 5) == 2
    # Without a batch in the config: as many rows as 8,192 padded tokens hold, and no more than a step needs.
    assert accumulation(scene.read("out", batch=None, tokens_per_step=65536), lengths) == (27, 12)
    assert accumulation(scene.read("out", batch=None, tokens_per_step=1000), lengths) == (5, 1)
    assert accumulation(scene.read("out", batch=8, tokens_per_step=10), lengths) == (1, 1)


def test_packing(scene: Scene):
    """Twelve rows of 36 to 43 tokens, six in a sequence of 256; the loss is that of the rows side by side."""
    side = {"tokens_per_step": 100_000, "batch": 12, "epochs": 1, "log_every": 1}
    scene.run("packed", **side, packing=True)
    scene.run("plain", **side)
    packed, plain = scene.curve("packed"), scene.curve("plain")
    assert len(packed) == len(plain) == 1
    for name in ("loss", "entropy", "mean_token_accuracy", "num_tokens"):
        assert packed[0][name] == pytest.approx(plain[0][name], abs=1e-5)


def test_rows_are_tokenized_as_trl_does(scene: Scene, tokenizer, tmp_path):
    """Turns, a system message, and characters of several bytes."""
    many = sft_row(1, 0.5)
    many["prompt"] = (
        messages("system", "sé") + messages("user", "日本") + messages("assistant", "a") + many["prompt"]
    )
    rows = [sft_row(0), many, {**sft_row(2), "token_weights": [0.5] * 10}]
    scene.write_rows("a-sft.jsonl", rows)
    own = sft_tokens(read_rows(("a-sft.jsonl",), "sft"), tokenizer, 256)
    args = SFTConfig(str(tmp_path), bf16=False, use_cpu=True, max_length=None, report_to="none")
    data = Dataset.from_list([{"token_weights": None, **row} for row in rows])
    trl = WeightedSFTTrainer(
        tiny_model(len(tokenizer)), args, train_dataset=data, processing_class=tokenizer
    ).train_dataset
    for name in ("input_ids", "labels", "loss_weights"):
        assert own[name] == trl[name]


def test_weights_none_counts_each_row_as_one(scene: Scene):
    scene.write_rows("ones.jsonl", [sft_row(i, 1.0) for i in range(12)])
    scene.run("none", weights="none", max_steps=2)
    scene.run("ones", data=["ones.jsonl"], max_steps=2)
    scene.run("row", max_steps=2)
    assert scene.curve("none") == scene.curve("ones")
    assert scene.curve("none")[0]["loss"] > scene.curve("row")[0]["loss"]


def test_gradient_checkpointing_does_not_change_the_curve(scene: Scene):
    scene.run("plain", max_steps=2)
    scene.run("saved", max_steps=2, gradient_checkpointing=True)
    for one, other in zip(scene.curve("plain"), scene.curve("saved"), strict=True):
        assert one == pytest.approx(other, abs=1e-6)


def test_bf16(scene: Scene):
    assert scene.run("out", precision="bf16", max_steps=2) == 0
    adapter = load_file("out/adapter/adapter_model.safetensors")
    assert {value.dtype for value in adapter.values()} == {torch.float32}


def test_dpo(scene: Scene):
    """From a fresh adapter, the loss of a pair is ln 2 at first, times the mean weight 5/8; it falls."""
    scene.write_rows("a-dpo.jsonl", [dpo_row(i, 0.25 * (1 + i % 4)) for i in range(12)])
    changes = {
        "method": "dpo",
        "data": ["a-dpo.jsonl"],
        "tokens_per_step": 100_000,
        "batch": 12,
        "log_every": 1,
    }
    assert scene.run("out", **changes, epochs=6) == 0
    curve = scene.curve("out")
    assert all(list(line) == FIELDS for line in curve)
    assert curve[0]["loss"] == pytest.approx(0.6931472 * 0.625, abs=1e-5)
    assert curve[-1]["loss"] < curve[0]["loss"] - 0.01
    # The reference of the next iteration is the adapter that it starts from: ln 2 again.
    assert scene.run("two", **changes, max_steps=1, adapter="out/adapter", after="out", iteration=2) == 0
    assert scene.curve("two")[0]["loss"] == pytest.approx(0.6931472 * 0.625, abs=1e-5)
    assert sorted(one.name for one in Path("two/adapter").iterdir()) == [
        "adapter_config.json",
        "adapter_model.safetensors",
    ]


class Sends(TrainerCallback):
    """Sends the process a signal behind a step, as someone else would."""

    def __init__(self, number: int, step: int) -> None:
        self.number, self.step = number, step

    def on_step_end(self, args: Any, state: Any, control: Any, **rest: Any) -> None:
        if state.global_step == self.step:
            os.kill(os.getpid(), self.number)


def sends(monkeypatch: Any, number: int, step: int) -> None:
    made = checkpoints.Resumable.__init__

    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        made(self, *args, **kwargs)
        # Before the callback that reads the note.
        self.callback_handler.callbacks.insert(0, Sends(number, step))

    monkeypatch.setattr(checkpoints.Resumable, "__init__", init)


METHODS = {
    "sft": {"method": "sft", "data": ["a-sft.jsonl"]},
    "dpo": {"method": "dpo", "data": ["a-dpo.jsonl"], "tokens_per_step": 300},
}
# Steps in which the dropout of the adapter draws random numbers; twelve steps, a checkpoint every four.
LONG = {"epochs": 4, "lora": {"rank": 4, "alpha": 8, "dropout": 0.2}, "log_every": 3}


def expect_same(scene: Scene, one: str, other: str) -> None:
    assert scene.curve(one) == scene.curve(other)
    assert len(scene.curve(one)) == 4
    result = {key: value for key, value in scene.result(one).items() if key != "seconds"}
    assert result == {key: value for key, value in scene.result(other).items() if key != "seconds"}
    adapter = load_file(f"{other}/adapter/adapter_model.safetensors")
    for name, value in load_file(f"{one}/adapter/adapter_model.safetensors").items():
        assert torch.equal(value, adapter[name])


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, model_folder: str) -> str:
    """The output of a training that nothing disturbs."""
    scene = Scene(tmp_path_factory.mktemp("whole"), model_folder)
    assert scene.run("whole", **LONG) == 0
    return str(scene.folder / "whole")


@pytest.mark.parametrize("method", ["sft", pytest.param("dpo", marks=pytest.mark.thorough)])
def test_resume_after_sigkill_gives_the_same_curve(scene: Scene, monkeypatch, method):
    """Killed behind step 7, whose line of step 6 is newer than the checkpoint of step 4, in a window of three steps."""
    scene.write_rows("a-dpo.jsonl", [dpo_row(i) for i in range(12)])
    changes = LONG | METHODS[method]
    assert scene.run("whole", **changes) == 0
    assert scene.result("whole")["steps"] == 12
    assert scene.killed("killed", lambda: sends(monkeypatch, signal.SIGKILL, 7), **changes) == -signal.SIGKILL
    assert [line["step"] for line in scene.curve("killed")] == [3, 6]
    assert os.listdir("killed/checkpoints") == ["checkpoint-4"]
    assert not Path("killed/result.json").exists()
    assert scene.run("killed", **changes) == 0
    expect_same(scene, "killed", "whole")


def test_a_kill_while_a_checkpoint_is_written(scene: Scene, monkeypatch, whole: str):
    """Its folder has another name until it is complete: the one before it counts."""

    def prepare() -> None:
        save = Trainer._save_checkpoint

        def save_and_die(self: Any, model: Any, trial: Any) -> None:
            save(self, model, trial)
            if self.state.global_step == 8:
                os.kill(os.getpid(), signal.SIGKILL)

        monkeypatch.setattr(Trainer, "_save_checkpoint", save_and_die)

    assert scene.killed("killed", prepare, **LONG) == -signal.SIGKILL
    assert sorted(os.listdir("killed/checkpoints")) == [".part", "checkpoint-4"]
    assert scene.run("killed", **LONG) == 0
    expect_same(scene, "killed", whole)
    assert sorted(os.listdir("killed/checkpoints")) == ["checkpoint-12", "checkpoint-8"]


def test_a_kill_before_the_output_is_written(scene: Scene, monkeypatch):
    """All steps are done, in the middle of an epoch: the adapter comes from the last checkpoint, without a step more."""
    changes = LONG | {"max_steps": 11}
    scene.run("whole", **changes)

    def prepare() -> None:
        monkeypatch.setattr(
            metrics.Curve, "on_train_end", lambda *a, **k: os.kill(os.getpid(), signal.SIGKILL)
        )

    assert scene.killed("killed", prepare, **changes) == -signal.SIGKILL
    assert not Path("killed/adapter").exists()
    assert scene.run("killed", **changes) == 0
    expect_same(scene, "killed", "whole")


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.thorough)])
def test_a_signal_ends_it_behind_a_checkpoint(scene: Scene, monkeypatch, capsys, whole: str, number):
    """Behind step 5, in the middle of an epoch and of a window of three steps; the same command ends with the same."""
    with monkeypatch.context() as patch:
        sends(patch, number, 5)
        assert scene.run("stopped", **LONG) == 75
    assert capsys.readouterr().err.splitlines()[-1] == "stopped at step 5; the same command resumes"
    assert sorted(os.listdir("stopped/checkpoints")) == ["checkpoint-4", "checkpoint-5"]
    assert not Path("stopped/adapter").exists()
    assert scene.run("stopped", **LONG) == 0
    expect_same(scene, "stopped", whole)


def test_a_signal_before_the_first_step(scene: Scene, monkeypatch, capsys):
    monkeypatch.setattr("hasp_trainer.sft.load_student", lambda config: os.kill(os.getpid(), signal.SIGTERM))
    assert scene.run("out") == 75
    assert (
        capsys.readouterr().err.splitlines()[-1]
        == "stopped before the first step; the same command begins again"
    )
    assert not Path("out").exists()


def test_a_checkpoint_that_cannot_be_read(scene: Scene, monkeypatch, capsys):
    with monkeypatch.context() as patch:
        sends(patch, signal.SIGTERM, 5)
        scene.run("out", **LONG)
    Path("out/checkpoints/checkpoint-5/hasp.json").write_text("{")
    assert scene.run("out", **LONG) == 1
    error, step = capsys.readouterr().err.splitlines()[-2:]
    assert error.startswith("error: out/checkpoints/checkpoint-5: not a checkpoint of this trainer")
    assert step == "next: Move it away; the same command resumes at the checkpoint before it."


def test_half_a_line_of_the_curve_is_dropped(scene: Scene, monkeypatch, whole: str):
    with monkeypatch.context() as patch:
        sends(patch, signal.SIGTERM, 5)
        scene.run("stopped", **LONG)
    with Path("stopped/metrics.jsonl").open("a") as stream:
        stream.write('{"step": 6, "iter')
    scene.run("stopped", **LONG)
    expect_same(scene, "stopped", whole)
