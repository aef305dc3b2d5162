"""Prompts of rows that a student answers itself while it trains: for distillation and self-distillation."""

from __future__ import annotations

import math
from typing import Any

from datasets import Dataset

from hasp_trainer.config import TrainConfig
from hasp_trainer.errors import Refused
from hasp_trainer.processes import world
from hasp_trainer.rows import Row
from hasp_trainer.tokens import accumulation, template_ids
from hasp_trainer.training import Plan


def prompt_lengths(rows: list[Row], tokenizer: Any) -> list[int]:
    """Of each row, the tokens of its longer prompt: with the contexts, where it has them. Raises Refused."""
    return [
        max(
            len(template_ids(tokenizer, messages, row.place, is_open=True))
            for messages in (row.prompt, row.answers.get("privileged", row.prompt))
        )
        for row in rows
    ]


def prompt_data(rows: list[Row]) -> Dataset:
    """Columns `prompt` and, where the rows have it, `privileged_context`, as TRL names it."""
    named = [{"prompt": row.prompt} for row in rows]
    for data, row in zip(named, rows, strict=True):
        if "privileged" in row.answers:
            data["privileged_context"] = row.answers["privileged"]
    return Dataset.from_list(named)


def plan_of(config: TrainConfig, lengths: list[int], processes: int | None = None) -> Plan:
    """A plan in which an optimizer step has a part of the rows at most: TRL leaves out an epoch's odd rows.

    `processes`: by default as many as there are. Raises Refused where they cannot share a step's rows evenly.
    """
    processes = world().size if processes is None else processes
    batch, accumulate = accumulation(config, lengths)
    accumulate = min(accumulate, len(lengths) // batch)
    rows = batch * accumulate
    steps = math.ceil(config.epochs * (len(lengths) // rows))
    if config.max_steps is not None:
        steps = min(steps, config.max_steps)
    if rows % processes != 0:
        raise Refused(
            f"{processes} processes cannot share the {rows} rows of an optimizer step evenly",
            f"Take {shares_of(rows)} processes, or change batch and tokens_per_step.",
        )
    batch = next(one for one in range(batch, 0, -1) if rows % (one * processes) == 0)
    return Plan(batch, rows // (batch * processes), steps, math.ceil(config.warmup * steps), rows)


def shares_of(rows: int) -> str:
    """The numbers of processes that can share so many rows, up to 64."""
    return " or ".join(str(one) for one in range(1, min(rows, 64) + 1) if rows % one == 0)
