"""The scalars of a student that is taught by distributions instead of target tokens.

`Taught` comes before TRL's trainer in a class's bases. Entropy and accuracy are over the tokens of the student's own
replies; accuracy is the share of them at which student and teacher hold the same token for the likeliest.
"""

from __future__ import annotations

from typing import Any

import torch
from trl.trainer.utils import RepeatSampler

from hasp_trainer.processes import world


class EpochSampler(RepeatSampler):
    """TRL's order of generated batches; each epoch's depends on seed and epoch alone, so a resume finds it again."""

    def set_epoch(self, epoch: int) -> None:
        self.generator.manual_seed(self.seed * 1_000_003 + epoch)


class Taught:
    """Mixin that counts tokens, entropy and agreement for the lines of the curve."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._total_train_tokens = 0
        # Since the last line: entropy, agreements, and tokens of replies.
        self.target_sums = {"train": torch.zeros(3)}

    def _get_train_sampler(self, dataset: Any = None) -> EpochSampler:
        found = super()._get_train_sampler(dataset)
        return EpochSampler(
            found.data_source,
            found.mini_repeat_count,
            found.batch_size,
            found.repeat_count,
            found.shuffle,
            found.seed,
        )

    def seed_step(self) -> None:
        """Replies of a step depend on seed, step and process alone, however often the training was resumed."""
        own = world().rank * 1_000_000_007
        torch.manual_seed(self.args.seed * 1_000_003 + self.state.global_step + own)

    def count(self, inputs: dict[str, Any], entropy: Any, agreed: Any, replied: Any) -> None:
        """Adds one batch's sums; its tokens are those of prompts and replies."""
        if not self.model.training:
            return
        tokens = inputs["prompt_mask"].sum() + inputs["completion_mask"].sum()
        self._total_train_tokens += int(self.accelerator.gather(tokens).sum())
        sums = torch.stack([one.detach().float() for one in (entropy, agreed, replied)])
        self.target_sums["train"] = self.target_sums["train"].to(sums.device) + sums

    def log(self, logs: dict[str, float], start_time: float | None = None) -> None:
        entropy, agreed, replied = self.accelerator.reduce(
            self.target_sums["train"].to(self.args.device)
        ).tolist()
        if replied > 0:
            self._metrics["train"]["entropy"] = [entropy / replied]
            self._metrics["train"]["mean_token_accuracy"] = [agreed / replied]
        self._metrics["train"]["num_tokens"] = [self._total_train_tokens]
        self.target_sums["train"] = torch.zeros(3)
        super().log(logs, start_time)
