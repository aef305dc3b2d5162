"""Rows of training data as `hasp train-data` writes them: each is checked, and an error names file and line."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hasp_trainer.errors import Refused

Messages = list[dict[str, str]]

ANSWERS = {
    "sft": ("completion",),
    "dpo": ("chosen", "rejected"),
    "distil": (),
    "sdft": ("privileged",),
}
"""The lists of messages that a method learns from, beside the prompt."""

REBUILD = "Build the training data again with hasp train-data, or correct that line."


@dataclass(frozen=True)
class Row:
    """One row: messages, how much its loss counts, and its file and line for errors."""

    prompt: Messages
    # By name: `completion`, or `chosen` and `rejected`.
    answers: dict[str, Messages]
    weight: float
    # Of each target token, where the row has them.
    token_weights: list[float] | None
    place: str


def read_rows(files: tuple[str, ...], kind: str, weights: str = "row") -> list[Row]:
    """The rows of all files in order. `weights` is `none` where each counts as 1. Raises Refused."""
    rows = [row for file in files for row in _read_file(Path(file), kind, weights == "row")]
    if all(row.weight == 0 for row in rows):
        raise Refused(
            f"{', '.join(files)}: every row has a weight of 0, so there is nothing to learn",
            "Lower the reward floor of hasp train-data, or set weights: none in the train config.",
        )
    return rows


def are_empty(files: tuple[str, ...]) -> bool:
    """Whether all files are there and hold nothing: `hasp train-data --allow-empty` writes such files."""
    return all(Path(file).is_file() and Path(file).stat().st_size == 0 for file in files)


def _read_file(file: Path, kind: str, weighted: bool) -> list[Row]:
    try:
        text = file.read_text("utf-8")
    except FileNotFoundError as error:
        raise Refused(f"{file}: no such file", f"Build it with hasp train-data (a-{kind}.jsonl).") from error
    except UnicodeDecodeError as error:
        raise Refused(f"{file}: not UTF-8 text", REBUILD) from error
    except OSError as error:
        raise Refused(
            f"{file}: {error.strerror}", f"Give the path of an a-{kind}.jsonl that can be read."
        ) from error
    if text.strip() == "":
        raise Refused(f"{file}: no rows", "Lower the reward floor of hasp train-data, or give it more runs.")
    # Only \n ends a line: str.splitlines would also split at U+2028 within a text.
    lines = text.removesuffix("\n").split("\n")
    return [_row(line, kind, weighted, f"{file}:{number}") for number, line in enumerate(lines, 1)]


def _row(line: str, kind: str, weighted: bool, place: str) -> Row:
    try:
        # Raises RecursionError where lists are nested by thousands.
        data = json.loads(line)
    except json.JSONDecodeError as error:
        raise Refused(f"{place}:{error.colno}: {error.msg}", REBUILD) from error
    except (RecursionError, ValueError) as error:
        raise Refused(f"{place}: not a row", REBUILD) from error
    if not isinstance(data, dict):
        raise Refused(f"{place}: not a row of keys and values", REBUILD)
    prompt = _messages(data, "prompt", place)
    answers = {name: _messages(data, name, place) for name in ANSWERS[kind]}
    if not weighted:
        return Row(prompt, answers, 1.0, None, place)
    if "sample_weight" not in data:
        raise Refused(
            f"{place}: `sample_weight` is missing", f"{REBUILD} With weights: none it is not needed."
        )
    weight = _weight(data["sample_weight"], "sample_weight", place)
    many = data.get("token_weights")
    if many is not None:
        if not isinstance(many, list):
            raise Refused(f"{place}: `token_weights` must be a list of numbers", REBUILD)
        many = [_weight(one, "token_weights", place) for one in many]
    return Row(prompt, answers, weight, many, place)


def _messages(data: dict[str, Any], name: str, place: str) -> Messages:
    messages = data.get(name)
    if not isinstance(messages, list) or messages == []:
        raise Refused(f"{place}: `{name}` is missing or has no message", REBUILD)
    for one in messages:
        if not isinstance(one, dict) or not all(isinstance(one.get(key), str) for key in ("role", "content")):
            raise Refused(f"{place}: a message of `{name}` lacks its role or content", REBUILD)
    return [{"role": one["role"], "content": one["content"]} for one in messages]


def _weight(value: Any, name: str, place: str) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or value < 0:
        shown = json.dumps(value)[:40]
        raise Refused(f"{place}: `{name}` must be a number of 0 or more, not {shown}", REBUILD)
    return float(value)
