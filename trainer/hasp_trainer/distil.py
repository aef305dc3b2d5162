"""Distillation: on the student's own replies, its distribution comes closer to a local teacher's.

python -m hasp_trainer distil CONFIG

The loss is TRL's DistillationTrainer's. Rows need a `prompt`; their answers and weights are not read.
"""

from __future__ import annotations

from typing import Any

import torch
from trl import DistillationConfig, DistillationTrainer

from hasp_trainer.checkpoints import Resumable
from hasp_trainer.config import TrainConfig
from hasp_trainer.models import is_bf16, load_student, load_tokenizer
from hasp_trainer.outputs import open_output
from hasp_trainer.prompts import plan_of, prompt_data, prompt_lengths
from hasp_trainer.rows import read_rows
from hasp_trainer.taught import Taught
from hasp_trainer.teachers import load_teacher, refuse_vocabulary
from hasp_trainer.tokens import refuse_long
from hasp_trainer.training import claim, run, settings

ROWS_AT_ONCE = 1024
"""Hidden states whose likeliest tokens are found together."""


class Trainer(Resumable, Taught, DistillationTrainer):
    """Counts how often student and teacher agree, and resumes on the same curve."""

    # Last hidden states of a batch: the student's, then the teacher's.
    states: list[torch.Tensor]

    def _generate_and_score_completions(self, inputs: Any) -> Any:
        self.seed_step()
        return super()._generate_and_score_completions(inputs)

    def _get_last_hidden_state(self, *args: Any, **kwargs: Any) -> torch.Tensor:
        found = super()._get_last_hidden_state(*args, **kwargs)
        self.states.append(found.detach())
        return found

    def _compute_loss(self, unwrapped_student: Any, inputs: dict[str, Any], num_items_in_batch: Any) -> Any:
        self.states = []
        loss, entropy, replied = super()._compute_loss(unwrapped_student, inputs, num_items_in_batch)
        mask = inputs["completion_mask"].bool()
        student, teacher = (
            likeliest(states[mask], model.get_output_embeddings())
            for states, model in zip(self.states, (unwrapped_student, self.teacher_model), strict=True)
        )
        self.states = []
        self.count(inputs, entropy, (student == teacher).sum(), replied)
        return loss, entropy, replied


@torch.no_grad()
def likeliest(states: torch.Tensor, head: Any) -> torch.Tensor:
    """The likeliest token after each state, a few logits at a time."""
    return torch.cat(
        [head(part.to(head.weight.dtype)).argmax(-1) for part in states.split(ROWS_AT_ONCE)]
        or [torch.empty(0)]
    )


def train(config: TrainConfig) -> int:
    output = open_output(config)
    distil = config.distil
    assert distil is not None, "read_config has refused this"
    rows = read_rows(config.data, "distil", "none")
    tokenizer = load_tokenizer(config.model)
    lengths = [length + distil.reply_tokens for length in prompt_lengths(rows, tokenizer)]
    refuse_long(rows, lengths, config.max_length, with_replies=True)
    plan = plan_of(config, lengths)
    args = DistillationConfig(
        **settings(config, plan, output),
        max_completion_length=distil.reply_tokens,
        temperature=distil.temperature,
        beta=distil.beta,
    )
    model = load_student(config)
    teacher = load_teacher(distil.teacher, is_bf16(config))
    refuse_vocabulary(distil.teacher, teacher.config.vocab_size, model.config.vocab_size)
    claim(output, model)
    print(f"{len(rows)} prompts, {plan.words('replies')}")
    trainer = Trainer(model, teacher, args=args, train_dataset=prompt_data(rows), processing_class=tokenizer)
    return run(trainer, config, plan, output)
