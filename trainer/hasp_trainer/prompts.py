"""Prompts of rows that a student answers itself while it trains: for distillation and self-distillation."""

from __future__ import annotations

from typing import Any

from jinja2 import TemplateError

from hasp_trainer.errors import Refused
from hasp_trainer.rows import Messages


def prompt_ids(tokenizer: Any, messages: Messages, place: str) -> list[int]:
    """Tokens of a prompt, open for a reply. Raises Refused."""
    try:
        return tokenizer.apply_chat_template(
            messages, add_generation_prompt=True, tokenize=True, return_dict=True
        )["input_ids"]
    except TemplateError as error:
        raise Refused(
            f"{place}: the model's chat template refuses the messages: {error}",
            "Use a model whose chat template takes these roles, or correct that line.",
        ) from error
