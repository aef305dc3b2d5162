"""The output folder of a training: whose it is, if it is done, and what the iterations before it add up to.

    train.json             the config as it was read, a hash of it, and hashes of the files it reads
    checkpoints/           checkpoint-N, each complete
    metrics.jsonl          one line every few steps
    adapter/               the LoRA adapter, or the whole model where all weights are trained
    result.json            last of all: the training is done

Nothing is ever half-written: a file or folder is made under another name, and renamed when it is complete.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hasp_trainer.config import TrainConfig
from hasp_trainer.errors import Refused

UNBOUND = ("output", "save_every", "keep_checkpoints")
"""Keys that may differ when a training resumes: they do not change its numbers."""


@dataclass(frozen=True)
class Totals:
    """Optimizer steps and tokens of the iterations before this one."""

    steps: int = 0
    tokens: int = 0


@dataclass(frozen=True)
class Output:
    """An output folder that this config may use."""

    folder: Path
    before: Totals
    # What train.json says or will say.
    identity: dict[str, Any]
    is_done: bool

    @property
    def checkpoints(self) -> Path:
        return self.folder / "checkpoints"

    @property
    def metrics(self) -> Path:
        return self.folder / "metrics.jsonl"

    def claim(self) -> None:
        """Makes the folder and its train.json, once all input has been found good. Raises Refused."""
        try:
            self.checkpoints.mkdir(parents=True, exist_ok=True)
            write_json(self.folder / "train.json", self.identity)
        except OSError as error:
            raise Refused(
                f"{self.folder}: {error.strerror}", "Give an output folder that can be written."
            ) from error


def open_output(config: TrainConfig) -> Output:
    """The config's output folder, which is new, or of the same config. Writes nothing. Raises Refused."""
    folder = Path(config.output)
    before = _totals(config.after)
    identity = _identity(config, before)
    if folder.exists() and not folder.is_dir():
        raise Refused(f"{folder}: a file, not a folder", "Give an output folder that is new or empty.")
    known = _read_json(folder / "train.json")
    if known is None:
        if (folder / "result.json").exists() or any((folder / "checkpoints").glob("checkpoint-*")):
            raise Refused(
                f"{folder}: has a training's files but no train.json, so whose they are is unknown",
                "Choose another output folder, or move these files away.",
            )
        return Output(folder, before, identity, is_done=False)
    if known.get("hash") != identity["hash"]:
        raise Refused(
            f"{folder}: belongs to another training: {_difference(known, identity)}",
            "Choose another output folder, or move that one away to begin anew.",
        )
    return Output(folder, before, identity, is_done=(folder / "result.json").is_file())


def _identity(config: TrainConfig, before: Totals) -> dict[str, Any]:
    inputs = {file: _digest(Path(file)) for file in config.data}
    if config.adapter is not None:
        inputs[config.adapter] = _digest(Path(config.adapter) / "adapter_model.safetensors")
    data = config.as_data()
    bound = {key: value for key, value in data.items() if key not in UNBOUND}
    text = json.dumps([bound, inputs, before.steps, before.tokens], sort_keys=True)
    return {
        "schema": "hasp.train/1",
        "hash": hashlib.sha256(text.encode()).hexdigest(),
        "config": data,
        "inputs": inputs,
    }


def _digest(file: Path) -> str | None:
    """Null where there is no such file: what reads it says so better."""
    try:
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return None


def _difference(known: dict[str, Any], wanted: dict[str, Any]) -> str:
    there, here = known.get("config", {}), wanted["config"]
    keys = [key for key in here if key not in UNBOUND and there.get(key) != here[key]]
    if keys:
        shown = [
            f"{key} is {json.dumps(there.get(key))} there and {json.dumps(here[key])} here"
            for key in keys[:3]
        ]
        return "; ".join(shown)
    files = [name for name, digest in wanted["inputs"].items() if known.get("inputs", {}).get(name) != digest]
    return f"{', '.join(files)} has changed" if files else "the iterations before it have changed"


def _totals(after: str | None) -> Totals:
    if after is None:
        return Totals()
    file = Path(after) / "result.json"
    found = _read_json(file)
    if found is None:
        raise Refused(
            f"{after}: not the output of a training that is done: it has no result.json",
            "Finish that training first, or set after to the output folder of the iteration before.",
        )
    steps, tokens = found.get("total_steps"), found.get("total_tokens")
    if not isinstance(steps, int) or not isinstance(tokens, int):
        raise Refused(
            f"{file}: has no total_steps and total_tokens", "Set after to a training's output folder."
        )
    return Totals(steps, tokens)


def _read_json(file: Path) -> dict[str, Any] | None:
    """Null where there is no such file. Raises Refused."""
    try:
        data = json.loads(file.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise Refused(
            f"{file}: cannot be read: {error}", "Move that file away, or choose another folder."
        ) from error
    if not isinstance(data, dict):
        raise Refused(f"{file}: not an object", "Move that file away, or choose another folder.")
    return data


def write_json(file: Path, data: Any) -> None:
    """In one step: whoever reads the file sees all of it."""
    part = file.with_name(f".{file.name}.part")
    try:
        with part.open("w", encoding="utf-8") as stream:
            stream.write(json.dumps(data, indent=2, ensure_ascii=False) + "\n")
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def write_folder(folder: Path, fill: Callable[[Path], None]) -> None:
    """In one step: `fill` writes into a folder of another name, which replaces `folder` when it is complete."""
    part = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        part.mkdir(parents=True)
        fill(part)
        sync(part)
        shutil.rmtree(folder, ignore_errors=True)
        part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def sync(folder: Path) -> None:
    """Has the disk write the folder's files, so that a power cut after a rename loses none."""
    for file in folder.rglob("*"):
        if file.is_file():
            # Windows syncs only a file that is open for writing.
            descriptor = os.open(file, os.O_RDWR)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
