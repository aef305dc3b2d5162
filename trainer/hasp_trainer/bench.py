"""Measures the weighted SFT of this package beside plain TRL, and preflight's estimate beside the memory in use.

    python -m hasp_trainer bench (--model M | --random 0.5b|tiny) [--rows N] [--length L] [--steps S] [--json FILE]
    python -m hasp_trainer bench --random 0.5b --load-test

Both trainers train the same model on the same rows, in turns, with the order changed from pair to pair. A run's first
steps are not counted: they compile kernels and fill caches. Tokens are those of the rows, without padding.
"""

from __future__ import annotations

import argparse
import gc
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from peft import LoraConfig, get_peft_model
from tokenizers import Tokenizer, models
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    PreTrainedTokenizerFast,
    Qwen2Config,
    TrainerCallback,
    set_seed,
)
from trl import SFTConfig, SFTTrainer

from hasp_trainer import memory
from hasp_trainer.errors import Refused
from hasp_trainer.memory import Load
from hasp_trainer.outputs import write_json
from hasp_trainer.sft import Trainer
from hasp_trainer.weighted_sft import IGNORED, LOSS

UNCOUNTED = 2
"""First steps of a run."""
LEAST, MOST = 0.97, 1.03
"""Tokens a second of ours to those of plain TRL: what is aimed at."""
RANK, ALPHA = 16, 32
TARGETS = 4
"""One token of so many in a row is a target."""

SHAPES: dict[str, dict[str, Any]] = {
    # The shape of Qwen2.5-0.5B.
    "0.5b": {
        "vocab_size": 151936,
        "hidden_size": 896,
        "intermediate_size": 4864,
        "num_hidden_layers": 24,
        "num_attention_heads": 14,
        "num_key_value_heads": 2,
        "max_position_embeddings": 32768,
        "tie_word_embeddings": True,
    },
    "tiny": {
        "vocab_size": 512,
        "hidden_size": 64,
        "intermediate_size": 160,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 2048,
        "tie_word_embeddings": True,
    },
}


@dataclass(frozen=True)
class Case:
    """One training that is measured."""

    length: int
    batch: int
    accumulate: int
    steps: int
    # Rank of the adapter; None: all weights.
    rank: int | None
    checkpointing: bool
    seed: int = 42


@dataclass(frozen=True)
class Measured:
    """Of one run: tokens a second, the most bytes PyTorch had in use, and the losses of its steps."""

    speed: float
    # None on the CPU, where PyTorch does not count.
    peak: int | None
    seconds: float
    losses: tuple[float, ...]


def on_gpu() -> bool:
    return torch.cuda.is_available()


def config_of(model: str | None, kind: str | None) -> Any:
    """The shape of a folder's model, or of one with random weights."""
    if model is not None:
        try:
            return AutoConfig.from_pretrained(model, trust_remote_code=False)
        except (OSError, ValueError) as error:
            message = str(error).strip().partition("\n")[0]
            raise Refused(f"{model}: not a model: {message}", "Give a model folder, or --random.") from error
    return Qwen2Config(**SHAPES[kind or "tiny"])


def make_model(model: str | None, config: Any, case: Case) -> Any:
    """The same weights each time. With an adapter the model is bf16 on a GPU, else fp32."""
    dtype = torch.bfloat16 if on_gpu() and case.rank is not None else torch.float32
    set_seed(case.seed)
    if model is not None:
        made = AutoModelForCausalLM.from_pretrained(model, dtype=dtype, trust_remote_code=False)
    else:
        with torch.device("cuda" if on_gpu() else "cpu"):
            made = AutoModelForCausalLM.from_config(config, dtype=dtype, trust_remote_code=False)
    if case.rank is None:
        return made
    lora = LoraConfig(r=case.rank, lora_alpha=ALPHA, target_modules="all-linear", task_type="CAUSAL_LM")
    return get_peft_model(made, lora)


