"""Says whether a machine can train: its Python, PyTorch, GPU driver and GPUs, and a model where it has no network.

    python -m hasp_trainer preflight --machine [--folder FOLDER] [--model MODEL] [--json]

Ends with 0 where it can, else with 2, and for each reason two lines, `error: …` and `next: …`.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hasp_trainer.errors import INPUT
from hasp_trainer.node_path import node_path
from hasp_trainer.offline import missing_files

LEAST_DRIVERS = {11: 450, 12: 525, 13: 580}
"""By CUDA's major version, the least major version of a driver for Linux that runs its programs."""
QUERY = "driver_version,name,memory.total,compute_cap"
PATIENCE_SECONDS = 30
LEAST_NODE = 22


@dataclass(frozen=True)
class Gpu:
    """`memory` is in bytes."""

    name: str
    memory: int
    # Compute capability, such as 8.0; bf16 needs that or more.
    capability: str

    @property
    def has_bf16(self) -> bool:
        return float(self.capability or 0) >= 8


@dataclass(frozen=True)
class Smi:
    """The answer of nvidia-smi."""

    driver: str | None = None
    gpus: tuple[Gpu, ...] = ()
    # Its own words, where it has failed.
    trouble: str | None = None


@dataclass(frozen=True)
class Torch:
    """PyTorch as it is installed; `cuda` is the version of CUDA that it was built for, `fault` why it does not load."""

    version: str | None
    cuda: str | None
    gpus: tuple[Gpu, ...] = ()
    fault: str | None = None


@dataclass(frozen=True)
class Facts:
    """A machine, as far as a training depends on it."""

    python: str
    torch: Torch
    # None where there is no nvidia-smi.
    smi: Smi | None
    # CUDA_VISIBLE_DEVICES, where it is set.
    visible: str | None
    # With its free bytes; None where it cannot be written.
    folder: str
    free: int | None
    # A model that is asked for, and the files of it that are missing.
    model: str | None
    missing: tuple[str, ...]
    node: str | None
    node_version: str | None


@dataclass(frozen=True)
class Problem:
    message: str
    next: str


def read_smi(code: int, text: str) -> Smi:
    """Of `nvidia-smi --query-gpu=… --format=csv,noheader,nounits`: its exit code and its output."""
    lines = [line.strip() for line in text.splitlines() if line.strip() != ""]
    if code != 0 or lines == [] or "No devices" in lines[0]:
        return Smi(trouble=" ".join(lines)[:300] or f"exit code {code}")
    gpus, driver = [], None
    for line in lines:
        fields = [field.strip() for field in line.split(",")]
        if len(fields) != 4 or re.fullmatch(r"[\d.]+", fields[0]) is None:
            return Smi(trouble=line[:300])
        driver = fields[0]
        memory = int(fields[2]) * 2**20 if fields[2].isdigit() else 0
        gpus.append(Gpu(fields[1], memory, fields[3] if re.fullmatch(r"\d+\.\d+", fields[3]) else ""))
    return Smi(driver, tuple(gpus))


def gpu_problem(facts: Facts) -> Problem | None:
    """Why PyTorch has no GPU here; nothing where it has one."""
    found, smi = facts.torch, facts.smi
    if found.gpus:
        return None
    if facts.visible is not None and facts.visible.strip() in ("", "-1", "NoDevFiles"):
        return Problem(
            f"CUDA_VISIBLE_DEVICES is {facts.visible.strip() or 'empty'}, so no GPU is visible",
            "Ask the cluster for a GPU (such as --gres=gpu:1), or unset the variable.",
        )
    if found.cuda is None:
        return Problem(
            f"PyTorch {found.version} is built for the CPU alone",
            "Run hasp trainer install on this machine, or install a build of PyTorch for CUDA.",
        )
    if smi is None:
        return Problem(
            "there is no GPU driver (no nvidia-smi)",
            "Run this on a machine with a GPU: login nodes of a cluster often have none.",
        )
    if smi.driver is None:
        return Problem(
            f"the GPU driver does not answer: {smi.trouble}",
            "Take another machine, or tell its administrator; a restart often helps after an update.",
        )
    least = LEAST_DRIVERS.get(int(found.cuda.partition(".")[0]))
    if least is not None and int(smi.driver.partition(".")[0]) < least:
        return Problem(
            f"the GPU driver {smi.driver} is too old for PyTorch {found.version}, which is built for CUDA {found.cuda}",
            f"Take a machine with a driver of {least} or later, or install a build of PyTorch for an older CUDA.",
        )
    if facts.visible is not None:
        return Problem(
            f"PyTorch sees none of the GPUs that CUDA_VISIBLE_DEVICES names ({facts.visible})",
            f"The machine has {len(smi.gpus)}, numbered from 0: correct the variable, or unset it.",
        )
    return Problem(
        f"PyTorch {found.version} finds no GPU, though driver {smi.driver} has {len(smi.gpus)}",
        "Run python -c 'import torch; torch.cuda.init()' in this environment, and read its error.",
    )


def is_recent_node(version: str | None) -> bool:
    found = re.match(r"v(\d+)\.", version or "")
    return found is not None and int(found[1]) >= LEAST_NODE


