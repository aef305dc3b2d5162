"""Loads the student: model, tokenizer and adapter, and says what is missing before anything is written.

The libraries raise errors of many kinds for files that are missing or broken; each is a refusal here.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoModelForCausalLM, AutoTokenizer

from hasp_trainer.config import TrainConfig
from hasp_trainer.errors import Refused


def is_bf16(config: TrainConfig) -> bool:
    """Whether the forward pass runs in bf16: by default on a GPU that has it."""
    if config.precision == "auto":
        return torch.cuda.is_available() and torch.cuda.is_bf16_supported()
    return config.precision == "bf16"


def load_tokenizer(model: str) -> Any:
    """The tokenizer of a model, with a chat template and a token for padding. Raises Refused."""
    _refuse_folder(model)
    try:
        tokenizer = AutoTokenizer.from_pretrained(model, trust_remote_code=False)
    except Exception as error:
        raise _not_loaded(model, "tokenizer", error) from error
    if not tokenizer.chat_template:
        raise Refused(
            f"{model}: the tokenizer has no chat template, so messages cannot be written as the model reads them",
            "Use the instruct variant of the model, or add a chat_template.jinja to its folder.",
        )
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    if tokenizer.pad_token is None:
        raise Refused(
            f"{model}: the tokenizer has no pad or end token", "Set pad_token in its tokenizer_config.json."
        )
    return tokenizer


def load_student(config: TrainConfig) -> Any:
    """The model to train: with a fresh LoRA adapter, with the config's adapter, or itself. Raises Refused.

    With LoRA in bf16 the frozen weights are bf16 and the adapter's fp32; where all weights are trained they are fp32.
    """
    dtype = torch.bfloat16 if is_bf16(config) and config.lora is not None else torch.float32
    _refuse_folder(config.model)
    try:
        model = AutoModelForCausalLM.from_pretrained(config.model, dtype=dtype, trust_remote_code=False)
    except Exception as error:
        raise _not_loaded(config.model, "model", error) from error
    if config.lora is None:
        return model
    if config.adapter is not None:
        return _with_adapter(model, config)
    lora = config.lora
    torch.manual_seed(config.seed)
    return get_peft_model(
        model,
        LoraConfig(
            r=lora.rank,
            lora_alpha=lora.alpha,
            lora_dropout=lora.dropout,
            target_modules="all-linear",
            task_type="CAUSAL_LM",
        ),
    )


def _with_adapter(model: Any, config: TrainConfig) -> Any:
    folder = Path(config.adapter)
    file = folder / "adapter_config.json"
    try:
        found = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise Refused(
            f"{folder}: not an adapter (no adapter_config.json that can be read)",
            "Give the folder adapter/ of an earlier training's output.",
        ) from error
    rank, alpha = found.get("r"), found.get("lora_alpha")
    if (rank, alpha) != (config.lora.rank, config.lora.alpha):
        raise Refused(
            f"{folder}: the adapter has rank {rank} and alpha {alpha}, "
            f"the train config {config.lora.rank} and {config.lora.alpha:g}",
            "Set lora.rank and lora.alpha to the adapter's.",
        )
    try:
        return PeftModel.from_pretrained(model, str(folder), is_trainable=True)
    except Exception as error:
        message = str(error).strip().partition("\n")[0]
        raise Refused(
            f"{folder}: the adapter does not fit {config.model}: {message}",
            "Name the model that the adapter was trained on.",
        ) from error


def _refuse_folder(model: str) -> None:
    folder = Path(model)
    # A hub name has the form owner/name and no folder of that path here.
    if folder.exists():
        if not folder.is_dir():
            raise Refused(f"{model}: a file, not a model folder", "Give the folder with config.json.")
        if not (folder / "config.json").is_file():
            raise Refused(
                f"{model}: not a model folder: it has no config.json",
                "Give a folder that save_pretrained wrote, or the name of a model on the hub.",
            )
    elif folder.is_absolute() or model.startswith(".") or model.count("/") > 1:
        raise Refused(f"{model}: no such folder", "Give the folder of a model, or its name on the hub.")


def _not_loaded(model: str, part: str, error: Exception) -> Refused:
    message = str(error).strip().partition("\n")[0]
    if Path(model).is_dir():
        return Refused(
            f"{model}: the {part} cannot be loaded: {message}", "Download or save the model again."
        )
    return Refused(
        f"{model}: not in the local cache, and the hub cannot be asked or does not have it: {message}",
        "Check the name; offline, give a model folder, or download it first, on a machine with internet and the "
        f"same HF_HOME: python -m hasp_trainer fetch {model}",
    )
