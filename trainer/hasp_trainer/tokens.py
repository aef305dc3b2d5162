"""Turns rows into tokens with the model's chat template, as TRL does, and refuses rows that would be cut."""

from __future__ import annotations

import math
from typing import Any

from datasets import Dataset
from jinja2 import TemplateError

from hasp_trainer.errors import Refused
from hasp_trainer.rows import REBUILD, Messages, Row
from hasp_trainer.weighted_sft import IGNORED, LOSS, loss_weights

Ids = list[int]


def sft_tokens(rows: list[Row], tokenizer: Any, max_length: int) -> Dataset:
    """Columns input_ids, labels (the completion alone) and loss_weights, one row each. Raises Refused."""
    examples = []
    for row in rows:
        prompt, whole = _ids(tokenizer, row, None), _ids(tokenizer, row, "completion")
        start = _common(prompt, whole)
        labels = [IGNORED] * start + whole[start:]
        example = {"input_ids": whole, "labels": labels}
        weights = {"sample_weight": row.weight, "token_weights": row.token_weights}
        try:
            example[LOSS] = loss_weights(example | weights)
        except ValueError as error:
            raise Refused(f"{row.place}: {error}", REBUILD) from error
        if start == len(whole):
            raise Refused(
                f"{row.place}: the completion has no tokens with this model's chat template", REBUILD
            )
        examples.append(example)
    refuse_long(rows, [len(one["input_ids"]) for one in examples], max_length)
    return Dataset.from_list(examples)


def dpo_tokens(rows: list[Row], tokenizer: Any, max_length: int) -> Dataset:
    """Columns prompt_ids, chosen_ids, rejected_ids and sample_weight, one pair each. Raises Refused."""
    examples = []
    for row in rows:
        prompt = _ids(tokenizer, row, None)
        chosen, rejected = _ids(tokenizer, row, "chosen"), _ids(tokenizer, row, "rejected")
        start = min(_common(prompt, chosen), _common(prompt, rejected))
        examples.append(
            {
                "prompt_ids": prompt[:start],
                "chosen_ids": chosen[start:],
                "rejected_ids": rejected[start:],
                "sample_weight": row.weight,
            }
        )
    refuse_long(rows, pair_lengths(examples), max_length)
    return Dataset.from_list(examples)


def pair_lengths(examples: Any) -> list[int]:
    """The longer sequence of each pair, in tokens."""
    return [
        len(one["prompt_ids"]) + max(len(one["chosen_ids"]), len(one["rejected_ids"])) for one in examples
    ]


def _ids(tokenizer: Any, row: Row, answer: str | None) -> Ids:
    """The prompt, open for an answer, or the prompt with the answer of that name."""
    messages: Messages = row.prompt if answer is None else row.prompt + row.answers[answer]
    return template_ids(tokenizer, messages, row.place, is_open=answer is None)


def template_ids(tokenizer: Any, messages: Messages, place: str, is_open: bool) -> Ids:
    """Tokens of messages by the model's chat template; `is_open`: with the start of a reply. Raises Refused."""
    try:
        return tokenizer.apply_chat_template(
            messages, add_generation_prompt=is_open, tokenize=True, return_dict=True
        )["input_ids"]
    except TemplateError as error:
        raise Refused(
            f"{place}: the model's chat template refuses the messages: {error}",
            "Use a model whose chat template takes these roles, or correct that line.",
        ) from error


def _common(one: Ids, other: Ids) -> int:
    """Tokens that both begin with: a template may render an open prompt otherwise than the same prompt answered."""
    return next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def refuse_long(rows: list[Row], lengths: list[int], max_length: int, with_replies: bool = False) -> None:
    """Refuses rows that would be cut; `with_replies`: the lengths are of prompts with the longest reply."""
    long = [(length, row) for length, row in zip(lengths, rows, strict=True) if length > max_length]
    if long == []:
        return
    length, row = max(long, key=lambda one: one[0])
    raise Refused(
        f"{len(long)} of {len(rows)} rows are longer than max_length {max_length}"
        f"{' with their replies' if with_replies else ''}; the longest has {length} tokens ({row.place})",
        f"Set max_length to {length} or more, {'shorten reply_tokens, ' if with_replies else ''}"
        "or leave these rows out of the training data.",
    )


def accumulation(config: Any, lengths: list[int]) -> tuple[int, int]:
    """Rows that the device takes at once, and how often before an optimizer step, so that it has tokens_per_step."""
    mean, longest = sum(lengths) / len(lengths), max(lengths)
    batch = config.batch if config.batch is not None else max(1, SAFE_TOKENS // longest)
    batch = min(batch, len(lengths), max(1, round(config.tokens_per_step / mean)))
    return batch, max(1, round(config.tokens_per_step / (mean * batch)))


SAFE_TOKENS = 8192
"""Padded tokens of a batch where the config names none: a 7B model with LoRA and checkpointing takes them on 40 GB."""


def divided(batch: int, accumulate: int, processes: int) -> tuple[int, int]:
    """Rows that each process takes at once, and how often before a step, where one would take `batch`. Raises Refused."""
    rows = batch * accumulate
    if processes > rows:
        raise Refused(
            f"{processes} processes share the {rows} rows of an optimizer step, so some would have none",
            f"Take {rows} processes or fewer, or raise tokens_per_step.",
        )
    batch = min(batch, math.ceil(rows / processes))
    return batch, math.ceil(math.ceil(rows / batch) / processes)


def optimizer_steps(config: Any, rows: int, batch: int, accumulate: int) -> int:
    """Of this iteration; an epoch's last step may have fewer rows."""
    batches = math.ceil(rows / batch)
    an_epoch = math.ceil(batches / accumulate)
    steps = math.ceil(config.epochs * an_epoch)
    return steps if config.max_steps is None else min(steps, config.max_steps)
