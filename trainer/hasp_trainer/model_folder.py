"""Model and adapter folders: found, and checked by their files before anything large is read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hasp_trainer.errors import Refused


def local_folder(model: str) -> Path:
    """The model's folder; a hub name is looked up in the cache and, unless offline, downloaded."""
    folder = Path(model)
    if folder.is_dir():
        return folder.resolve()
    if model.startswith((".", "/", "~")) or model.count("/") != 1 or folder.parent.is_dir():
        raise Refused(f"{model} is no folder.", "Give the folder of a model, or its hub name as owner/name.")
    from hasp_trainer.fetch import download

    return download(model, quiet=True)


def json_of(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise Refused(f"{file} cannot be read: {error}", "Save the model anew.") from error
    return found if isinstance(found, dict) else {}


def check_model(folder: Path) -> None:
    if not (folder / "config.json").is_file():
        if (folder / "adapter_config.json").is_file():
            raise Refused(
                f"{folder} is an adapter, not a model.",
                "Give it as --adapter, and its base model as --model.",
            )
        raise Refused(f"{folder} is no model: it has no config.json.", "Give the folder of a model.")
    if not any(folder.glob("tokenizer*")):
        raise Refused(f"{folder} has no tokenizer.", "Save the model's tokenizer beside it.")
    has_template = (
        any(folder.glob("chat_template*"))
        or (folder / "additional_chat_templates").is_dir()
        or json_of(folder / "tokenizer_config.json").get("chat_template") is not None
    )
    if not has_template:
        raise Refused(
            f"The tokenizer of {folder} has no chat template.",
            "Take an instruction-tuned model, or save a chat_template.jinja beside the tokenizer.",
        )


def check_adapter(folder: Path) -> None:
    """A LoRA adapter with weights."""
    if not folder.is_dir():
        raise Refused(f"{folder} is no folder.", "Give the adapter folder of a finished training.")
    config = json_of(folder / "adapter_config.json")
    if not config or not any((folder / f"adapter_model.{end}").is_file() for end in ("safetensors", "bin")):
        raise Refused(
            f"{folder} is no adapter: adapter_config.json or its weights are missing.",
            "Give the adapter folder of a finished training.",
        )
    kind = config.get("peft_type")
    if kind != "LORA":
        raise Refused(f"{folder} is an adapter of kind {kind}.", "Only LoRA adapters are served.")
