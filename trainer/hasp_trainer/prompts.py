"""Prompts of rows that a student answers itself while it trains: for distillation and self-distillation."""

from __future__ import annotations

import math
from typing import Any

from datasets import Dataset

from hasp_trainer.config import TrainConfig
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


def plan_of(config: TrainConfig, lengths: list[int]) -> Plan:
    """A plan in which an optimizer step has a part of the rows at most: TRL leaves out an epoch's odd rows."""
    batch, accumulate = accumulation(config, lengths)
    accumulate = min(accumulate, len(lengths) // batch)
    steps = math.ceil(config.epochs * (len(lengths) // (batch * accumulate)))
    if config.max_steps is not None:
        steps = min(steps, config.max_steps)
    return Plan(batch, accumulate, steps, math.ceil(config.warmup * steps))
