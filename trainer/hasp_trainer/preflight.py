"""Says before a training starts whether model, data, batch and length fit: nothing is loaded and nothing is written.

    python -m hasp_trainer preflight CONFIG [--processes P] [--nodes N] [--json]

`P` are the processes, one for each GPU, of each of `N` machines. Prints a report for people, or one JSON object. Ends with 0 where the training fits, else with 2 and what to change.
"""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from hasp_trainer import memory
from hasp_trainer.config import TrainConfig
from hasp_trainer.errors import INPUT
from hasp_trainer.launch import check_gpus
from hasp_trainer.lengths import Lengths, read_lengths
from hasp_trainer.memory import Load, Memory, Shape
from hasp_trainer.model_folder import check_adapter, check_model, local_folder
from hasp_trainer.models import is_bf16, load_tokenizer
from hasp_trainer.prompts import plan_of
from hasp_trainer.teachers import refuse_vocabulary
from hasp_trainer.training import Plan, has_nothing_to_learn

CONTEXT = 700 * 2**20
"""Of the CUDA context and its libraries, which PyTorch does not count as its own; on the CPU, of the interpreter."""
FRAGMENTS = 0.05
"""Share of a peak that is lost between blocks."""
GIB = 2**30
SHOWN = 5
RANK = 16
"""Of an adapter that is proposed: the paper's."""
MOST_ROWS = 4096
"""The largest batch that is tried."""


@dataclass(frozen=True)
class Device:
    """Memory of the card, or without one of the machine, in bytes."""

    name: str
    free: int
    total: int


@dataclass(frozen=True)
class Problem:
    """Why a training does not fit, and what to change."""

    message: str
    next: str


@dataclass(frozen=True)
class Findings:
    """All that is found; sizes are in bytes."""

    config: TrainConfig
    shape: Shape
    lengths: Lengths
    load: Load
    memory: Memory
    device: Device
    plan: Plan
    processes: int
    largest_batch: int
    disk: int
    disk_free: int
    disk_folder: str
    problems: tuple[Problem, ...]

    @property
    def fits(self) -> bool:
        return self.problems == ()


def needed(found: Memory) -> int:
    """Memory that the device must have free for an estimated peak."""
    return round(found.peak * (1 + FRAGMENTS)) + CONTEXT


