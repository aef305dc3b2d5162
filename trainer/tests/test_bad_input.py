"""Input that cannot be used: two lines that name it and the next step, an exit code, and nothing half-written."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections import namedtuple
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, get_peft_model
from scene import Scene, messages, sft_row
from tiny import CHAT_TEMPLATE, save_tiny_model, tiny_model, tiny_tokenizer
from transformers import Trainer

from hasp_trainer.outputs import write_folder


def refused(scene: Scene, capsys: Any, code: int = 2, output: str = "out", **changes: Any) -> tuple[str, str]:
    """The two lines, of a training that left nothing behind where its input was refused."""
    existed = Path(output).exists()
    capsys.readouterr()
    assert scene.run(output, **changes) == code
    lines = capsys.readouterr().err.splitlines()
    error, next_step = lines[-2:]
    assert error.startswith("error: ")
    assert next_step.startswith("next: ")
    if code == 2:
        assert lines == [error, next_step] or not any("Traceback" in line for line in lines)
        assert Path(output).exists() == existed
    return error.removeprefix("error: "), next_step.removeprefix("next: ")


def test_a_row_without_completion(scene: Scene, capsys):
    row = sft_row(1)
    del row["completion"]
    scene.write_rows("a-sft.jsonl", [sft_row(0), row])
    error, step = refused(scene, capsys)
    assert error == "a-sft.jsonl:2: `completion` is missing or has no message"
    assert step == "Build the training data again with hasp train-data, or correct that line."


def test_a_weight_that_is_nan(scene: Scene, capsys):
    scene.write_rows("a-sft.jsonl", [sft_row(0), sft_row(1, float("nan"))])
    assert (
        refused(scene, capsys)[0] == "a-sft.jsonl:2: `sample_weight` must be a number of 0 or more, not NaN"
    )


def test_token_weights_of_another_number(scene: Scene, capsys):
    scene.write_rows("a-sft.jsonl", [{**sft_row(0), "token_weights": [1, 2]}])
    assert refused(scene, capsys)[0] == "a-sft.jsonl:1: 2 token weights for 6 target tokens"


def test_a_tokenizer_without_a_chat_template(scene: Scene, capsys, tmp_path):
    tokenizer = tiny_tokenizer()
    tokenizer.chat_template = None
    save_tiny_model(str(tmp_path / "bare"), tokenizer)
    error, step = refused(scene, capsys, model="bare")
    assert error.startswith("bare: the tokenizer has no chat template")
    assert "instruct variant" in step


def test_a_chat_template_that_refuses_a_row(scene: Scene, capsys, tmp_path):
    tokenizer = tiny_tokenizer()
    tokenizer.chat_template = (
        "{% if messages[0].role == 'system' %}{{ raise_exception('no system role') }}{% endif %}"
        + CHAT_TEMPLATE
    )
    save_tiny_model(str(tmp_path / "strict"), tokenizer)
    row = sft_row(1)
    row["prompt"] = messages("system", "s") + row["prompt"]
    scene.write_rows("a-sft.jsonl", [sft_row(0), row])
    error = refused(scene, capsys, model="strict")[0]
    assert error == "a-sft.jsonl:2: the model's chat template refuses the messages: no system role"


def test_a_model_that_is_none(scene: Scene, capsys, tmp_path):
    (tmp_path / "empty").mkdir()
    assert refused(scene, capsys, model="empty")[0] == "empty: not a model folder: it has no config.json"
    assert refused(scene, capsys, model="a-sft.jsonl")[0] == "a-sft.jsonl: a file, not a model folder"
    assert refused(scene, capsys, model="/no/such/model")[0] == "/no/such/model: no such folder"
    assert refused(scene, capsys, model="./model")[0] == "./model: no such folder"
    error, step = refused(scene, capsys, model="someone/some-model")
    assert error.startswith("someone/some-model: not in the local cache")
    assert step.endswith("python -m hasp_trainer fetch someone/some-model")


def test_a_model_whose_weights_are_missing_or_broken(scene: Scene, capsys, tmp_path):
    save_tiny_model(str(tmp_path / "broken"), tiny_tokenizer())
    (tmp_path / "broken/model.safetensors").write_bytes(b"{}")
    assert refused(scene, capsys, model="broken")[0].startswith("broken: the model cannot be loaded")
    (tmp_path / "broken/model.safetensors").unlink()
    assert refused(scene, capsys, model="broken")[0].startswith("broken: the model cannot be loaded")
    (tmp_path / "broken/config.json").write_text("{")
    assert refused(scene, capsys, model="broken")[0].startswith("broken: the tokenizer cannot be loaded")


def test_rows_that_are_too_long(scene: Scene, capsys):
    """By hand: 36 to 43 tokens, of which the rows 3, 5, 9 and 12 have more than 41."""
    error, step = refused(scene, capsys, max_length=41)
    assert error == ("4 of 12 rows are longer than max_length 41; the longest has 43 tokens (a-sft.jsonl:9)")
    assert step.startswith("Set max_length to 43 or more")
    assert scene.run("out", max_length=43, max_steps=1) == 0


def test_an_adapter_that_does_not_fit(scene: Scene, capsys, tmp_path):
    assert refused(scene, capsys, adapter="nowhere")[0].startswith("nowhere: not an adapter")
    model = get_peft_model(
        tiny_model(259), LoraConfig(r=8, target_modules="all-linear", task_type="CAUSAL_LM")
    )
    model.save_pretrained(tmp_path / "eight")
    error = refused(scene, capsys, adapter="eight")[0]
    assert error == "eight: the adapter has rank 8 and alpha 8, the train config 4 and 8"
    model = get_peft_model(
        tiny_model(99), LoraConfig(r=4, lora_alpha=8, target_modules=["embed_tokens"], task_type="CAUSAL_LM")
    )
    model.save_pretrained(tmp_path / "other")
    assert refused(scene, capsys, adapter="other")[0].startswith("other: the adapter does not fit")


def test_an_iteration_after_none(scene: Scene, capsys):
    error, step = refused(scene, capsys, after="nowhere")
    assert error == "nowhere: not the output of a training that is done: it has no result.json"
    assert step.startswith("Finish that training first")


def test_a_checkpoint_of_another_config(scene: Scene, capsys):
    scene.run("out", max_steps=1)
    before = Path("out/train.json").read_text()
    error, step = refused(scene, capsys, max_steps=2)
    assert error == "out: belongs to another training: max_steps is 1 there and 2 here"
    assert step.startswith("Choose another output folder")
    scene.write_rows("a-sft.jsonl", [sft_row(0)])
    assert (
        refused(scene, capsys, max_steps=1)[0] == "out: belongs to another training: a-sft.jsonl has changed"
    )
    Path("out/train.json").unlink()
    assert refused(scene, capsys, max_steps=1)[0].startswith("out: has a training's files but no train.json")
    Path("out/train.json").write_text("{")
    assert refused(scene, capsys, max_steps=1)[0].startswith("out/train.json: cannot be read")
    Path("out/train.json").write_text(before)


def test_keys_that_do_not_change_the_numbers_may_change(scene: Scene, capsys):
    scene.run("out", max_steps=1)
    assert scene.run("out", max_steps=1, keep_checkpoints=1, save_every=1) == 0
    assert "done before" in capsys.readouterr().out


def test_an_output_that_is_a_file(scene: Scene, capsys):
    Path("taken").write_text("mine")
    assert refused(scene, capsys, output="taken")[0] == "taken: a file, not a folder"
    assert Path("taken").read_text() == "mine"
    assert refused(scene, capsys, output="taken/inside")[0].startswith("taken/inside:")


Usage = namedtuple("Usage", "total used free")


def test_no_space_for_a_checkpoint_is_refused_first(scene: Scene, capsys, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda place: Usage(10**9, 10**9, 1000))
    error, step = refused(scene, capsys)
    assert error.startswith("out: no space for a checkpoint: it takes about ")
    assert step.startswith("Free some space")


def test_a_disk_that_fills_up(scene: Scene, capsys, monkeypatch):
    """In the middle of the second checkpoint: the first is kept, nothing of the second, and a resume completes it."""
    scene.run("whole")
    save = torch.save

    def full(data: Any, file: Any, *rest: Any, **more: Any) -> None:
        save(data, file, *rest, **more)
        if "checkpoint-6" in str(file):
            raise OSError(errno.ENOSPC, "No space left on device", str(file))

    with monkeypatch.context() as patch:
        patch.setattr(torch, "save", full)
        error, step = refused(scene, capsys, code=1)
    assert error.startswith("no space for a checkpoint in out/checkpoints: ")
    assert "the same command resumes" in step
    assert os.listdir("out/checkpoints") == ["checkpoint-4"]
    assert not Path("out/adapter").exists()
    assert scene.run("out") == 0
    assert scene.curve("out") == scene.curve("whole")


def test_a_disk_that_is_full_for_the_adapter(scene: Scene, capsys, monkeypatch):
    with monkeypatch.context() as patch:

        def full(folder: Path, fill: Any) -> None:
            def fill_and_fail(part: Path) -> None:
                fill(part)
                raise OSError(errno.ENOSPC, "No space left on device")

            write_folder(folder, fill_and_fail)

        patch.setattr("hasp_trainer.training.write_folder", full)
        assert refused(scene, capsys, code=1, max_steps=1)[0].startswith("no space for a checkpoint in out")
    assert sorted(os.listdir("out")) == ["checkpoints", "metrics.jsonl", "train.json"]
    assert scene.run("out", max_steps=1) == 0
    assert json.loads(Path("out/result.json").read_text())["steps"] == 1


def test_a_loss_that_is_no_number(scene: Scene, capsys, tmp_path):
    model = tiny_model(259)
    with torch.no_grad():
        model.lm_head.weight.fill_(float("nan"))
    model.save_pretrained(tmp_path / "sick")
    tiny_tokenizer().save_pretrained(tmp_path / "sick")
    error, step = refused(scene, capsys, code=1, model="sick")
    assert error == "the loss is nan at step 1"
    assert step.startswith("Lower learning_rate")
    assert not Path("out/adapter").exists()
    assert Path("out/metrics.jsonl").read_text() == ""


def test_a_gradient_that_is_no_number(scene: Scene, capsys, monkeypatch):
    """A curve with NaN would be no JSON."""
    monkeypatch.setattr(Trainer, "_get_grad_norm", lambda *a, **k: float("inf"))
    error, _ = refused(scene, capsys, code=1)
    assert error == "grad_norm is inf at step 2"
    assert Path("out/metrics.jsonl").read_text() == ""


def test_packing_of_pairs(scene: Scene, capsys):
    assert refused(scene, capsys, method="dpo", packing=True)[0].startswith("packing is for sft")
