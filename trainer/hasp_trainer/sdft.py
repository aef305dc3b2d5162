"""Self-distillation: the student that sees the contexts of program functions teaches itself without them.

python -m hasp_trainer sdft CONFIG

The loss is that of TRL's experimental SDFTTrainer, on the student's own replies. Rows need a `prompt` without the
contexts and `privileged`, the messages of the same step with them. The teacher is the student as it began, or with
`sdft.teacher: live` as it is at each step: that one moves, and in a long training both may drift off together.
"""

from __future__ import annotations

import logging
import os
from typing import Any

# Read when the module is imported: it is known to be experimental, and its version is fixed.
os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")

import torch
from trl.experimental.sdft import SDFTConfig, SDFTTrainer
from trl.experimental.sdft.sdft_trainer import DemonstrationTeacherContextBuilder
from trl.trainer.utils import use_adapter

from hasp_trainer.checkpoints import Resumable
from hasp_trainer.config import TrainConfig
from hasp_trainer.models import load_student, load_tokenizer
from hasp_trainer.outputs import open_output
from hasp_trainer.prompts import plan_of, prompt_data, prompt_lengths
from hasp_trainer.rows import read_rows
from hasp_trainer.taught import Taught
from hasp_trainer.tokens import refuse_long
from hasp_trainer.training import claim, run, settings

TOP = 100
"""Tokens of a distribution that are compared one by one; the rest counts as one."""


STARTED = "started"
"""A second adapter, which is not trained: the student's as it began."""


class WholePrompt(DemonstrationTeacherContextBuilder):
    """The teacher's prompt is given whole: contexts come at several places of it, not at the end."""

    def _compose_teacher_prompt(self, prompt: Any, privileged_context: Any) -> Any:
        return privileged_context


class Trainer(Resumable, Taught, SDFTTrainer):
    """The teacher sees the contexts where the policy saw them; and a resume continues the same curve."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.teacher_context_builder = WholePrompt(self)

    def _get_teacher_context_for_self_distillation(self) -> Any:
        model = self.accelerator.unwrap_model(self.model)
        if STARTED in getattr(model, "peft_config", {}):
            return use_adapter(model, adapter_name=STARTED)
        return super()._get_teacher_context_for_self_distillation()

    def sample_rollouts(self, inputs: Any) -> Any:
        self.seed_step()
        return super().sample_rollouts(inputs)

    def _compute_self_distillation_loss(self, model: Any, inputs: Any, distillation_logits: Any) -> Any:
        loss = super()._compute_self_distillation_loss(model, inputs, distillation_logits)
        found = distillation_logits
        mask = found.loss_mask.bool()
        entropy, agreed = torch.zeros(2, device=mask.device)
        with torch.no_grad():
            # A row at a time: logits are large.
            for student, teacher, kept in zip(found.student_logits, found.teacher_logits, mask, strict=True):
                student, teacher = student[kept], teacher[kept]
                agreed += (student.argmax(-1) == teacher.argmax(-1)).sum()
                shares = student.log_softmax(-1)
                entropy -= (shares.exp() * shares).sum()
        self.count(inputs, entropy, agreed, mask.sum())
        return loss


def train(config: TrainConfig) -> int:
    output = open_output(config)
    # It warns of teachers that forget a starting adapter; ours is the student itself.
    logging.getLogger("trl.experimental.sdft.sdft_trainer").setLevel(logging.ERROR)
    rows = read_rows(config.data, "sdft", "none")
    tokenizer = load_tokenizer(config.model)
    lengths = [length + config.sdft.reply_tokens for length in prompt_lengths(rows, tokenizer)]
    refuse_long(rows, lengths, config.max_length, with_replies=True)
    plan = plan_of(config, lengths)
    model = load_student(config)
    args = SDFTConfig(
        **settings(config, plan, output),
        # None is too long, so none is cut.
        max_prompt_length=None,
        max_completion_length=config.sdft.reply_tokens,
        num_generations=1,
        temperature=config.sdft.temperature,
        distillation_alpha=config.sdft.alpha,
        distillation_topk=min(TOP, model.config.vocab_size),
        distillation_add_tail=TOP < model.config.vocab_size,
        # `base` is the model without its adapter: the start of a fresh one, whose product is 0.
        teacher_model_kind="base" if config.sdft.teacher == "start" else "live",
    )
    if config.adapter is not None and config.sdft.teacher == "start":
        model.load_adapter(config.adapter, adapter_name=STARTED, is_trainable=False)
    claim(output, model)
    print(f"{len(rows)} prompts, {plan.words('replies')}")
    trainer = Trainer(model, args, train_dataset=prompt_data(rows), processing_class=tokenizer)
    return run(trainer, config, plan, output)