def make_rows(case: Case, rows: int, vocabulary: int) -> Dataset:
    """Random tokens: every second row is as long as `length`, the others half as long or more."""
    draw = random.Random(case.seed)
    made = []
    for number in range(rows):
        length = case.length if number % 2 == 0 else draw.randint(case.length // 2, case.length)
        ids = [draw.randrange(4, vocabulary) for _ in range(length)]
        start = length - max(1, length // TARGETS)
        weight = draw.choice([0.25, 0.5, 1.0])
        made.append(
            {
                "input_ids": ids,
                "labels": [IGNORED] * start + ids[start:],
                LOSS: [0.0] * start + [weight] * (length - start),
            }
        )
    return Dataset.from_list(made)


def make_tokenizer() -> Any:
    """Only its padding is used: the rows are tokens already."""
    words = Tokenizer(models.WordLevel({"<pad>": 0, "<end>": 1, "<unk>": 2}, unk_token="<unk>"))
    return PreTrainedTokenizerFast(tokenizer_object=words, pad_token="<pad>", eos_token="<end>")


class Clock(TrainerCallback):
    """Time and tokens of the steps that count."""

    def __init__(self) -> None:
        self.trainer: Any = None
        self.start = self.end = (0.0, 0)
        self.losses: list[float] = []

    def _now(self) -> tuple[float, int]:
        if on_gpu():
            torch.cuda.synchronize()
        return time.perf_counter(), int(self.trainer._total_train_tokens)

    def on_train_begin(self, args: Any, state: Any, control: Any, **rest: Any) -> None:
        self.start = self._now()

    def on_step_end(self, args: Any, state: Any, control: Any, **rest: Any) -> None:
        if state.global_step == min(UNCOUNTED, state.max_steps - 1):
            self.start = self._now()
        if state.global_step == state.max_steps:
            self.end = self._now()

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **rest: Any) -> None:
        if logs and "loss" in logs:
            self.losses.append(float(logs["loss"]))

    def speed(self) -> float:
        return (self.end[1] - self.start[1]) / (self.end[0] - self.start[0])


def measure(trainer_class: Any, model: Any, data: Dataset, case: Case) -> Measured:
    """Trains a model for some steps and throws it away."""
    if trainer_class is SFTTrainer:
        data = data.remove_columns([LOSS])
    began = time.perf_counter()
    clock = Clock()
    with tempfile.TemporaryDirectory(prefix="hasp-bench-") as folder:
        args = SFTConfig(
            output_dir=folder,
            per_device_train_batch_size=case.batch,
            gradient_accumulation_steps=case.accumulate,
            max_steps=case.steps,
            learning_rate=1e-4,
            bf16=on_gpu(),
            gradient_checkpointing=case.checkpointing,
            seed=case.seed,
            logging_steps=1,
            save_strategy="no",
            report_to="none",
            disable_tqdm=True,
            use_cpu=not on_gpu(),
            dataloader_pin_memory=on_gpu(),
            max_length=None,
        )
        if on_gpu():
            torch.cuda.reset_peak_memory_stats()
        trainer = trainer_class(model, args, train_dataset=data, processing_class=make_tokenizer())
        trainer.callback_handler.callbacks = [
            one for one in trainer.callback_handler.callbacks if type(one).__name__ != "PrinterCallback"
        ]
        clock.trainer = trainer
        trainer.add_callback(clock)
        trainer.train()
    peak = torch.cuda.max_memory_allocated() if on_gpu() else None
    return Measured(clock.speed(), peak, time.perf_counter() - began, tuple(clock.losses))


def free() -> None:
    gc.collect()
    if on_gpu():
        torch.cuda.empty_cache()


# ---- ours beside plain TRL ----

TRAINERS = {"plain": SFTTrainer, "ours": Trainer}


def compare(make: Callable[[], Any], data: Dataset, case: Case, pairs: int) -> dict[str, list[Measured]]:
    """Runs of both, in pairs: plain and ours, then ours and plain, and so on. A pair before them is not kept."""
    runs: dict[str, list[Measured]] = {name: [] for name in TRAINERS}
    for pair in range(pairs + 1):
        names = list(TRAINERS) if pair % 2 == 0 else list(TRAINERS)[::-1]
        for name in names:
            found = measure(TRAINERS[name], make(), data, case)
            free()
            kind = "warms up" if pair == 0 else f"pair {pair}"
            print(f"{kind}  {name:<6}{found.speed:10,.0f} tokens/s  {size(found.peak)}", flush=True)
            if pair > 0:
                runs[name].append(found)
    return runs


def summary(runs: dict[str, list[Measured]]) -> dict[str, Any]:
    plain, ours = runs["plain"], runs["ours"]
    ratios = [one.speed / other.speed for one, other in zip(ours, plain, strict=True)]
    mean = statistics.fmean(ratios)
    peaks = {name: max((one.peak or 0) for one in found) for name, found in runs.items()}
    return {
        "tokens_per_second": {
            name: statistics.fmean(one.speed for one in found) for name, found in runs.items()
        },
        "peak_bytes": peaks if peaks["plain"] > 0 else None,
        "peak_ratio": peaks["ours"] / peaks["plain"] if peaks["plain"] > 0 else None,
        "ratio": mean,
        "ratio_least": min(ratios),
        "ratio_most": max(ratios),
        "ratio_standard_error": statistics.stdev(ratios) / len(ratios) ** 0.5 if len(ratios) > 1 else None,
        "within_aim": LEAST <= mean <= MOST,
    }


def size(count: int | None) -> str:
    return "" if count is None else f"{count / 2**30:.2f} GiB"


def report(found: dict[str, Any]) -> str:
    peaks = found["peak_bytes"] or {}
    lines = [
        f"{name:<8}{speed:10,.0f} tokens/s  {size(peaks.get(name))}"
        for name, speed in found["tokens_per_second"].items()
    ]
    error = found["ratio_standard_error"]
    spread = f"{found['ratio_least']:.3f} to {found['ratio_most']:.3f}"
    spread += "" if error is None else f", standard error {error:.4f}"
    aim = f"{'within' if found['within_aim'] else 'outside'} {LEAST} to {MOST}"
    lines.append(f"{'ratio':<8}{found['ratio']:10.3f} ({spread}), {aim}")
    if found["peak_ratio"] is not None:
        lines.append(f"{'memory':<8}{found['peak_ratio']:10.3f} of plain TRL's peak")
    return "\n".join(lines)


# ---- the load test ----


def load_cases(order: argparse.Namespace) -> list[tuple[str, Case]]:
    """E1's settings, as far as they bear on memory, and what changes the peak most."""
    length, batch = order.length, order.batch
    accumulate = max(1, round(order.tokens_per_step / (batch * length * 7 / 8)))
    e1 = Case(length, batch, accumulate, max(order.steps, UNCOUNTED + 1), RANK, True)
    short = {"accumulate": 1, "steps": UNCOUNTED + 1}
    return [
        ("E1", e1),
        ("E1, twice the batch", Case(**(asdict(e1) | short | {"batch": 2 * batch}))),
        ("E1, half the length", Case(**(asdict(e1) | short | {"length": length // 2}))),
        ("no checkpointing", Case(**(asdict(e1) | short | {"checkpointing": False}))),
        ("all weights", Case(**(asdict(e1) | short | {"rank": None}))),
    ]


def estimated(config: Any, case: Case) -> memory.Memory:
    load = Load("sft", case.rank, on_gpu(), case.checkpointing, case.batch, case.length)
    return memory.estimate(memory.shape_from(config), load)


def load_test(order: argparse.Namespace, config: Any) -> list[dict[str, Any]]:
    found = []
    for name, case in load_cases(order):
        data = make_rows(case, case.batch * case.accumulate * 2, config.vocab_size)
        estimate = estimated(config, case)
        run = measure(Trainer, make_model(order.model, config, case), data, case)
        free()
        ratio = None if run.peak is None else estimate.peak / run.peak
        found.append(
            {
                "name": name,
                "case": asdict(case),
                "estimated_peak": estimate.peak,
                "parts": estimate.parts,
                "measured_peak": run.peak,
                "estimated_to_measured": ratio,
                "tokens_per_second": run.speed,
                "tokens_per_step": case.batch * case.accumulate * case.length * 7 // 8,
                "losses": run.losses,
            }
        )
        beside = "" if ratio is None else f", measured {size(run.peak)}, ratio {ratio:.2f}"
        print(
            f"{name:<20} batch {case.batch} x {case.accumulate}, length {case.length:,}: "
            f"estimated {size(estimate.peak)}{beside}; {run.speed:,.0f} tokens/s; "
            f"loss {run.losses[0]:.2f} to {run.losses[-1]:.2f}",
            flush=True,
        )
    return found


# ---- the command ----


def run(order: argparse.Namespace) -> int:
    config = config_of(order.model, order.random)
    device = torch.cuda.get_device_name() if on_gpu() else "CPU"
    print(f"{order.model or f'random {order.random}'} on {device}, torch {torch.__version__}", flush=True)
    result: dict[str, Any] = {"schema": "hasp.bench/1", "device": device, "torch": torch.__version__}
    if order.load_test:
        result["load_test"] = load_test(order, config)
    else:
        rank = None if order.full else RANK
        case = Case(order.length, order.batch, order.accumulate, order.steps, rank, order.checkpointing)
        if case.steps <= UNCOUNTED:
            raise Refused(
                f"--steps {case.steps}: the first {UNCOUNTED} are not counted",
                f"Give {UNCOUNTED + 1} or more.",
            )
        data = make_rows(case, order.rows, config.vocab_size)
        runs = compare(lambda: make_model(order.model, config, case), data, case, order.pairs)
        result |= {"case": asdict(case), "rows": order.rows, **summary(runs)}
        result["runs"] = {name: [asdict(one) for one in found] for name, found in runs.items()}
        print(report(result))
    if order.json is not None:
        write_json(Path(order.json), result)
    return 0
