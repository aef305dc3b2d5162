"""Prompts of rows that a student answers itself while it trains: for distillation and self-distillation."""

from __future__ import annotations

import math
from typing import Any

from datasets import Dataset
from jinja2 import TemplateError

from hasp_trainer.config import TrainConfig
from hasp_trainer.errors import Refused
from hasp_trainer.rows import Messages, Row
from hasp_trainer.tokens import accumulation
from hasp_trainer.training import Plan


def prompt_ids(tokenizer: Any, messages: Messages, place: str) -> list[int]:
    """Tokens of a prompt, open for a reply. Raises Refused."""
    try:
        return tokenizer.apply_chat_template(
            messages, add_generation_prompt=True, tokenize=True, return_dict=True
        )["input_ids"]
    except TemplateError as error:
        raise Refused(
            f"{place}: the model's chat template refuses the messages: {error}",
            "Use a model whose chat template takes these roles, or correct that line.",
        ) from error


def prompt_lengths(rows: list[Row], tokenizer: Any) -> list[int]:
    """Of each row, the tokens of its longer prompt: with the contexts, where it has them. Raises Refused."""
    return [
        max(
            len(prompt_ids(tokenizer, messages, row.place))
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


def refuse_long(rows: list[Row], lengths: list[int], max_length: int) -> None:
    """`lengths` are of prompts with replies. Raises Refused."""
    long = [(length, row) for length, row in zip(lengths, rows, strict=True) if length > max_length]
    if long == []:
        return
    length, row = max(long, key=lambda one: one[0])
    raise Refused(
        f"{len(long)} of {len(rows)} rows are longer than max_length {max_length} with their replies; "
        f"the longest has {length} tokens ({row.place})",
        f"Set max_length to {length} or more, shorten reply_tokens, or leave these rows out.",
    )
