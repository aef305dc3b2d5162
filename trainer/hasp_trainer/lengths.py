"""Counts the tokens of every row, as the training will read it."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import Any

from hasp_trainer.config import TrainConfig
from hasp_trainer.prompts import prompt_lengths
from hasp_trainer.rows import Row, read_rows
from hasp_trainer.tokens import dpo_tokens, pair_lengths, sft_tokens


@dataclass(frozen=True)
class Lengths:
    """Tokens of each row; `packed` are the rows that packing makes of them."""

    # In the order of the data: file and line, and tokens. Of a pair, those of the longer answer.
    rows: tuple[tuple[str, int], ...]
    limit: int
    # The most tokens of a reply that the training generates; 0 where it generates none.
    reply: int
    packed: tuple[int, ...] | None

    @property
    def total(self) -> int:
        return sum(count for _, count in self.rows)

    @property
    def mean(self) -> float:
        return self.total / len(self.rows)

    @property
    def longest(self) -> int:
        return max(count for _, count in self.rows)

    @property
    def longest_at(self) -> str:
        return max(self.rows, key=lambda row: row[1])[0]

    @property
    def too_long(self) -> list[tuple[str, int]]:
        """The longest first."""
        return sorted((row for row in self.rows if row[1] > self.limit), key=lambda row: -row[1])

    def counts(self) -> list[int]:
        """Of the rows as they come in batches."""
        return list(self.packed) if self.packed is not None else [count for _, count in self.rows]


def read_lengths(config: TrainConfig, tokenizer: Any) -> Lengths:
    """Raises Refused for data that cannot be read."""
    weights = config.weights if config.method in ("sft", "dpo") else "none"
    rows = read_rows(config.data, config.method, weights)
    reply = reply_of(config)
    counts = [count + reply for count in row_lengths(config.method, rows, tokenizer)]
    packed = None
    if config.packing and config.method == "sft":
        packed = tuple([config.max_length] * max(1, math.ceil(sum(counts) / config.max_length)))
    places = tuple((row.place, count) for row, count in zip(rows, counts, strict=True))
    return Lengths(places, config.max_length, reply, packed)


def reply_of(config: TrainConfig) -> int:
    if config.method == "distil" and config.distil is not None:
        return config.distil.reply_tokens
    return config.sdft.reply_tokens if config.method == "sdft" else 0


def row_lengths(method: str, rows: list[Row], tokenizer: Any) -> list[int]:
    if method == "sft":
        return [len(one["input_ids"]) for one in sft_tokens(rows, tokenizer, sys.maxsize)]
    if method == "dpo":
        return pair_lengths(dpo_tokens(rows, tokenizer, sys.maxsize))
    return prompt_lengths(rows, tokenizer)
