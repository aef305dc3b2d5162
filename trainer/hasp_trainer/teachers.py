"""Local teachers: found to fit the student, and loaded frozen."""

from __future__ import annotations

from typing import Any

import torch
from transformers import AutoModelForCausalLM

from hasp_trainer.errors import Refused


def refuse_vocabulary(name: str, teacher: int, student: int) -> None:
    """Distributions over different tokens cannot be compared. Raises Refused."""
    if teacher != student:
        raise Refused(
            f"{name}: the teacher has a vocabulary of {teacher} tokens, the student of {student}",
            "Take a teacher of the student's family, with the same tokenizer.",
        )


def load_teacher(name: str, bf16: bool) -> Any:
    """Raises Refused."""
    try:
        model = AutoModelForCausalLM.from_pretrained(
            name, dtype=torch.bfloat16 if bf16 else torch.float32, trust_remote_code=False
        )
    except (OSError, ValueError, KeyError) as error:
        message = str(error).strip().partition("\n")[0]
        raise Refused(
            f"{name}: the teacher cannot be loaded: {message}",
            "Give the folder of a model, or the name of one on the hub, as distil.teacher.",
        ) from error
    model.requires_grad_(False)
    return model.eval()
