"""Deals the rows of a training out to its processes, so that every optimizer step has the rows that one process gives it.

Accelerate's own way repeats rows at the end of an epoch until all processes have as many, so that the loss depends on
their number. Here a process that gets no more rows of a step has a blank batch instead, whose loss has no term.

`Shared` comes before a trainer of this package in a class's bases.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils.data import DataLoader, Sampler
from transformers import TrainerCallback

from hasp_trainer.processes import world


@dataclass(frozen=True)
class Deal:
    """How the rows of an epoch become the batches of `processes` processes."""

    rows: int
    # Of an optimizer step, on all processes together.
    step_rows: int
    # Rows that a device takes at once.
    batch: int
    processes: int

    @property
    def steps(self) -> int:
        """Of an epoch; the last may have fewer rows."""
        return math.ceil(self.rows / self.step_rows)

    def batches(self, step: int) -> int:
        """Of all processes in a step of the epoch, blank ones not counted."""
        return math.ceil(min(self.step_rows, self.rows - step * self.step_rows) / self.batch)

    def rounds(self, step: int) -> int:
        """Batches of each process in a step of the epoch."""
        return math.ceil(self.batches(step) / self.processes)

    def blanks(self, step: int) -> int:
        return self.rounds(step) * self.processes - self.batches(step)


class Share(Sampler[list[int]]):
    """The batches of one process; a blank batch has no row. The order is that of one process with the same seed."""

    def __init__(self, deal: Deal, rank: int, seed: int) -> None:
        self.deal, self.rank, self.seed, self.epoch = deal, rank, seed, 0
        # Transformers looks here for the sampler that is to know the epoch.
        self.batch_sampler = self

    def set_epoch(self, epoch: int) -> None:
        self.epoch = epoch

    def __len__(self) -> int:
        return sum(self.deal.rounds(step) for step in range(self.deal.steps))

    def __iter__(self) -> Iterator[list[int]]:
        deal = self.deal
        generator = torch.Generator()
        generator.manual_seed(self.seed + self.epoch)
        order = torch.randperm(deal.rows, generator=generator).tolist()
        for step in range(deal.steps):
            rows = order[step * deal.step_rows : (step + 1) * deal.step_rows]
            for number in range(deal.rounds(step)):
                start = (number * deal.processes + self.rank) * deal.batch
                yield rows[start : start + deal.batch]


class Shared:
    """Mixin of a trainer whose steps have the same rows on any number of processes. `blank` makes a batch without a target."""

    deal: Deal | None = None

    def share(self, step_rows: int) -> None:
        """To be called before training: rows of an optimizer step, on all processes together."""
        place = world()
        if place.size == 1:
            return
        batch = self.args.per_device_train_batch_size
        self.deal = Deal(len(self.train_dataset), step_rows, batch, place.size)
        blank = self.blank()
        mask = blank.get("attention_mask")
        self.blank_tokens = int(blank["position_ids"].numel() if mask is None else mask.sum())
        self.add_callback(WithoutBlanks(self))

    def blank(self) -> dict[str, Any]:
        raise NotImplementedError

    def get_train_dataloader(self) -> DataLoader:
        if self.deal is None:
            return super().get_train_dataloader()
        collate = self.data_collator
        return DataLoader(
            self._remove_unused_columns(self.train_dataset, description="Training"),
            batch_sampler=Share(self.deal, world().rank, self.args.seed),
            collate_fn=lambda rows: collate(rows) if rows else self.blank(),
            pin_memory=self.args.dataloader_pin_memory,
        )


class WithoutBlanks(TrainerCallback):
    """Takes the tokens of blank batches off the count."""

    def __init__(self, trainer: Any) -> None:
        self.trainer = trainer

    def on_step_end(self, args: Any, state: Any, control: Any, **rest: Any) -> None:
        deal = self.trainer.deal
        blanks = deal.blanks((state.global_step - 1) % deal.steps)
        self.trainer._total_train_tokens -= blanks * self.trainer.blank_tokens
        self.trainer._metrics["train"]["num_tokens"] = [self.trainer._total_train_tokens]