def device_here(processes: int = 1) -> Device:
    """Memory that each of the processes has."""
    if torch.cuda.is_available():
        free, total = torch.cuda.mem_get_info()
        return Device(torch.cuda.get_device_name(), free, total)
    import psutil

    ram = psutil.virtual_memory()
    limit = group_limit()
    if limit is None:
        limit = ram.total
    free, total = min(ram.available, limit), min(ram.total, limit)
    return Device("the CPU's memory", free // processes, total // processes)


def group_limit() -> int | None:
    """Memory that this process's group may use, as in a container or a cluster's job."""
    try:
        text = Path("/sys/fs/cgroup/memory.max").read_text()
        used = int(Path("/sys/fs/cgroup/memory.current").read_text())
        return None if text.strip() == "max" else max(0, int(text) - used)
    except (OSError, ValueError):
        return None


def plan_for(config: TrainConfig, counts: list[int], processes: int) -> Plan:
    """As the training will make it. Raises Refused where so many processes cannot share it."""
    if config.method in ("distil", "sdft"):
        return plan_of(config, counts, processes)
    lengths = [2 * count for count in counts] if config.method == "dpo" else counts
    return Plan.of(config, lengths, processes)


def load_of(config: TrainConfig, lengths: Lengths, plan: Plan, teacher: Shape | None, processes: int) -> Load:
    reply = lengths.reply
    return Load(
        method=config.method,
        rank=None if config.lora is None else config.lora.rank,
        bf16=is_bf16(config),
        checkpointing=config.gradient_checkpointing,
        batch=plan.batch,
        length=config.max_length if config.packing else lengths.longest,
        reply=reply,
        generated=plan.batch * plan.accumulate if reply > 0 else 0,
        teacher=teacher,
        is_shared=processes > 1,
    )


def largest(shape: Shape, load: Load, free: int, most: int) -> int:
    """The largest batch that fits, up to `most`; 0 where not even one row does."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if needed(memory.estimate(shape, load.with_batch(middle))) <= free:
            low = middle
        else:
            high = middle - 1
    return low


def disk_of(config: TrainConfig, shape: Shape) -> int:
    """Bytes of all checkpoints that are there at the same time, and of the result: weights, and two moments."""
    trained = memory.trained_size(shape, None if config.lora is None else config.lora.rank)
    checkpoint = trained * 3 * memory.FP32
    # A new checkpoint is written before the oldest is removed.
    return checkpoint * (config.keep_checkpoints + 1) + trained * memory.FP32


def free_disk(folder: str) -> tuple[int, str]:
    """Free bytes where `folder` is or will be, and the folder that was asked."""
    at = Path(folder).resolve()
    while not at.exists():
        at = at.parent
    return shutil.disk_usage(at).free, str(at)


def examine(
    config: TrainConfig, device: Device | None = None, processes: int = 1, nodes: int = 1
) -> Findings:
    """`processes` of each machine. Raises Refused for a model, a tokenizer or data that cannot be used at all."""
    check_gpus(processes)
    check_files(config.model)
    if config.adapter is not None:
        check_adapter(Path(config.adapter))
    tokenizer = load_tokenizer(config.model)
    shape = memory.shape_of(config.model)
    teacher = teacher_of(config, shape)
    lengths = read_lengths(config, tokenizer)
    device = device or device_here(processes)
    total = processes * nodes
    plan = plan_for(config, lengths.counts(), total)
    load = load_of(config, lengths, plan, teacher, total)
    found = memory.estimate(shape, load)
    disk, (disk_free, disk_folder) = disk_of(config, shape), free_disk(config.output)
    most = largest(shape, load, device.free, max(MOST_ROWS, plan.batch))
    problems = [
        *length_problems(config, shape, lengths),
        *memory_problems(shape, load, found, device, most),
        *disk_problems(disk, disk_free, disk_folder),
    ]
    return Findings(
        config=config,
        shape=shape,
        lengths=lengths,
        load=load,
        memory=found,
        device=device,
        plan=plan,
        processes=total,
        largest_batch=most,
        disk=disk,
        disk_free=disk_free,
        disk_folder=disk_folder,
        problems=tuple(problems),
    )


def check_files(model: str) -> None:
    """A folder must hold a model; of a hub name only the small files are fetched, by those who read them."""
    if Path(model).exists():
        check_model(local_folder(model))


def teacher_of(config: TrainConfig, student: Shape) -> Shape | None:
    if config.method != "distil" or config.distil is None:
        return None
    check_files(config.distil.teacher)
    teacher = memory.shape_of(config.distil.teacher)
    refuse_vocabulary(config.distil.teacher, teacher.vocabulary, student.vocabulary)
    return teacher


def length_problems(config: TrainConfig, shape: Shape, lengths: Lengths) -> list[Problem]:
    problems = []
    if lengths.too_long:
        places = ", ".join(f"{place} ({count:,})" for place, count in lengths.too_long[:SHOWN])
        more = f" and {len(lengths.too_long) - SHOWN} more" if len(lengths.too_long) > SHOWN else ""
        problems.append(
            Problem(
                f"{len(lengths.too_long)} of {len(lengths.rows)} rows are longer than max_length "
                f"{config.max_length:,}: {places}{more}",
                f"Set max_length to {lengths.longest:,}, or leave these rows out.",
            )
        )
    if min(lengths.longest, config.max_length) > shape.positions:
        problems.append(
            Problem(
                f"The longest row has {lengths.longest:,} tokens, the model takes {shape.positions:,}",
                "Leave the longest rows out, or take a model with a longer context.",
            )
        )
    return problems


def memory_problems(shape: Shape, load: Load, found: Memory, device: Device, most: int) -> list[Problem]:
    if needed(found) <= device.free:
        return []
    return [
        Problem(
            f"{size(needed(found))} are needed, {size(device.free)} of {device.name} are free",
            remedy(shape, load, device.free, most),
        )
    ]


def remedy(shape: Shape, load: Load, free: int, most: int) -> str:
    """The smallest change after which it fits."""
    if most > 0:
        return f"Set batch to {most}: gradient accumulation makes up for it."
    one = load.with_batch(1)
    if not load.checkpointing:
        with_checkpoints = replace(one, checkpointing=True)
        fitting = largest(shape, with_checkpoints, free, load.batch)
        if fitting > 0:
            return f"Set gradient_checkpointing to true, and batch to {fitting}."
    one = replace(one, checkpointing=True)
    if load.rank is None or load.rank > RANK:
        fitting = largest(shape, replace(one, rank=RANK), free, load.batch)
        if fitting > 0:
            how = "Train a LoRA adapter: set" if load.rank is None else "Set"
            return f"{how} lora.rank to {RANK}, with batch {fitting}."
    for length in range(load.length // 256 * 256, 0, -256):
        if needed(memory.estimate(shape, replace(one, length=length, reply=min(one.reply, length)))) <= free:
            return f"Leave out rows of more than {length:,} tokens (max_length), with batch 1."
    if load.teacher is not None and needed(memory.estimate(shape, replace(one, teacher=None))) <= free:
        return "Take a smaller teacher."
    return "Take a smaller model or a larger card."


def disk_problems(disk: int, free: int, folder: str) -> list[Problem]:
    if disk <= free:
        return []
    return [
        Problem(
            f"Checkpoints take {size(disk)}, and {size(free)} are free in {folder}",
            "Free some space, keep fewer checkpoints (keep_checkpoints), or write to another disk (output).",
        )
    ]


def size(count: float) -> str:
    return f"{count / GIB:.1f} GiB" if count >= GIB / 10 else f"{count / 2**20:.0f} MiB"


def as_data(found: Findings) -> dict[str, Any]:
    lengths = found.lengths
    return {
        "schema": "hasp.preflight/1",
        "fits": found.fits,
        "problems": [{"message": one.message, "next": one.next} for one in found.problems],
        "model": {
            "name": found.config.model,
            "parameters": found.shape.parameters,
            "trained": memory.trained_size(found.shape, found.load.rank),
        },
        "data": {
            "rows": len(lengths.rows),
            "tokens": lengths.total,
            "mean": lengths.mean,
            "longest": lengths.longest,
            "longest_at": lengths.longest_at,
            "too_long": [{"place": place, "tokens": count} for place, count in lengths.too_long],
        },
        "steps": found.plan.steps,
        "processes": found.processes,
        "batch": found.load.batch,
        "gradient_accumulation": found.plan.accumulate,
        "tokens_per_step": round(found.plan.step_rows * mean_of(found)),
        "largest_batch": found.largest_batch,
        "memory": {
            "device": found.device.name,
            "free": found.device.free,
            "total": found.device.total,
            "estimated_peak": found.memory.peak,
            "needed": needed(found.memory),
            "parts": found.memory.parts,
        },
        "disk": {"needed": found.disk, "free": found.disk_free, "folder": found.disk_folder},
    }


def mean_of(found: Findings) -> float:
    counts = found.lengths.counts()
    return sum(counts) / len(counts)


def report(found: Findings) -> str:
    data = as_data(found)
    config, lengths, parts = found.config, found.lengths, found.memory.parts
    trained = data["model"]["trained"]
    how = "all weights" if config.lora is None else f"LoRA rank {config.lora.rank}"
    kind = "bf16" if found.load.bf16 else "fp32"
    checkpointing = "with" if found.load.checkpointing else "without"
    shared = f" on each of {found.processes} processes" if found.processes > 1 else ""
    listed = ", ".join(f"{name} {size(count)}" for name, count in parts.items() if count > 0)
    lines = [
        ("Model", f"{config.model}: {millions(found.shape.parameters)} parameters, {kind}"),
        ("Trained", f"{millions(trained)} ({how})"),
        (
            "Data",
            f"{len(lengths.rows):,} rows, {lengths.total:,} tokens: mean {lengths.mean:,.0f}, "
            f"longest {lengths.longest:,} ({lengths.longest_at})",
        ),
        (
            "Steps",
            f"{found.plan.steps:,} optimizer steps of about {data['tokens_per_step']:,} tokens: "
            f"batch {found.load.batch} x {found.plan.accumulate}{shared}",
        ),
        (
            "Memory",
            f"estimated peak {size(found.memory.peak)} {checkpointing} gradient checkpointing: {listed}",
        ),
        ("Needed", f"{size(needed(found.memory))}, of {size(found.device.free)} free"),
        ("Device", f"{found.device.name}, {size(found.device.total)}"),
        ("Disk", f"{size(found.disk)} for checkpoints, {size(found.disk_free)} free in {found.disk_folder}"),
        ("Largest", largest_words(found.largest_batch)),
    ]
    return "\n".join(f"{name:<9}{text}" for name, text in lines)


def largest_words(batch: int) -> str:
    if batch == 0:
        return "no batch fits"
    return f"a batch of {batch:,} fits" if batch < MOST_ROWS else f"a batch of {MOST_ROWS:,} and more fits"


def millions(count: int) -> str:
    return f"{count / 1e9:.2f} B" if count >= 1e9 else f"{count / 1e6:.2f} M"


def run(config: TrainConfig, as_json: bool, processes: int = 1, nodes: int = 1) -> int:
    if has_nothing_to_learn(config):
        nothing = {"schema": "hasp.preflight/1", "fits": True, "problems": [], "data": {"rows": 0}}
        print(json.dumps(nothing, indent=2) if as_json else "no row: the student stays as it was\nfits")
        return 0
    found = examine(config, processes=processes, nodes=nodes)
    if as_json:
        print(json.dumps(as_data(found), indent=2))
    else:
        print(report(found))
        print("fits" if found.fits else "does not fit")
    for one in found.problems:
        print(f"error: {one.message}\nnext: {one.next}", file=sys.stderr)
    return 0 if found.fits else INPUT
