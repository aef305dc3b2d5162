"""Tiny models with random weights, their tokenizer and an adapter, for tests of the tools: all made here, no network."""

from __future__ import annotations

from pathlib import Path

import torch
from peft import LoraConfig, get_peft_model
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

START, END, PAD = "<|im_start|>", "<|im_end|>", "<|pad|>"
TEMPLATE = (
    "{% for one in messages %}<|im_start|> {{ one.role }} {{ one.content }} <|im_end|> {% endfor %}"
    "{% if add_generation_prompt %}<|im_start|> assistant {% endif %}"
)
ROLES = ["system", "user", "assistant"]
WORDS = [f"w{number}" for number in range(50)]


def tokenizer() -> PreTrainedTokenizerFast:
    """A word a token."""
    vocabulary = {word: place for place, word in enumerate([PAD, START, END, "<unk>", *ROLES, *WORDS])}
    words = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    made = PreTrainedTokenizerFast(tokenizer_object=words, eos_token=END, pad_token=PAD, unk_token="<unk>")
    made.add_special_tokens({"additional_special_tokens": [START]})
    made.chat_template = TEMPLATE
    return made


def model(seed: int = 0, hidden: int = 32, layers: int = 2) -> LlamaForCausalLM:
    torch.manual_seed(seed)
    words = tokenizer()
    config = LlamaConfig(
        vocab_size=len(words),
        hidden_size=hidden,
        intermediate_size=2 * hidden,
        num_hidden_layers=layers,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=512,
        eos_token_id=words.eos_token_id,
        pad_token_id=words.pad_token_id,
        bos_token_id=None,
        initializer_range=0.5,
    )
    return LlamaForCausalLM(config)


def save_model(folder: Path, seed: int = 0) -> Path:
    model(seed).save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    return folder


def save_adapter(folder: Path, base: Path, seed: int = 1) -> Path:
    """An adapter with weights that change the output, as if trained."""
    torch.manual_seed(seed)
    adapted = get_peft_model(
        LlamaForCausalLM.from_pretrained(base),
        LoraConfig(r=4, lora_alpha=8, target_modules="all-linear", task_type="CAUSAL_LM"),
    )
    for name, weight in adapted.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(weight, std=0.5)
    adapted.save_pretrained(folder)
    return folder
