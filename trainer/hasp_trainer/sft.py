"""Supervised fine-tuning on corrected actions: the loss of each row counts by its weight.

python -m hasp_trainer sft CONFIG
"""

from __future__ import annotations

from typing import Any

from trl import SFTConfig
from trl.data_utils import pack_dataset

from hasp_trainer.checkpoints import Resumable
from hasp_trainer.config import TrainConfig
from hasp_trainer.models import load_student, load_tokenizer
from hasp_trainer.outputs import open_output
from hasp_trainer.rows import read_rows
from hasp_trainer.shares import Shared
from hasp_trainer.tokens import sft_tokens
from hasp_trainer.training import Plan, claim, run, settings
from hasp_trainer.weighted_sft import IGNORED, LOSS, WeightedSFTTrainer


class Trainer(Resumable, Shared, WeightedSFTTrainer):
    """Weights, a resume that continues the same curve, and the same rows in a step on any number of processes."""

    def blank(self) -> dict[str, Any]:
        row = {"input_ids": [0, 0], "labels": [IGNORED] * 2, LOSS: [0.0] * 2}
        return self.data_collator([row | ({"seq_lengths": [2]} if self.padding_free else {})])


def train(config: TrainConfig) -> int:
    output = open_output(config)
    rows = read_rows(config.data, "sft", config.weights)
    tokenizer = load_tokenizer(config.model)
    data = sft_tokens(rows, tokenizer, config.max_length)
    if config.packing:
        # Several rows one after the other, in as few sequences of max_length as they fill; none is cut.
        data = pack_dataset(data, config.max_length, "bfd")
    plan = Plan.of(config, [len(ids) for ids in data["input_ids"]])
    print(f"{len(rows)} rows in {len(data)} sequences, {plan.words('sequences')}")
    args = SFTConfig(
        **settings(config, plan, output),
        # The rows are tokenized, none is too long, and they are packed already.
        max_length=None,
        padding_free=config.packing,
    )
    model = load_student(config)
    claim(output, model)
    trainer = Trainer(model, args, train_dataset=data, processing_class=tokenizer)
    trainer.share(plan.step_rows)
    return run(trainer, config, plan, output)
