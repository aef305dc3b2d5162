"""`preflight`: the estimate against what PyTorch keeps, the verdict and its remedy, rows too long, and refusals."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
import small_models
import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, Qwen2Config

from hasp_trainer import memory, preflight
from hasp_trainer.config import TrainConfig, read_config
from hasp_trainer.errors import Refused
from hasp_trainer.memory import Load

GIB = 2**30
ROWS, LENGTH = 2, 256


def qwen(**more: int) -> Qwen2Config:
    sizes = {
        "vocab_size": 500,
        "hidden_size": 256,
        "intermediate_size": 704,
        "num_hidden_layers": 2,
        "num_attention_heads": 8,
        "num_key_value_heads": 2,
    }
    return Qwen2Config(**{**sizes, **more})


def kept_bytes(layers: int, rank: int | None, bf16: bool) -> int:
    """All that PyTorch keeps for the backward pass of a backbone of so many layers, weights aside."""
    config = qwen(num_hidden_layers=layers)
    torch.manual_seed(0)
    dtype = torch.bfloat16 if bf16 and rank else torch.float32
    model = AutoModelForCausalLM.from_config(config, dtype=dtype)
    backbone = model.model
    if rank is not None:
        get_peft_model(model, LoraConfig(r=rank, target_modules="all-linear", task_type="CAUSAL_LM"))
    model.enable_input_require_grads()
    weights = {one.untyped_storage().data_ptr() for one in model.parameters()}
    kept: dict[int, torch.Tensor] = {}

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        at = tensor.untyped_storage().data_ptr()
        if at not in weights:
            kept[at] = tensor
        return tensor

    tokens = torch.randint(0, 500, (ROWS, LENGTH))
    mask = torch.ones_like(tokens)
    mask[0, 200:] = 0
    cast = torch.autocast("cpu", dtype=torch.bfloat16) if bf16 else contextlib.nullcontext()
    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor), cast:
        backbone(input_ids=tokens, attention_mask=mask)
    return sum(one.untyped_storage().nbytes() for one in kept.values())


@pytest.mark.parametrize("bf16", [True, False])
@pytest.mark.parametrize("rank", [4, None])
def test_a_layer_keeps_as_much_as_estimated(rank: int | None, bf16: bool) -> None:
    measured = (kept_bytes(4, rank, bf16) - kept_bytes(2, rank, bf16)) / 2
    shape = memory.shape_from(qwen())
    load = Load("sft", rank, bf16, False, ROWS, LENGTH)
    estimated = ROWS * LENGTH * (memory.kept_of_layer(shape, load) + memory.stream_of_layer(shape, load))
    if bf16 and rank is None:
        # Autocast's copies of a layer's matrices, which the estimate counts with the trained weights.
        estimated += shape.linear // shape.layers * 2
    assert estimated == pytest.approx(measured, rel=0.02)


def test_parameters_are_counted_without_weights() -> None:
    config = qwen(num_hidden_layers=3)
    model = AutoModelForCausalLM.from_config(config)
    shape = memory.shape_from(config)
    assert shape.parameters == model.num_parameters()
    adapted = get_peft_model(model, LoraConfig(r=16, target_modules="all-linear", task_type="CAUSAL_LM"))
    trainable = sum(one.numel() for one in adapted.parameters() if one.requires_grad)
    assert memory.adapter_size(shape, 16) == trainable


def test_a_known_model_has_its_known_size() -> None:
    """Qwen2.5-7B: 7.62 B parameters (its model card), and 15.2 GB of weights in bf16."""
    shape = memory.shape_from(
        Qwen2Config(
            vocab_size=152064,
            hidden_size=3584,
            intermediate_size=18944,
            num_hidden_layers=28,
            num_attention_heads=28,
            num_key_value_heads=4,
            tie_word_embeddings=False,
        )
    )
    assert shape.parameters / 1e9 == pytest.approx(7.62, abs=0.01)
    found = memory.estimate(shape, Load("sft", 16, True, True, 4, 2048))
    assert found.weights / 1e9 == pytest.approx(15.2, abs=0.1)
    # It is known to train with LoRA on a card of 48 GB, and not to train whole on one of 80 GB.
    assert 16 * GIB < found.peak < 40 * GIB
    assert memory.estimate(shape, Load("sft", None, True, True, 1, 2048)).peak > 80 * GIB


@pytest.mark.parametrize(
    ("change", "grows"),
    [
        ({"batch": 8}, True),
        ({"length": 512}, True),
        ({"checkpointing": False}, True),
        ({"bf16": False}, True),
        ({"rank": None}, True),
        ({"method": "dpo"}, True),
        ({"rank": 2}, False),
    ],
)
def test_the_estimate_follows_the_load(change: dict[str, Any], grows: bool) -> None:
    shape = memory.shape_from(qwen(num_hidden_layers=8))
    load: dict[str, Any] = {"method": "sft", "rank": 8, "bf16": True, "checkpointing": True}
    load |= {"batch": 4, "length": 256}
    before = memory.estimate(shape, Load(**load)).peak
    after = memory.estimate(shape, Load(**(load | change))).peak
    assert (after > before) is grows


# ---- the command ----


def config_of(folder: Path, **more: Any) -> TrainConfig:
    data = {
        "method": "sft",
        "model": str(small_models.save_model(folder / "model")),
        "data": [str(rows_of(folder / "a-sft.jsonl", [3, 9, 5]))],
        "output": str(folder / "out" / "train"),
        "max_length": 64,
        "tokens_per_step": 30,
        "epochs": 2,
    }
    file = folder / "train.json"
    file.write_text(json.dumps({**data, **more}))
    return read_config(file)


def rows_of(file: Path, lengths: list[int]) -> Path:
    """Rows of so many words in the prompt: 8 tokens more with the marks and the answer."""
    lines = [
        {
            "prompt": [{"role": "user", "content": " ".join(["w1"] * length)}],
            "completion": [{"role": "assistant", "content": "w2"}],
            "sample_weight": 1.0,
        }
        for length in lengths
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def test_rows_are_counted_in_tokens(tmp_path: Path) -> None:
    data = preflight.as_data(preflight.examine(config_of(tmp_path)))
    assert data["fits"] is True
    # <|im_start|> user … <|im_end|> <|im_start|> assistant w2 <|im_end|>
    assert data["data"]["tokens"] == (3 + 7) + (9 + 7) + (5 + 7)
    assert data["data"]["longest"] == 16
    assert data["data"]["longest_at"].endswith("a-sft.jsonl:2")
    assert not (tmp_path / "out").exists()


def test_rows_that_are_too_long_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert preflight.run(config_of(tmp_path, max_length=11), as_json=False) == 2
    printed = capsys.readouterr()
    assert "does not fit" in printed.out
    assert "2 of 3 rows are longer than max_length 11" in printed.err
    assert "a-sft.jsonl:2 (16)" in printed.err and "a-sft.jsonl:3 (12)" in printed.err
    assert "Set max_length to 16" in printed.err


def test_a_card_that_is_too_small_gets_a_remedy_that_fits(tmp_path: Path) -> None:
    config = config_of(tmp_path)
    shape = memory.shape_from(qwen(num_hidden_layers=24, hidden_size=1024, intermediate_size=4096))
    load = Load("sft", 16, True, True, 64, 2048)
    peak = memory.estimate(shape, load)
    needed = preflight.needed(peak)
    enough = preflight.Device("a card", needed, needed)
    assert preflight.memory_problems(shape, load, peak, enough, 64) == []

    small = preflight.Device("a card", needed // 2, needed)
    most = preflight.largest(shape, load, small.free, 64)
    assert 0 < most < 64
    assert preflight.needed(memory.estimate(shape, load.with_batch(most))) <= small.free
    assert preflight.needed(memory.estimate(shape, load.with_batch(most + 1))) > small.free
    (problem,) = preflight.memory_problems(shape, load, peak, small, most)
    assert f"Set batch to {most}" in problem.next

    tiny = preflight.Device("a card", GIB // 4, GIB)
    found = preflight.examine(config, tiny)
    assert not found.fits
    assert found.largest_batch == 0
    assert found.problems[-1].next == "Take a smaller model or a larger card."


def test_the_remedies_come_in_order() -> None:
    shape = memory.shape_from(qwen(num_hidden_layers=24, hidden_size=1024, intermediate_size=4096))
    whole = Load("sft", None, True, False, 1, 4096)
    peak = preflight.needed(memory.estimate(shape, whole))
    assert "gradient_checkpointing" in preflight.remedy(shape, whole, peak - 1, 0)
    checked = Load("sft", None, True, True, 1, 4096)
    peak = preflight.needed(memory.estimate(shape, checked))
    assert "LoRA" in preflight.remedy(shape, checked, peak - 1, 0)
    wide = Load("sft", 256, True, True, 1, 4096)
    peak = preflight.needed(memory.estimate(shape, wide))
    assert "Set lora.rank to 16" in preflight.remedy(shape, wide, peak - 1, 0)
    adapted = Load("sft", 16, True, True, 1, 4096)
    peak = preflight.needed(memory.estimate(shape, adapted))
    assert "more than 3,840 tokens" in preflight.remedy(shape, adapted, peak - 1, 0)


def test_a_full_disk_is_told() -> None:
    assert preflight.disk_problems(10, 10, "/data") == []
    (problem,) = preflight.disk_problems(3 * GIB, GIB, "/data")
    assert problem.message == "Checkpoints take 3.0 GiB, and 1.0 GiB are free in /data"


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    config = config_of(tmp_path)
    (tmp_path / "model" / "config.json").unlink()
    with pytest.raises(Refused, match="no config.json"):
        preflight.examine(config)


def test_a_broken_row_is_named(tmp_path: Path) -> None:
    config = config_of(tmp_path)
    file = Path(config.data[0])
    file.write_text(file.read_text() + '{"prompt": []}\n')
    with pytest.raises(Refused, match="a-sft.jsonl:4"):
        preflight.examine(config)


def test_a_teacher_of_another_vocabulary_is_refused(tmp_path: Path) -> None:
    teacher = tmp_path / "teacher"
    AutoModelForCausalLM.from_config(qwen()).save_pretrained(teacher)
    small_models.tokenizer().save_pretrained(teacher)
    config = config_of(tmp_path, method="distil", distil={"teacher": str(teacher)})
    with pytest.raises(Refused, match="vocabulary of 500 tokens"):
        preflight.examine(config)


def test_replies_are_counted_for_distillation(tmp_path: Path) -> None:
    teacher = str(small_models.save_model(tmp_path / "teacher", seed=1))
    config = config_of(tmp_path, method="distil", distil={"teacher": teacher, "reply_tokens": 20}, batch=2)
    found = preflight.examine(config)
    # The longest prompt has 9 words and 5 marks.
    assert found.lengths.longest == 9 + 5 + 20
    assert found.load.teacher is not None
    assert found.memory.others > 4 * found.shape.parameters


def sixteen(folder: Path) -> TrainConfig:
    """Rows of ten tokens, eight in a step."""
    data = str(rows_of(folder / "sixteen.jsonl", [3] * 16))
    return config_of(folder, data=[data], batch=4, tokens_per_step=80)


def test_several_processes_share_the_rows_of_a_step(tmp_path: Path) -> None:
    """Each takes fewer rows at once, and all steps stay as they are; the gradients are there twice."""
    config = sixteen(tmp_path)
    card = preflight.Device("a card", GIB, GIB)
    alone, shared = preflight.examine(config, card), preflight.examine(config, card, 2, 4)
    assert (shared.plan.steps, shared.plan.step_rows) == (alone.plan.steps, alone.plan.step_rows)
    assert shared.processes == 8
    assert shared.load.batch * 8 * shared.plan.accumulate >= shared.plan.step_rows
    assert shared.load.batch < alone.load.batch
    trained = memory.trained_size(alone.shape, alone.load.rank)
    assert shared.memory.trained - alone.memory.trained == 4 * trained
    data = preflight.as_data(shared)
    assert data["tokens_per_step"] == preflight.as_data(alone)["tokens_per_step"]
    assert "on each of 8 processes" in preflight.report(shared)


def test_more_processes_than_rows_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="9 processes share the 8 rows"):
        preflight.examine(sixteen(tmp_path), None, 9)


def test_processes_without_a_card_share_the_memory() -> None:
    assert preflight.device_here(2).total == preflight.device_here().total // 2
