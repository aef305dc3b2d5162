"""Models of the hub that are on this machine: where, and whether all files are there that training and serving read."""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath

WEIGHTS = ("model", "pytorch_model")
"""Names of weights that Transformers reads, safetensors first."""


def needed(names: list[str]) -> list[str]:
    """Of the files of a model, those that training and serving read: settings, tokenizer and one form of the weights."""
    top = [name for name in names if "/" not in name]
    settings = [
        name
        for name in top
        if name.endswith((".json", ".jinja", ".model", ".tiktoken"))
        and not name.endswith(".index.json")
        or name in ("merges.txt", "vocab.txt")
    ]
    templates = [name for name in names if name.startswith("additional_chat_templates/")]
    return sorted([*settings, *templates, *weights(top)])


def weights(top: list[str]) -> list[str]:
    """The weights with their index. Other forms of the same, as `.bin` beside safetensors, are left out."""
    for stem, end in zip(WEIGHTS, (".safetensors", ".bin"), strict=True):
        found = [
            name
            for name in top
            if PurePosixPath(name).name.startswith(stem) and name.endswith((end, f"{end}.index.json"))
        ]
        if found:
            return found
    return [name for name in top if name.endswith(".safetensors")]


def snapshot_of(model: str) -> Path | None:
    """The folder of a model of the hub in the cache (HF_HOME), at the revision that was downloaded last."""
    from huggingface_hub import constants

    place = Path(constants.HF_HUB_CACHE) / f"models--{model.replace('/', '--')}"
    try:
        revision = (place / "refs" / "main").read_text().strip()
    except OSError:
        return None
    folder = place / "snapshots" / revision
    return folder if folder.is_dir() else None


def missing_files(model: str) -> tuple[str, ...]:
    """What a folder, or a name in the hub, lacks here; nothing where the model can be loaded without a network."""
    folder = Path(model) if Path(model).is_dir() else snapshot_of(model)
    if folder is None:
        return ("it was not downloaded to HF_HOME",)
    missing = [] if (folder / "config.json").is_file() else ["config.json"]
    if not any(folder.glob("tokenizer*")):
        missing.append("a tokenizer")
    return (*missing, *missing_weights(folder))


def missing_weights(folder: Path) -> list[str]:
    """Raises nothing: an index that cannot be read is a file that is missing."""
    for stem, end in zip(WEIGHTS, (".safetensors", ".bin"), strict=True):
        if (folder / f"{stem}{end}").is_file():
            return []
        index = folder / f"{stem}{end}.index.json"
        if index.is_file():
            try:
                parts = sorted(set(json.loads(index.read_text("utf-8"))["weight_map"].values()))
            except (OSError, ValueError, KeyError, AttributeError):
                return [index.name]
            return [part for part in parts if not (folder / part).is_file()]
    return ["its weights"]
