"""TRL's DPOTrainer with a weight for each pair.

    trainer = WeightedDPOTrainer(model, args=DPOConfig(...), train_dataset=data)

`data` is what DPOTrainer reads, with one more column that may be there: `sample_weight`. The loss of an optimizer step
is `mean(weight * loss of the pair)`, over the pairs of all its batches on all devices; the weights do not enter the
mean's denominator. With weights of 1 and batches of one size it is TRL's own. The loss is DPO's (`sigmoid`), with the reverse KL divergence; others are refused.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

import torch
from torch.nn import functional
from trl import DPOTrainer
from trl.data_utils import get_dataset_column_names
from trl.trainer.dpo_trainer import DataCollatorForPreference

ROW = "sample_weight"


@dataclass
class WeightedPairs(DataCollatorForPreference):
    """TRL's collator of pairs, with a weight for each pair; 1 where the column is missing."""

    def torch_call(self, examples: list[dict[str, Any]]) -> dict[str, Any]:
        output = super().torch_call(examples)
        weights = [one.get(ROW, 1.0) for one in examples]
        for weight in weights:
            if not isinstance(weight, int | float) or not math.isfinite(weight) or weight < 0:
                raise ValueError(f"a weight must be a number of 0 or more, not {weight!r}")
        output[ROW] = torch.tensor(weights, dtype=torch.float32)
        return output


class WeightedDPOTrainer(DPOTrainer):
    """DPOTrainer that weighs pairs. All arguments are DPOTrainer's."""

    # The loss of a batch is divided by the pairs of the whole step.
    loss_is_scaled_for_ga = True

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        is_plain = self.loss_types == ["sigmoid"] and self.loss_weights == [1.0] and self.ld_alpha is None
        if (
            not is_plain
            or self.f_divergence_type != "reverse_kl"
            or self.use_weighting
            or self.aux_loss_enabled
        ):
            raise ValueError(
                "weights go with the plain loss of DPO alone: loss_type `sigmoid`, reverse KL, no `ld_alpha`"
            )
        if type(self.data_collator) is DataCollatorForPreference:
            settings = {one.name: getattr(self.data_collator, one.name) for one in fields(self.data_collator)}
            self.data_collator = WeightedPairs(**settings)

    def _set_signature_columns_if_needed(self) -> None:
        super()._set_signature_columns_if_needed()
        if ROW not in self._signature_columns:
            self._signature_columns = [*self._signature_columns, ROW]

    def _prepare_dataset(self, dataset, processing_class, args, dataset_name):
        """DPOTrainer's, but rows that are tokenized already are left as they are."""
        if "prompt_ids" in get_dataset_column_names(dataset):
            return dataset
        return super()._prepare_dataset(dataset, processing_class, args, dataset_name)

    def _get_num_items_in_batch(self, batch_samples, device):
        """The pairs of the step, on all devices."""
        count = torch.tensor(sum(pairs_of(one) for one in batch_samples), device=device)
        return self.accelerator.reduce(count)

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        self.step_pairs = num_items_in_batch
        return super().compute_loss(model, inputs, return_outputs, num_items_in_batch)

    def _compute_loss(self, model, inputs, return_outputs):
        if ROW not in inputs:
            raise ValueError(f"the collator must give `{ROW}`: extend WeightedPairs")
        inputs = dict(inputs)
        weights = inputs.pop(ROW)
        known = {"completion_mask", "ref_chosen_logps", "ref_rejected_logps"}
        forward = {name: value for name, value in inputs.items() if name not in known} | {"use_cache": False}
        mask = inputs["completion_mask"][:, 1:]
        labels = inputs["input_ids"].masked_fill(inputs["completion_mask"] == 0, -100)
        outputs = model(**forward, labels=labels, fused_lm_head=True)

        # Prompt-learning adapters put positions of their own in front.
        chosen, rejected = outputs.log_probs[:, -mask.size(1) :].sum(dim=1).chunk(2)
        if self.precompute_ref_logps:
            ref_chosen, ref_rejected = inputs["ref_chosen_logps"], inputs["ref_rejected_logps"]
        else:
            ref_chosen, ref_rejected = self.compute_ref_log_probs(self.ref_model or self.model, inputs)
        rewards = self.beta * (chosen - ref_chosen), self.beta * (rejected - ref_rejected)
        losses = -functional.logsigmoid(rewards[0] - rewards[1])
        loss = (losses * weights.to(losses)).sum()
        if self.step_pairs is None:
            loss = loss / max(1, pairs_of(inputs))
        else:
            # Devices' gradients become their mean, and this is to be their sum.
            loss = loss * self.accelerator.num_processes / self.step_pairs

        self._log_pairs(rewards, (chosen, rejected), is_pair(inputs).to(losses))
        self._log_tokens(outputs, mask, inputs["attention_mask"])
        if not return_outputs:
            return loss
        with torch.no_grad():
            return loss, model(**forward)

    def _log_pairs(self, rewards: tuple[Any, Any], logps: tuple[Any, Any], there: torch.Tensor) -> None:
        """Means over the pairs of the batch, as DPOTrainer names them. `there`: 1 for each pair that is none to fill up."""
        chosen, rejected = (one.detach() for one in rewards)
        values = {
            "rewards/chosen": chosen,
            "rewards/rejected": rejected,
            "rewards/accuracies": (chosen > rejected).float(),
            "rewards/margins": chosen - rejected,
            "logps/chosen": logps[0].detach(),
            "logps/rejected": logps[1].detach(),
        }
        # Sums: devices may have batches of different sizes.
        sums = [there.sum(), *((value * there).sum() for value in values.values())]
        count, *totals = self.accelerator.reduce(torch.stack([one.float() for one in sums])).tolist()
        for name, total in zip(values, totals, strict=True):
            self._metrics[self._mode][name].append(total / max(1.0, count))

    def _log_tokens(self, outputs: Any, mask: Any, attention: Any) -> None:
        """Means over completion tokens: entropy and logits of both answers, accuracy of the chosen one."""
        width = mask.size(1)
        chosen, rejected = mask.bool().chunk(2)
        top = outputs.is_top1[:, -width:].chunk(2)[0]
        logits = outputs.mean_logits[:, -width:].detach().chunk(2)
        self._log_mean("entropy", outputs.entropy[:, -width:].detach(), mask.bool())
        self._log_mean("mean_token_accuracy", top.float(), chosen)
        self._log_mean("logits/chosen", logits[0], chosen)
        self._log_mean("logits/rejected", logits[1], rejected)
        if self._mode == "train":
            tokens = self.accelerator.gather_for_metrics(attention.sum()).sum().item()
            self._total_train_tokens += tokens // self._tp_size
        self._metrics[self._mode]["num_tokens"] = [self._total_train_tokens]

    def _log_mean(self, name: str, values: Any, mask: Any) -> None:
        total = self.accelerator.gather_for_metrics((values * mask).sum()).sum()
        count = self.accelerator.gather_for_metrics(mask.sum()).sum()
        self._metrics[self._mode][name].append((total / count).item() if count > 0 else 0.0)

    @property
    def _mode(self) -> str:
        return "train" if self.model.training else "eval"


def is_pair(inputs: dict[str, Any]) -> torch.Tensor:
    """For each pair of a batch, whether it has answers: one without any only fills up a device's turn."""
    return inputs["completion_mask"].any(dim=1).chunk(2)[0]


def pairs_of(inputs: dict[str, Any]) -> int:
    return int(is_pair(inputs).sum())
