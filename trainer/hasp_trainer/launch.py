"""Starts a training in several processes, one for each GPU, on this machine or on each of several.

    python -m hasp_trainer launch --processes 4 sft CONFIG
    python -m hasp_trainer launch --processes 4 --nodes 2 --node 0 --address HOST --port 29500 sft CONFIG

On several machines the command is started once on each, with its number; SLURM's `srun` gives it. Signals are passed
on; when a process fails, the others are ended. The exit code is that of the training: 0 done, 75 stopped after a
checkpoint, else that of the process that failed first. (`accelerate launch` makes 1 of every code but 0, and kills after 30 seconds whoever is still
writing a checkpoint.)
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from types import FrameType
from typing import NamedTuple

from hasp_trainer.errors import FAILURE, STOPPED, Failed, Refused
from hasp_trainer.parent import die_with_parent
from hasp_trainer.signals import ANSWERED

CRASHES = {-signal.SIGKILL, -signal.SIGSEGV, -signal.SIGBUS, -signal.SIGILL, -signal.SIGFPE}
"""Exit codes of a process that crashed by itself. (By SIGABRT NCCL ends one whose peer is gone.)"""
POLL_SECONDS = 0.1
ALONE_SECONDS = 5.0
"""Until processes are asked to end, after one has failed: most find out by themselves, and say it better."""
KILL_SECONDS = 15.0
"""After that: a process that waits for one that is gone hears no signal."""


class Place(NamedTuple):
    """Processes of each machine, and this one among the machines."""

    processes: int
    nodes: int = 1
    node: int = 0
    address: str = "127.0.0.1"
    port: int = 0

    @property
    def total(self) -> int:
        return self.processes * self.nodes


def node_of(args: argparse.Namespace) -> int:
    """The number of this machine: as given, else that of the task that SLURM has started on it."""
    if args.node is not None:
        return args.node
    text = os.environ.get("SLURM_PROCID", "0")
    return int(text) if args.nodes > 1 and text.isdigit() else 0


def place_of(args: argparse.Namespace) -> Place:
    """Raises Refused."""
    place = Place(args.processes, args.nodes, node_of(args), args.address, args.port)
    if place.processes < 1 or place.nodes < 1:
        raise Refused("--processes and --nodes are numbers of 1 or more", "Give how many GPUs are to train.")
    if not 0 <= place.node < place.nodes:
        raise Refused(f"--node is {place.node}, of {place.nodes}", "Give the number of this machine, from 0.")
    if place.nodes > 1 and place.port == 0:
        raise Refused(
            "--port is missing: several machines need one to meet at",
            "Give the same free port on each, with --address of the first.",
        )
    return place


def check_gpus(processes: int) -> None:
    """Raises Refused where there are GPUs, but fewer than processes."""
    import torch

    count = torch.cuda.device_count()
    if 0 < count < processes:
        raise Refused(
            f"{processes} processes need as many GPUs, and this machine shows {count}",
            f"Take {count} processes, or ask for more GPUs (CUDA_VISIBLE_DEVICES may hide some).",
        )


def variables(place: Place, local_rank: int, port: int) -> dict[str, str]:
    """By which PyTorch and Accelerate know a process's place."""
    return {
        "RANK": str(place.node * place.processes + local_rank),
        "WORLD_SIZE": str(place.total),
        "LOCAL_RANK": str(local_rank),
        "LOCAL_WORLD_SIZE": str(place.processes),
        "MASTER_ADDR": place.address,
        "MASTER_PORT": str(port),
    }


class Worker:
    """A process of the training. What it prints to stderr is passed on, its last error is kept until the end."""

    def __init__(self, rank: int, command: list[str], env: dict[str, str]) -> None:
        self.rank = rank
        self.errors: list[str] = []
        self.code: int | None = None
        self.process = subprocess.Popen(
            command,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=None if rank == 0 else subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            preexec_fn=die_with_parent if sys.platform == "linux" else None,
        )
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self) -> None:
        for raw in self.process.stderr or ():
            line = raw.decode("utf-8", "replace").rstrip("\n")
            if line.startswith(("error: ", "next: ")):
                self.errors.append(line)
            else:
                prefix = "" if self.rank == 0 else f"[process {self.rank}] "
                print(f"{prefix}{line}", file=sys.stderr, flush=True)

    def has_ended(self) -> bool:
        self.code = self.process.poll()
        return self.code is not None

    def signal(self, number: int) -> None:
        if self.process.poll() is None:
            self.process.send_signal(number)


def cause_of(failed: list[Worker]) -> Worker:
    """Of several that failed at once: one that crashed, as its peers only report a broken connection; else one
    that says why."""
    return max(failed, key=lambda one: (one.code in CRASHES, one.errors != [], -one.rank))


class Launcher:
    """The workers of this machine, until all have ended."""

    def __init__(self, workers: list[Worker]) -> None:
        self.workers = workers
        # The one that failed first.
        self.failed: Worker | None = None
        self.is_asked = False

    def listen(self) -> None:
        for one in ANSWERED:
            signal.signal(one, self.pass_on)

    def pass_on(self, number: int, frame: FrameType | None) -> None:
        self.is_asked = True
        for one in self.workers:
            one.signal(signal.SIGTERM)

    def wait(self) -> None:
        left = list(self.workers)
        deadline, is_last = float("inf"), False
        while left:
            time.sleep(POLL_SECONDS)
            ended = [one for one in left if one.has_ended()]
            left = [one for one in left if one not in ended]
            bad = [one for one in ended if one.code != 0]
            if bad and self.failed is None:
                self.failed = cause_of(bad)
                deadline = time.monotonic() + ALONE_SECONDS
            if time.monotonic() > deadline:
                for one in left:
                    one.signal(signal.SIGKILL if is_last else signal.SIGTERM)
                deadline, is_last = time.monotonic() + KILL_SECONDS, True
        for one in self.workers:
            one.reader.join(2)

    def end(self) -> int:
        """The exit code; says why, where it is no good one."""
        if self.failed is None:
            return 0
        code = self.failed.code or FAILURE
        if code < 0:
            if self.is_asked and -code in ANSWERED:
                return STOPPED
            name = signal.Signals(-code).name
            raise Failed(
                f"process {self.failed.rank} of the training was ended by {name}",
                "SIGKILL often means that the machine had no memory left. "
                "The same command resumes at the last checkpoint.",
            )
        for line in self.failed.errors[-2:]:
            print(line, file=sys.stderr)
        return code


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def run(args: argparse.Namespace) -> int:
    """Raises Refused and Failed."""
    place = place_of(args)
    command = [sys.executable, "-m", "hasp_trainer", args.method, args.config]
    check_gpus(place.processes)
    port = place.port or free_port()
    workers: list[Worker] = []
    launcher = Launcher(workers)
    launcher.listen()
    for local_rank in range(place.processes):
        own = variables(place, local_rank, port)
        # PyTorch's threads would be those of all cores in each process; and one process is enough for remarks.
        env = {"OMP_NUM_THREADS": "1", **os.environ, **own}
        if own["RANK"] != "0":
            env["TRANSFORMERS_VERBOSITY"] = "error"
        workers.append(Worker(int(own["RANK"]), command, env))
    if launcher.is_asked:
        launcher.pass_on(signal.SIGTERM, None)
    launcher.wait()
    return launcher.end()
