"""The parts that all methods share: settings of the trainer, the run with its resume, and the output."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from hasp_trainer.checkpoints import is_no_space, last_checkpoint, no_space
from hasp_trainer.config import TrainConfig
from hasp_trainer.errors import Failed, Refused, Stopped
from hasp_trainer.metrics import Curve
from hasp_trainer.models import is_bf16
from hasp_trainer.outputs import Output, write_folder, write_json
from hasp_trainer.processes import on_main, world
from hasp_trainer.rows import are_empty
from hasp_trainer.signals import stop
from hasp_trainer.tokens import accumulation, divided, optimizer_steps

SCHEDULES = {"cosine": "cosine", "linear": "linear", "constant": "constant_with_warmup"}


def claim(output: Output, model: Any) -> None:
    """Takes the output folder, once all else has been found good. Raises Refused.

    A checkpoint has the trained weights and two moments of each, in fp32.
    """
    weights = sum(one.numel() for one in model.parameters() if one.requires_grad)
    on_main(lambda: _claim(output, 3 * 4 * weights))


def _claim(output: Output, needed: int) -> None:
    place = next(one for one in (output.folder, *output.folder.absolute().parents) if one.is_dir())
    free = shutil.disk_usage(place).free
    if free < needed:
        raise Refused(
            f"{output.folder}: no space for a checkpoint: it takes about {needed / 1e6:,.0f} MB, "
            f"{free / 1e6:,.0f} MB are free",
            "Free some space, or set output to a folder on another disk.",
        )
    output.claim()


@dataclass(frozen=True)
class Plan:
    """How the rows of this iteration make optimizer steps."""

    # Rows that a device takes at once.
    batch: int
    # Batches of an optimizer step, of each process.
    accumulate: int
    steps: int
    warmup: int
    # Rows of an optimizer step, on all processes together.
    step_rows: int

    @staticmethod
    def of(config: TrainConfig, lengths: list[int], processes: int | None = None) -> Plan:
        """`lengths`: tokens of each row, or of each pack of rows. `processes`: by default as many as there are.

        The rows of a step do not depend on the number of processes. Raises Refused where there are more than rows.
        """
        batch, accumulate = accumulation(config, lengths)
        steps = optimizer_steps(config, len(lengths), batch, accumulate)
        rows = batch * accumulate
        batch, accumulate = divided(batch, accumulate, world().size if processes is None else processes)
        return Plan(batch, accumulate, steps, math.ceil(config.warmup * steps), rows)

    def words(self, what: str) -> str:
        """Such as `12 steps of 2 x 3 rows on 4 processes`."""
        place = "" if world().size == 1 else f" on {world().size} processes"
        return f"{self.steps} steps of {self.batch} x {self.accumulate} {what}{place}"


@dataclass(frozen=True)
class Trained:
    """Steps, tokens, loss and duration of an iteration that is done."""

    steps: int
    tokens: int
    # Of the last steps; None where there was no step.
    loss: float | None
    seconds: float


def settings(config: TrainConfig, plan: Plan, output: Output) -> dict[str, Any]:
    """Arguments of SFTConfig, DPOConfig and their kin."""
    several = {
        "ddp_find_unused_parameters": False,
        "ddp_backend": None if torch.cuda.is_available() else "gloo",
    }
    return {
        **(several if world().size > 1 else {}),
        "output_dir": str(output.checkpoints),
        "per_device_train_batch_size": plan.batch,
        "gradient_accumulation_steps": plan.accumulate,
        "max_steps": plan.steps,
        "warmup_steps": plan.warmup,
        "learning_rate": config.rate,
        "lr_scheduler_type": SCHEDULES[config.schedule],
        "bf16": is_bf16(config),
        "gradient_checkpointing": config.gradient_checkpointing,
        "seed": config.seed,
        "logging_steps": config.log_every,
        # A loss that is no number ends the training: see Resumable.
        "logging_nan_inf_filter": False,
        "save_steps": config.save_every,
        "save_strategy": "steps",
        "use_cpu": not torch.cuda.is_available(),
        "dataloader_pin_memory": torch.cuda.is_available(),
        "report_to": "none",
        "disable_tqdm": True,
    }


def run(trainer: Any, config: TrainConfig, plan: Plan, output: Output) -> int:
    """Trains to the end, from the last checkpoint where there is one, and writes the output. Returns 0.

    Raises Stopped after SIGTERM, and Failed where memory or disk run out or the loss is not a number.
    """
    curve = Curve(output.metrics, config.iteration, output.before, plan.steps)
    # TRL's printer writes each log as a dictionary, in the midst of other output.
    trainer.callback_handler.callbacks = [
        one for one in trainer.callback_handler.callbacks if type(one).__name__ != "PrinterCallback"
    ]
    trainer.add_callback(curve)
    trainer.keep_checkpoints = config.keep_checkpoints
    with stop.training():
        _train(trainer, curve, plan, output)
        _write(trainer, config, curve, plan, output)
    print(f"done: {plan.steps} steps, adapter in {output.folder / 'adapter'}", flush=True)
    return 0


def has_nothing_to_learn(config: TrainConfig) -> bool:
    """A later iteration whose data have no row, as on-policy distillation has once nothing is corrected any more."""
    return config.after is not None and are_empty(config.data)


def keep_student(config: TrainConfig, output: Output) -> int:
    """Writes the output of an iteration that has nothing to learn: the student as it was, after no step. Returns 0."""
    if not world().is_main:
        return 0
    source = Path(config.adapter or config.model)
    output.claim()
    _write_output(output, Trained(0, 0, None, 0.0), lambda folder: _copy(source, folder))
    print(f"nothing to learn: {', '.join(config.data)} has no row; the student stays as it was", flush=True)
    return 0


def _copy(source: Path, folder: Path) -> None:
    shutil.copytree(source, folder, dirs_exist_ok=True)


def _train(trainer: Any, curve: Curve, plan: Plan, output: Output) -> None:
    # One process looks: on a disk of several machines the others may not see the newest yet.
    checkpoint = on_main(lambda: last_checkpoint(output.checkpoints))
    done = 0
    if checkpoint is not None:
        done = int(checkpoint.name.rpartition("-")[2])
        print(f"resumes at step {done} of {plan.steps}", flush=True)
        trainer.restore(checkpoint)
    on_main(lambda: curve.cut(done))
    if done >= plan.steps:
        # Killed after its last step: only the output is missing.
        trainer._load_from_checkpoint(str(checkpoint))
        return
    try:
        trainer.train(resume_from_checkpoint=None if checkpoint is None else str(checkpoint))
    except torch.OutOfMemoryError as error:
        raise Failed(
            f"the GPU's memory does not take {plan.batch} rows at once: {error}",
            "Lower batch or max_length, with another output folder; preflight says what fits.",
        ) from error
    except OSError as error:
        raise no_space(output.folder, error) if is_no_space(error, output.folder) else error from error
    if trainer.state.global_step < plan.steps:
        raise Stopped(f"stopped at step {trainer.state.global_step}", "the same command resumes")


def _write(trainer: Any, config: TrainConfig, curve: Curve, plan: Plan, output: Output) -> None:
    model = trainer.accelerator.unwrap_model(trainer.model)

    def fill(folder: Path) -> None:
        if config.lora is None:
            model.save_pretrained(folder)
            trainer.processing_class.save_pretrained(folder)
        else:
            # DPO on an adapter has a second one, the reference.
            model.save_pretrained(folder, selected_adapters=["default"])
            (folder / "README.md").unlink(missing_ok=True)

    done = Trained(plan.steps, trainer.tokens, curve.loss, trainer.elapsed())
    on_main(lambda: _write_output(output, done, fill))


def _write_output(output: Output, done: Trained, fill: Callable[[Path], None]) -> None:
    before = output.before
    result = {
        "schema": "hasp.training/1",
        "steps": done.steps,
        "tokens": done.tokens,
        "loss": done.loss,
        "seconds": round(done.seconds, 3),
        "adapter": "adapter",
        "total_steps": before.steps + done.steps,
        "total_tokens": before.tokens + done.tokens,
    }
    try:
        write_folder(output.folder / "adapter", fill)
        write_json(output.folder / "result.json", result)
    except (OSError, RuntimeError) as error:
        raise no_space(output.folder, error) if is_no_space(error, output.folder) else error from error
