"""The folder that an engine is started on: links to a model's files, an adapter's, and settings of our own."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

from hasp_trainer.errors import Failed
from hasp_trainer.model_folder import json_of

LEFT_OUT = frozenset({"generation_config.json", "adapter_config.json", "training_args.bin"})


def ends_of(folder: Path) -> list[int]:
    """The tokens that end a reply: those of the model, and the one that ends a turn of its chat template."""
    ends: list[int] = []
    for file in ("generation_config.json", "config.json"):
        given = json_of(folder / file).get("eos_token_id")
        ends += given if isinstance(given, list) else [] if given is None else [given]
    token = json_of(folder / "tokenizer_config.json").get("eos_token")
    text = token.get("content") if isinstance(token, dict) else token
    for added in json_of(folder / "tokenizer.json").get("added_tokens", []):
        if added.get("content") == text:
            ends.append(added["id"])
    return sorted(set(ends))


def generation_settings(folder: Path) -> dict[str, Any]:
    """Neutral settings: a request alone decides how it is sampled."""
    own = {**json_of(folder / "config.json"), **json_of(folder / "generation_config.json")}
    kept = {key: own[key] for key in ("bos_token_id", "pad_token_id") if own.get(key) is not None}
    ends = ends_of(folder)
    if ends:
        kept["eos_token_id"] = ends
    return {
        **kept,
        "do_sample": True,
        "temperature": 1.0,
        "top_p": 1.0,
        "top_k": 0,
        "repetition_penalty": 1.0,
    }


def link(source: Path, target: Path) -> None:
    """A link where the system makes one, else a copy."""
    for way in (os.symlink, os.link, shutil.copyfile):
        try:
            way(source, target)
        except OSError:
            continue
        return
    raise Failed(f"{source} can be neither linked nor copied", "Free some space in the temporary folder.")


def lay_out(model: Path, adapter: Path | None, target: Path) -> None:
    """A folder of links to the model's files and the adapter's, with settings of our own: both engines read it.

    A model with an adapter in its folder is loaded with it; the path in the adapter's own file, which may be of
    another machine, is not followed then.
    """
    target.mkdir()
    for file in sorted(model.iterdir()):
        if file.is_file() and file.name not in LEFT_OUT and not file.name.startswith("adapter_model."):
            link(file.resolve(), target / file.name)
    if (model / "additional_chat_templates").is_dir():
        shutil.copytree(model / "additional_chat_templates", target / "additional_chat_templates")
    (target / "generation_config.json").write_text(json.dumps(generation_settings(model)), "utf-8")
    for file in sorted(adapter.glob("adapter_*")) if adapter else []:
        link(file.resolve(), target / file.name)
