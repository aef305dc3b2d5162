"""`metrics.jsonl`: the seven scalars of a training, a line every few steps, for curves over all iterations."""

from __future__ import annotations

import contextlib
import json
import math
from pathlib import Path
from typing import Any

from transformers import TrainerCallback

from hasp_trainer.errors import Failed
from hasp_trainer.outputs import Totals
from hasp_trainer.processes import world

SCALARS = ("loss", "grad_norm", "learning_rate", "entropy", "num_tokens", "mean_token_accuracy", "epoch")


class Curve(TrainerCallback):
    """Appends a line whenever the trainer logs; the last step has one too."""

    def __init__(self, file: Path, iteration: int, before: Totals, total: int) -> None:
        self.file = file
        self.iteration = iteration
        self.before = before
        self.total = total
        # Of the last line.
        self.loss: float | None = None

    def cut(self, step: int) -> None:
        """Leaves the lines up to that step of this iteration: those behind a checkpoint are written again."""
        kept = []
        text = self.file.read_text("utf-8", errors="replace") if self.file.exists() else ""
        # A process that was killed may have left half a line, and a power cut worse.
        for line in text.split("\n")[:-1]:
            with contextlib.suppress(ValueError, KeyError, TypeError):
                data = json.loads(line)
                if data["step"] <= self.before.steps + step:
                    self.loss = data["loss"]
                    kept.append(line + "\n")
        part = self.file.with_name(f".{self.file.name}.part")
        part.write_text("".join(kept), "utf-8")
        part.replace(self.file)

    def on_step_end(self, args: Any, state: Any, control: Any, **rest: Any) -> None:
        if state.global_step >= self.total:
            control.should_log = True

    def on_log(
        self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **rest: Any
    ) -> None:
        # The trainer's summary at the end has no loss of a step.
        if logs is None or "loss" not in logs:
            return
        line = {"step": self.before.steps + state.global_step, "iteration": self.iteration}
        line |= {name: float(logs.get(name, math.nan)) for name in SCALARS}
        for name in SCALARS:
            if not math.isfinite(line[name]):
                raise Failed(
                    f"{name} is {line[name]} at step {state.global_step}",
                    "Lower learning_rate or set precision: fp32, with another output folder.",
                )
        line["num_tokens"] = self.before.tokens + int(logs["num_tokens"])
        self.loss = line["loss"]
        if not world().is_main:
            return
        with self.file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line) + "\n")
        print(
            f"step {state.global_step}/{self.total}  loss {line['loss']:.4f}  "
            f"accuracy {line['mean_token_accuracy']:.3f}  lr {line['learning_rate']:.2e}  "
            f"tokens {line['num_tokens']:,}",
            flush=True,
        )