def problems_of(facts: Facts) -> list[Problem]:
    """All that keeps this machine from training."""
    found: list[Problem | None] = []
    if sys.version_info < (3, 11):
        found.append(Problem(f"Python is {facts.python}", "Take Python 3.11 or later."))
    if facts.torch.fault is not None:
        why = facts.torch.fault
        found.append(Problem(f"PyTorch cannot be loaded: {why}", "Run hasp trainer install on this machine."))
    else:
        found.append(gpu_problem(facts))
    if facts.free is None:
        message = f"{facts.folder} cannot be written"
        found.append(Problem(message, "Name a folder of yours on a disk of this machine with --folder."))
    if facts.missing:
        found.append(
            Problem(
                f"{facts.model} is not complete on this machine: {', '.join(facts.missing[:3])}",
                f"On a machine with internet and the same HF_HOME: python -m hasp_trainer fetch {facts.model}",
            )
        )
    if not is_recent_node(facts.node_version):
        found.append(
            Problem(
                f"Node.js is {facts.node_version or 'missing'}; the command hasp needs {LEAST_NODE} or later",
                "Run hasp trainer install again, or install the extra `node` of hasp-trainer.",
            )
        )
    return [one for one in found if one is not None]


# ---- this machine ----


def output_of(command: list[str]) -> tuple[int, str] | None:
    """Exit code and output; nothing where there is no such program."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=PATIENCE_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return 1, f"no answer within {PATIENCE_SECONDS} s"
    except OSError:
        return None
    return done.returncode, done.stdout.decode("utf-8", "replace")


def smi_here() -> Smi | None:
    found = output_of(["nvidia-smi", f"--query-gpu={QUERY}", "--format=csv,noheader,nounits"])
    return None if found is None else read_smi(*found)


def torch_here() -> Torch:
    try:
        import torch
    except Exception as error:
        return Torch(None, None, fault=f"{type(error).__name__}: {error}"[:300])
    gpus = []
    if torch.cuda.is_available():
        for number in range(torch.cuda.device_count()):
            one = torch.cuda.get_device_properties(number)
            gpus.append(Gpu(one.name, one.total_memory, f"{one.major}.{one.minor}"))
    return Torch(torch.__version__, torch.version.cuda, tuple(gpus))


def node_version(node: Path | str | None) -> str | None:
    found = None if node is None else output_of([str(node), "--version"])
    return found[1].strip() if found is not None and found[0] == 0 else None


def free_of(folder: Path) -> int | None:
    """Free bytes where the folder is or will be; nothing where nothing can be written there."""
    at = folder.absolute()
    while not at.exists():
        at = at.parent
    return shutil.disk_usage(at).free if at.is_dir() and os.access(at, os.W_OK) else None


def facts_here(folder: str, model: str | None) -> Facts:
    node = node_path() or shutil.which("node")
    return Facts(
        python=platform.python_version(),
        torch=torch_here(),
        smi=smi_here(),
        visible=os.environ.get("CUDA_VISIBLE_DEVICES"),
        folder=folder,
        free=free_of(Path(folder)),
        model=model,
        missing=() if model is None else missing_files(model),
        node=None if node is None else str(node),
        node_version=node_version(node),
    )


def as_data(facts: Facts, problems: list[Problem]) -> dict[str, Any]:
    return {
        "schema": "hasp.machine/1",
        "fits": problems == [],
        "problems": [asdict(one) for one in problems],
        "python": {"version": facts.python, "path": sys.executable},
        "torch": {"version": facts.torch.version, "cuda": facts.torch.cuda},
        "driver": facts.smi.driver if facts.smi is not None else None,
        "gpus": [{**asdict(one), "bf16": one.has_bf16} for one in facts.torch.gpus],
        "disk": {"folder": facts.folder, "free": facts.free},
        "model": None if facts.model is None else {"name": facts.model, "missing": list(facts.missing)},
        "node": {"path": facts.node, "version": facts.node_version},
    }


def report(facts: Facts) -> str:
    smi = facts.smi
    driver = "none" if smi is None else smi.driver or "does not answer"
    lines = [
        ("Python", f"{facts.python} ({sys.executable})"),
        ("PyTorch", f"{facts.torch.version or 'none'}, for {cuda_words(facts.torch)}"),
        ("Driver", driver),
        ("Node.js", facts.node_version or "none"),
        ("Disk", f"{'not writable' if facts.free is None else gigabytes(facts.free)} in {facts.folder}"),
    ]
    for one in facts.torch.gpus:
        bf16 = "bf16" if one.has_bf16 else "no bf16"
        lines.append(("GPU", f"{one.name}, {gigabytes(one.memory)}, capability {one.capability}, {bf16}"))
    if facts.model is not None:
        lines.append(("Model", f"{facts.model}: {'incomplete' if facts.missing else 'complete'}"))
    return "\n".join(f"{name:<9}{text}" for name, text in lines)


def cuda_words(found: Torch) -> str:
    return "the CPU" if found.cuda is None else f"CUDA {found.cuda}"


def gigabytes(count: int) -> str:
    return f"{count / 1e9:,.1f} GB"


def run(folder: str, model: str | None, as_json: bool) -> int:
    facts = facts_here(folder, model)
    problems = problems_of(facts)
    if as_json:
        print(json.dumps(as_data(facts, problems), indent=2))
    else:
        print(report(facts))
    for one in problems:
        print(f"error: {one.message}\nnext: {one.next}", file=sys.stderr)
    return 0 if problems == [] else INPUT
