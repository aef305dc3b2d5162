"""Downloads models of the hub on a machine with internet, for machines of a cluster that share its disk and have none.

    python -m hasp_trainer fetch MODEL…

Takes the files that training and serving read, into the cache of Hugging Face (HF_HOME). Prints a line for each file,
and for each model a last line of JSON: `{"model", "revision", "folder", "bytes"}`. Files that are there are kept, so
the same command resumes; a connection that breaks is taken up again where it broke. A name counts as downloaded once
all of its files are there. `HF_TOKEN` opens models that ask for one.
"""

from __future__ import annotations

import errno
import json
import shutil
from pathlib import Path
from typing import Any

from hasp_trainer.errors import Ending, Failed, Refused
from hasp_trainer.model_folder import check_model
from hasp_trainer.offline import missing_files, needed, snapshot_of

MAIN = "main"


def run(models: list[str]) -> int:
    """Raises Refused and Failed."""
    for model in models:
        folder = Path(model)
        if folder.is_dir():
            check_model(folder)
            tell(model, None, folder.resolve())
            continue
        found = download(model)
        tell(model, found.name, found)
    return 0


def tell(model: str, revision: str | None, folder: Path) -> None:
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    line = {"model": model, "revision": revision, "folder": str(folder), "bytes": size}
    print(json.dumps(line), flush=True)


def download(model: str, quiet: bool = False) -> Path:
    """The folder of a model with all files that are needed, downloaded unless they are there. Raises Refused and Failed."""
    from huggingface_hub import constants

    if constants.HF_HUB_OFFLINE:
        return offline_folder(model)
    try:
        return _download(model, quiet)
    except Ending:
        raise
    except Exception as error:
        raise _trouble(model, error) from error


def offline_folder(model: str) -> Path:
    """Raises Refused where something of the model is missing."""
    missing = missing_files(model)
    folder = snapshot_of(model)
    if missing or folder is None:
        raise Refused(
            f"{model} is not complete on this machine ({', '.join(missing)}), and HF_HUB_OFFLINE forbids a download",
            f"On a machine with internet and the same HF_HOME: python -m hasp_trainer fetch {model}",
        )
    return folder


def _download(model: str, quiet: bool) -> Path:
    from huggingface_hub import HfApi, constants, hf_hub_download

    info = HfApi().model_info(model, revision=MAIN, files_metadata=True)
    sizes = {one.rfilename: one.size or 0 for one in info.siblings or []}
    names = needed(list(sizes))
    if "config.json" not in names or not any(name.endswith((".safetensors", ".bin")) for name in names):
        raise Refused(
            f"{model}: not a model that Transformers reads: config.json or weights are missing",
            "Give the name of a model with safetensors.",
        )
    place = Path(constants.HF_HUB_CACHE) / f"models--{model.replace('/', '--')}"
    folder = place / "snapshots" / str(info.sha)
    _check_space(model, place, sum(sizes[name] for name in names if not (folder / name).exists()))
    for number, name in enumerate(names, 1):
        file = Path(hf_hub_download(model, name, revision=info.sha))
        if not quiet:
            print(f"{number}/{len(names)}  {name}  {file.stat().st_size:,} bytes", flush=True)
    _name(place, str(info.sha))
    return folder


def _name(place: Path, revision: str) -> None:
    """Makes it the revision that is taken without a network, now that all of it is there."""
    ref = place / "refs" / MAIN
    ref.parent.mkdir(parents=True, exist_ok=True)
    part = ref.with_name(f".{MAIN}.part")
    part.write_text(revision)
    part.replace(ref)


def _check_space(model: str, place: Path, size: int) -> None:
    at = next(one for one in (place, *place.absolute().parents) if one.is_dir())
    free = shutil.disk_usage(at).free
    if size > free:
        raise _no_space(model, f"it takes {size / 1e9:,.1f} GB, {free / 1e9:,.1f} GB are free in {at}")


def _no_space(model: str, why: str) -> Failed:
    return Failed(
        f"no space for {model}: {why}", "Free some space, or set HF_HOME to a folder on a larger disk."
    )


def _trouble(model: str, error: Any) -> Ending:
    """An error of the libraries as one of ours."""
    from huggingface_hub import errors

    reason = str(error).strip().partition("\n")[0]
    status = getattr(getattr(error, "response", None), "status_code", None)
    if isinstance(error, errors.GatedRepoError) or status == 403:
        return Refused(
            f"{model}: the hub does not let you have this model (status {status})",
            "Accept its conditions on its page in the hub, and set HF_TOKEN to a token of yours.",
        )
    if isinstance(error, (errors.RepositoryNotFoundError, errors.HFValidationError)) or status == 401:
        return Refused(
            f"{model}: the hub knows no such model, or it is private",
            "Check the name (owner/name); for a private model set HF_TOKEN. A folder must be there.",
        )
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return _no_space(model, reason)
    if status is not None:
        return Failed(f"{model}: the hub answers with status {status}", "Try again: what is there is kept.")
    return Failed(
        f"{model}: the hub cannot be reached, or the connection broke: {type(error).__name__}: {reason}",
        "Check the network (HTTPS_PROXY names a proxy; on a cluster, take a login node), and try again: "
        "files that are complete are kept.",
    )
