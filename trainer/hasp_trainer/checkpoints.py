"""Checkpoints that are complete or not there, and a resume that continues the same curve.

`Resumable` comes before one of the trainers of this package in a class's bases. TRL and Transformers restore weights,
optimizer, schedule, random numbers and the order of the data; this adds what their logs have counted since the last
line, the tokens, and the seconds.
"""

from __future__ import annotations

import errno
import json
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from transformers import TrainerCallback

from hasp_trainer.errors import Failed
from hasp_trainer.outputs import sync, write_json
from hasp_trainer.processes import Elsewhere, any_of, on_main, together, world
from hasp_trainer.signals import stop

COUNTS = "hasp.json"
"""In a checkpoint: what this module adds to it."""
FULL = 2**20
"""A disk with fewer free bytes is full: what was half-written is on it while this is asked."""


def last_checkpoint(folder: Path) -> Path | None:
    """The one with the most steps. Folders that were being written when a process was killed have another name."""
    found = [one for one in folder.glob("checkpoint-*") if re.fullmatch(r"checkpoint-\d+", one.name)]
    return max(found, key=_step, default=None)


def _step(checkpoint: Path) -> int:
    return int(checkpoint.name.rpartition("-")[2])


class Resumable:
    """Mixin before a TRL trainer. `keep_checkpoints` are kept, older ones are deleted."""

    keep_checkpoints = 2

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Since the last line of the curve: the sum of losses, and the step of that line.
        self.loss_sum = torch.zeros(())
        self.logged_step = 0
        self.seconds = 0.0
        self._since = time.monotonic()
        self.add_callback(StopAfterCheckpoint())

    def restore(self, checkpoint: Path) -> None:
        """The counts of a checkpoint; `train(resume_from_checkpoint=...)` restores the rest."""
        try:
            counts = json.loads((checkpoint / COUNTS).read_text("utf-8"))
            self.loss_sum = torch.tensor(counts["loss_sum"])
            self.logged_step = counts["logged_step"]
            self.seconds = counts["seconds"]
            self._total_train_tokens = counts["tokens"]
            for name, values in counts["metrics"].items():
                self._metrics["train"][name] = values
            # The sums of all processes are in the checkpoint: one of them continues with these.
            if hasattr(self, "target_sums") and world().is_main:
                self.target_sums["train"] = torch.tensor(counts["target_sums"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise Failed(
                f"{checkpoint}: not a checkpoint of this trainer that can be read ({COUNTS})",
                "Move it away; the same command resumes at the checkpoint before it.",
            ) from error

    @property
    def tokens(self) -> int:
        return int(self._total_train_tokens)

    def elapsed(self) -> float:
        """Seconds of training, those before a resume included."""
        return self.seconds + time.monotonic() - self._since

    def train(self, *args: Any, **kwargs: Any) -> Any:
        self._since = time.monotonic()
        if world().size > 1:
            # Each process draws a dropout of its own.
            torch.manual_seed(self.args.seed + world().rank)
        return super().train(*args, **kwargs)

    def training_step(self, *args: Any, **kwargs: Any) -> torch.Tensor:
        loss = super().training_step(*args, **kwargs)
        is_finite = bool(torch.isfinite(loss))
        if any_of(not is_finite, loss.device):
            if is_finite:
                raise Elsewhere(Failed.code)
            raise Failed(
                f"the loss is {loss.item()} at step {self.state.global_step + 1}",
                "Lower learning_rate or set precision: fp32, with another output folder.",
            )
        self.loss_sum = self.loss_sum.to(loss.device) + loss.float()
        return loss

    def log(self, logs: dict[str, float], start_time: float | None = None) -> None:
        if "loss" in logs:
            total = self._mean(self.loss_sum).item()
            logs["loss"] = total / max(1, self.state.global_step - self.logged_step)
            self.loss_sum = torch.zeros(())
            self.logged_step = self.state.global_step
        super().log(logs, start_time)

    def create_model_card(self, *args: Any, **kwargs: Any) -> None:
        """None: a checkpoint is no model to publish."""

    def _save_checkpoint(self, model: Any, trial: Any) -> None:
        """Every process adds the state of its random numbers to the folder, and the first does all else."""
        folder = Path(self.args.output_dir)
        name = f"checkpoint-{self.state.global_step}"
        part = folder / ".part"
        write = super()._save_checkpoint
        counts = self._counts()
        on_main(lambda: shutil.rmtree(part, ignore_errors=True))
        self.args.output_dir = str(part)
        try:
            together(lambda: _write(folder, lambda: write(model, trial)))
            on_main(lambda: _write(folder, lambda: _complete(part / name, folder / name, counts)))
        finally:
            self.args.output_dir = str(folder)
            shutil.rmtree(part, ignore_errors=True)
        if world().is_main:
            for old in sorted(folder.glob("checkpoint-*"), key=_step)[: -self.keep_checkpoints]:
                shutil.rmtree(old, ignore_errors=True)

    def _counts(self) -> dict[str, Any]:
        """All processes must call this."""
        sums = self._sum(self.target_sums["train"]).tolist() if hasattr(self, "target_sums") else []
        return {
            "tokens": self.tokens,
            "seconds": self.elapsed(),
            "loss_sum": self._mean(self.loss_sum).item(),
            "logged_step": self.logged_step,
            "metrics": dict(self._metrics["train"]),
            "target_sums": sums,
        }

    def _mean(self, value: torch.Tensor) -> torch.Tensor:
        return self.accelerator.reduce(value.to(self.args.device), "mean")

    def _sum(self, value: torch.Tensor) -> torch.Tensor:
        return self.accelerator.reduce(value.to(self.args.device))


def _write(folder: Path, work: Callable[[], None]) -> None:
    try:
        work()
    except (OSError, RuntimeError) as error:
        raise no_space(folder, error) if is_no_space(error, folder) else error from error


def _complete(part: Path, checkpoint: Path, counts: dict[str, Any]) -> None:
    """Gives a checkpoint its name, once all of it is on the disk."""
    write_json(part / COUNTS, counts)
    sync(part)
    shutil.rmtree(checkpoint, ignore_errors=True)
    part.rename(checkpoint)


class StopAfterCheckpoint(TrainerCallback):
    """Ends the training with a checkpoint of the step that was under way when someone asked for the end."""

    def on_step_end(self, args: Any, state: Any, control: Any, **rest: Any) -> None:
        if any_of(stop.is_asked, args.device):
            control.should_save = True
            control.should_training_stop = True


def is_no_space(error: BaseException, folder: Path) -> bool:
    """Whether a write failed for want of space: PyTorch and safetensors raise errors of their own, whose words vary."""
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    return "No space left" in str(error) or shutil.disk_usage(folder).free < FULL


def no_space(folder: Path, error: BaseException) -> Failed:
    free = shutil.disk_usage(folder).free
    return Failed(
        f"no space for a checkpoint in {folder}: {free / 1e6:,.0f} MB are free ({error})",
        "Free some space, or lower keep_checkpoints; the same command resumes at the last checkpoint.",
    )
