"""A tokenizer and a model small enough for tests: made here, so nothing is downloaded."""

from __future__ import annotations

from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

START, END, PAD = "<|im_start|>", "<|im_end|>", "<|pad|>"
CHAT_TEMPLATE = (
    "{% for one in messages %}<|im_start|>{{ one.role }}\n{{ one.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def tiny_tokenizer() -> PreTrainedTokenizerFast:
    """One token for each byte, so that any text survives and nothing has to be learned."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE({byte: i for i, byte in enumerate(alphabet)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([START, END, PAD])
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token=END, pad_token=PAD, chat_template=CHAT_TEMPLATE
    )


def tiny_model(vocabulary: int, seed: int = 0) -> Qwen2ForCausalLM:
    torch.manual_seed(seed)
    config = Qwen2Config(
        vocab_size=vocabulary,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=32768,
    )
    return Qwen2ForCausalLM(config)


def save_tiny_model(folder: str, tokenizer: PreTrainedTokenizerFast, seed: int = 0) -> None:
    tiny_model(len(tokenizer), seed).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def three_steps(folder: Any) -> dict[str, Any]:
    """Settings that TRL's trainers share: three steps on the CPU, with a log of each and no checkpoint."""
    return {
        "output_dir": str(folder),
        "per_device_train_batch_size": 2,
        "max_steps": 3,
        "learning_rate": 1e-2,
        "bf16": False,
        "use_cpu": True,
        "dataloader_pin_memory": False,
        "gradient_checkpointing": False,
        "logging_steps": 1,
        "report_to": "none",
        "save_strategy": "no",
        "disable_tqdm": True,
    }
