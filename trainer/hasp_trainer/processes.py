"""The processes of a training: one for each GPU, on one machine or several, each started with its place in variables.

A launcher sets `RANK`, `WORLD_SIZE`, `LOCAL_RANK` and `LOCAL_WORLD_SIZE`: `python -m hasp_trainer launch`, `accelerate
launch` or `torchrun`. Files are written by the first process alone; the others wait for it. With one process all of
this does nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from hasp_trainer.errors import Ending, Failed

Found = TypeVar("Found")


@dataclass(frozen=True)
class World:
    """All processes of a training, and which of them this is."""

    size: int = 1
    rank: int = 0
    # On this machine.
    local_size: int = 1

    @property
    def is_main(self) -> bool:
        """Whether this process writes the files and the lines of the log."""
        return self.rank == 0


def world() -> World:
    def number(name: str, default: int) -> int:
        text = os.environ.get(name, "")
        return int(text) if text.isdigit() else default

    size = number("WORLD_SIZE", 1)
    return World(size, number("RANK", 0), number("LOCAL_WORLD_SIZE", size)) if size > 1 else World()


class Elsewhere(Ending):
    """Another process has failed, and has said how; this one ends with the same code and says nothing."""

    def __init__(self, code: int) -> None:
        super().__init__("another process of the training has failed", "Read its error.")
        self.code = code


def on_main(work: Callable[[], Found]) -> Found:
    """The answer of `work`, which the first process alone executes; all raise where it raises. All must call this."""
    place = world()
    if place.size == 1:
        return work()
    answer: list[Found] = []
    together(lambda: answer.append(work()) if place.is_main else None)
    import torch.distributed

    answers: list[list[Found]] = [[]] * place.size
    # Not a broadcast, after which the first process could end before the others have heard it.
    torch.distributed.all_gather_object(answers, answer)
    return answers[0][0]


def together(work: Callable[[], None]) -> None:
    """Executes `work` on every process and waits for all; where it raises on one, all raise. All must call this."""
    place = world()
    if place.size == 1:
        return work()
    error: Exception | None = None
    try:
        work()
    except Exception as caught:
        error = caught
    import torch.distributed

    codes: list[int | None] = [None] * place.size
    mine = None if error is None else error.code if isinstance(error, Ending) else Failed.code
    torch.distributed.all_gather_object(codes, mine)
    if error is not None:
        raise error
    failed = next((code for code in codes if code is not None), None)
    if failed is not None:
        raise Elsewhere(failed)


def any_of(flag: bool, device: Any) -> bool:
    """Whether the flag is set on any process. All must call this."""
    if world().size == 1:
        return flag
    import torch

    found = torch.tensor(int(flag), device=device)
    torch.distributed.all_reduce(found, torch.distributed.ReduceOp.MAX)
    return bool(found.item())
