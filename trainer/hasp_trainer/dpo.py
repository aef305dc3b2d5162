"""Direct preference optimization: the corrected action is preferred to the first one, each pair by its weight.

python -m hasp_trainer dpo CONFIG
"""

from __future__ import annotations

from typing import Any

from trl import DPOConfig

from hasp_trainer.checkpoints import Resumable
from hasp_trainer.config import TrainConfig
from hasp_trainer.errors import Refused
from hasp_trainer.models import load_student, load_tokenizer
from hasp_trainer.outputs import open_output
from hasp_trainer.rows import read_rows
from hasp_trainer.shares import Shared
from hasp_trainer.tokens import dpo_tokens, pair_lengths
from hasp_trainer.training import Plan, claim, run, settings
from hasp_trainer.weighted_dpo import ROW, WeightedDPOTrainer


class Trainer(Resumable, Shared, WeightedDPOTrainer):
    """Weights, a resume that continues the same curve, and the same pairs in a step on any number of processes."""

    def blank(self) -> dict[str, Any]:
        pair = {"prompt_ids": [0], "chosen_ids": [0], "rejected_ids": [0], ROW: 0.0}
        output = self.data_collator([pair])
        output["completion_mask"].zero_()
        return output


def train(config: TrainConfig) -> int:
    if config.packing:
        raise Refused("packing is for sft: DPO compares two answers of a row", "Set packing: false.")
    output = open_output(config)
    rows = read_rows(config.data, "dpo", config.weights)
    tokenizer = load_tokenizer(config.model)
    data = dpo_tokens(rows, tokenizer, config.max_length)
    # Both answers of a pair are read, each behind the prompt.
    plan = Plan.of(config, [2 * length for length in pair_lengths(data)])
    print(f"{len(rows)} pairs, {plan.words('pairs')}")
    args = DPOConfig(
        **settings(config, plan, output),
        # The rows are tokenized, and none is too long.
        max_length=None,
        beta=config.dpo.beta,
    )
    model = load_student(config)
    claim(output, model)
    trainer = Trainer(model, args=args, train_dataset=data, processing_class=tokenizer)
    trainer.share(plan.step_rows)
    return run(trainer, config, plan, output)
