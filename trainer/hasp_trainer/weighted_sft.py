"""TRL's SFTTrainer with a weight for each row, or for each target token.

    trainer = WeightedSFTTrainer(model, SFTConfig(...), train_dataset=data)

`data` is what SFTTrainer reads, with two more columns that may be there: `sample_weight`, a number for the row, and
`token_weights`, a list with a number for each target token of the row. They become one column, `loss_weights`, with a
number for each token (0 where the token is no target), which is truncated, packed and padded beside the labels.

The loss of an optimizer step is `sum(weight * nll) / n`, over the `n` target tokens of all its batches; the weights do
not enter `n`. So a row's share in the gradient is its weight, whichever rows it meets, and with weights of 1 the loss
is TRL's own.
"""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass, fields
from typing import Any

import torch
from torch.nn import functional
from trl import SFTTrainer
from trl.data_utils import get_dataset_column_names, pack_dataset
from trl.trainer.sft_trainer import DataCollatorForLanguageModeling
from trl.trainer.utils import pad

ROW, TOKENS, LOSS = "sample_weight", "token_weights", "loss_weights"
"""Columns: a row's weight, the weights of its target tokens, and what both become, a weight for each token."""

IGNORED = -100


def loss_weights(example: dict[str, Any]) -> list[float]:
    """A weight for each token of a tokenized row: 0 on the tokens that are no target, so on the prompt.

    Raises ValueError where a weight is negative or no number, or where `token_weights` are not as many as the targets.
    """
    row = example.get(ROW, 1.0)
    targets = sum(label != IGNORED for label in example["labels"])
    many = example.get(TOKENS)
    if many is None:
        many = [1.0] * targets
    if len(many) != targets:
        raise ValueError(f"{len(many)} token weights for {targets} target tokens")
    for weight in (row, *many):
        is_number = isinstance(weight, int | float) and not isinstance(weight, bool) and math.isfinite(weight)
        if not is_number or weight < 0:
            raise ValueError(f"a weight must be a number of 0 or more, not {weight!r}")
    rest = iter(many)
    return [float(row) * next(rest) if label != IGNORED else 0.0 for label in example["labels"]]


@dataclass
class WeightedCollator(DataCollatorForLanguageModeling):
    """TRL's collator of text, with the weights laid out as it lays out the labels. Rows without weights have 1."""

    def torch_call(self, examples: list[dict[str, Any]]) -> dict[str, Any]:
        output = super().torch_call(examples)
        weights = [
            torch.tensor(one.get(LOSS, [1.0] * len(one["input_ids"])), dtype=torch.float32)
            for one in examples
        ]
        if self.padding_free:
            weights = [torch.cat(weights, dim=0)]
        output[LOSS] = pad(
            weights, padding_value=0.0, padding_side="right", pad_to_multiple_of=self.pad_to_multiple_of
        )
        return output


class WeightedSFTTrainer(SFTTrainer):
    """SFTTrainer that weighs rows and tokens. All arguments are SFTTrainer's."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if (
            self.args.loss_type != "nll"
            or self.args.label_smoothing_factor > 0
            or self.compute_loss_func is not None
        ):
            raise ValueError(
                "weights go with the loss `nll` alone: no label smoothing and no function of your own"
            )
        parallel = self.accelerator.parallelism_config
        if parallel is not None and (parallel.cp_enabled or parallel.sp_enabled):
            raise ValueError("weights are not split along the sequence: no context or sequence parallelism")
        if type(self.data_collator) is DataCollatorForLanguageModeling:
            settings = {one.name: getattr(self.data_collator, one.name) for one in fields(self.data_collator)}
            self.data_collator = WeightedCollator(**settings)
        # Sums over target tokens since the last log: entropy, correct ones, and their number.
        self.target_sums = {"train": torch.zeros(3), "eval": torch.zeros(3)}

    def _set_signature_columns_if_needed(self) -> None:
        super()._set_signature_columns_if_needed()
        if LOSS not in self._signature_columns:
            self._signature_columns = [*self._signature_columns, LOSS]

    def _prepare_dataset(self, dataset, processing_class, args, packing, formatting_func, dataset_name):
        """SFTTrainer's, in three parts: it tokenizes, then each token gets its weight, then rows are cut and packed."""
        whole = copy.copy(args)
        whole.max_length, whole.shuffle_dataset = None, False
        dataset = super()._prepare_dataset(
            dataset, processing_class, whole, False, formatting_func, dataset_name
        )
        is_ready = LOSS in get_dataset_column_names(dataset)
        if not is_ready:
            dataset = dataset.map(lambda example: {LOSS: loss_weights(example)})
        if packing:
            if args.max_length is None:
                raise ValueError("When packing is enabled, `max_length` can't be `None`.")
            dataset = dataset.select_columns(["input_ids", "labels", LOSS])
            if args.shuffle_dataset:
                dataset = dataset.shuffle(seed=args.seed)
            dataset = pack_dataset(dataset, args.max_length, args.packing_strategy)
        elif args.max_length is not None:
            dataset = truncated(dataset, args.max_length, args.truncation_mode)
        return dataset.shuffle(seed=args.seed) if args.shuffle_dataset else dataset

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        """SFTTrainer's loss over log-probabilities that are scaled by the weights: one forward pass, no logits."""
        if LOSS not in inputs:
            raise ValueError(f"the collator must give `{LOSS}`: extend WeightedCollator")
        inputs = dict(inputs)
        weights = inputs.pop(LOSS)[:, 1:]
        mode = "train" if self.model.training else "eval"

        def weighted(**given: Any) -> Any:
            outputs = model(**given)
            if given.get("fused_lm_head"):
                # Prompt-learning adapters put positions of their own in front, which are no targets.
                added = outputs.log_probs.size(1) - weights.size(1)
                outputs.log_probs = outputs.log_probs * functional.pad(weights, (added, 0)).to(
                    outputs.log_probs
                )
                self._count(mode, outputs)
            return outputs

        return super().compute_loss(weighted, inputs, return_outputs, num_items_in_batch)

    def _count(self, mode: str, outputs: Any) -> None:
        with torch.no_grad():
            found = [outputs.entropy.sum(), outputs.is_top1.sum(), outputs.label_mask.sum()]
            sums = torch.stack([one.float() for one in found])
            self.target_sums[mode] = self.target_sums[mode].to(sums.device) + sums

    def log(self, logs: dict[str, float], start_time: float | None = None) -> None:
        """Entropy and accuracy as means over target tokens: TRL's are means over batches, however long these are."""
        mode = "train" if self.model.training else "eval"
        entropy, correct, targets = self.accelerator.reduce(
            self.target_sums[mode].to(self.args.device)
        ).tolist()
        if targets > 0 and "entropy" in self._metrics[mode]:
            self._metrics[mode]["entropy"] = [entropy / targets]
            self._metrics[mode]["mean_token_accuracy"] = [correct / targets]
        self.target_sums[mode] = torch.zeros(3)
        super().log(logs, start_time)


def truncated(dataset: Any, length: int, mode: str) -> Any:
    """Rows cut to `length` tokens as SFTTrainer cuts them, and without those that have no target left."""
    if mode not in ("keep_start", "keep_end"):
        raise ValueError(f"Unsupported truncation mode: {mode}, expected 'keep_start' or 'keep_end'")
    part = slice(None, length) if mode == "keep_start" else slice(-length, None)
    columns = ("input_ids", "labels", LOSS)
    dataset = dataset.map(lambda example: {name: example[name][part] for name in columns})
    return dataset.filter(lambda example: any(label != IGNORED for label in example["labels"]))
