"""A cluster in one process for tests: the program of a target as it is shipped, over a SLURM that a seed moves, killed at any step.

Reads requests from standard input, one after the other, and control lines of the test among them.
"""

import io
import json
import os
import random
import re
import sys

sys.path.insert(0, sys.argv[1])

from hasp_target import folders, jobs, machine, main, outputs, scheduler, store  # noqa: E402
from hasp_target.frames import read_line  # noqa: E402


class Killed(BaseException):
    """The request's process was killed."""


class Steps:
    """Counts what a request does, and kills it after so many steps."""

    left = None

    def take(self):
        """One step."""
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise Killed()


steps = Steps()


def killable(function):
    """The function, with a step before and one after it."""

    def wrapped(*args, **kwargs):
        steps.take()
        value = function(*args, **kwargs)
        steps.take()
        return value

    return wrapped


class Cluster:
    """Jobs of a scripted SLURM, moved by a seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.jobs = []
        self.is_up = True
        # What a cluster keeps of a job that has left the queue: nothing, or everything.
        self.has_accounting = seed % 2 == 0
        self.executed = []

    def find(self, job):
        """A job by its number."""
        return [one for one in self.jobs if one["id"] == job]

    def run(self, args, env=None, text=""):
        """Stands in for the programs of SLURM."""
        if not self.is_up:
            return scheduler.Answer(1, "", "slurm_load_jobs error: Unable to contact slurm controller (connect failure)")
        name, rest = args[0], args[1:]
        return getattr(self, name)(rest, text)

    def sbatch(self, args, _text):
        """Takes a job."""
        if "--test-only" in args or "--version" in args:
            return scheduler.Answer(0, "slurm 22.05.8", "")
        with open(args[-1], encoding="utf-8") as file:
            script = file.read()
        number = str(100 + len(self.jobs))
        job = {
            "id": number,
            "name": re.search(r"--job-name=(\S+)", script).group(1),
            "folder": os.path.dirname(args[-1]),
            "submission": int(re.search(r"--submission (\d+)", script).group(1)),
            "state": "PENDING",
            "isGone": False,
        }
        self.jobs.append(job)
        return scheduler.Answer(0, number + "\n", "")

    def squeue(self, args, _text):
        """Lists the jobs that are not forgotten yet."""
        names = [arg[len("--name=") :] for arg in args if arg.startswith("--name=")]
        lines = ["%(id)s|%(state)s|None|%(name)s" % one for one in self.jobs if not one["isGone"] and one["name"] in names]
        return scheduler.Answer(0, "\n".join(lines), "")

    def sacct(self, args, _text):
        """Remembers everything, or is not set up."""
        if not self.has_accounting or "-c" in args:
            return scheduler.Answer(1, "", "Slurm accounting storage is disabled")
        lines = ["%(id)s|%(name)s|%(state)s|0:0" % one for one in self.jobs]
        return scheduler.Answer(0, "\n".join(lines), "")

    def scontrol(self, _args, _text):
        """Knows no job that has left the queue."""
        return scheduler.Answer(1, "", "slurm_load_jobs error: Invalid job id specified")

    def advance(self, count):
        """Lets time pass: jobs begin, are interrupted, end and are forgotten; the controller fails and comes back."""
        for _ in range(count):
            self.is_up = self.random.random() > 0.1
            for job in self.jobs:
                if self.random.random() < 0.5:
                    self.step(job)

    def step(self, job):
        """The next thing that happens to a job."""
        if job["state"] == "PENDING":
            job["state"] = "RUNNING"
            self.begin(job)
        elif job["state"] == "RUNNING":
            job["state"] = "PENDING" if self.random.random() < 0.2 else "COMPLETED"
            if job["state"] == "COMPLETED":
                self.end(job)
        elif not job["isGone"]:
            job["isGone"] = True

    def begin(self, job):
        """What the script and the runner do first."""
        claim = os.path.join(job["folder"], "claim-%d" % job["submission"])
        if os.path.exists(claim):
            with open(claim, encoding="utf-8") as file:
                if file.read().strip() != job["id"]:
                    job["state"] = "COMPLETED"
                    return
        with open(claim, "w", encoding="utf-8") as file:
            file.write(job["id"] + "\n")
        state = os.path.join(job["folder"], "state.jsonl")
        job["attempt"] = len([one for one in folders.read_lines(state) if one["kind"] == "attempt"]) + 1
        token = "00000000-0000-4000-8000-%012d" % job["attempt"]
        line = {"kind": "attempt", "attempt": job["attempt"], "at": folders.now(), "backend": "target", "log": 0}
        self.write(state, dict(line, token=token, submission=job["submission"]))

    def end(self, job):
        """What the runner does last."""
        self.executed.append(job["id"])
        work = os.path.join(job["folder"], "../../work", os.path.basename(job["folder"]), "workspace")
        with open(os.path.join(work, "out.txt"), "a", encoding="utf-8") as file:
            file.write("done\n")
        line = {"kind": "end", "attempt": job["attempt"], "at": folders.now(), "status": "succeeded"}
        self.write(os.path.join(job["folder"], "state.jsonl"), line)

    def write(self, path, line):
        """Appends a line as the runner does."""
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def body_of(request, stream):
    """All bytes behind a request, so that a killed one leaves the next in order."""
    if request["op"] != "put":
        return b""
    pieces = []
    while True:
        line = stream.readline()
        pieces.append(line)
        header = json.loads(line.decode("utf-8"))
        if header.get("end"):
            return b"".join(pieces)
        pieces.append(stream.read(header["bytes"]))


def answered(request, stream):
    """The reply to a request; nothing where its process was killed."""
    steps.left = request.pop("killAfter", None)
    text = (json.dumps(request) + "\n").encode("utf-8") + body_of(request, stream)
    out = io.BytesIO()
    try:
        main.serve(io.BytesIO(text), out)
        steps.take()
    except Killed:
        return b""
    finally:
        steps.left = None
    return out.getvalue()


def controlled(line, clusters):
    """Carries out a control line of the test."""
    if line["control"] == "open":
        clusters[0] = Cluster(line["seed"])
        scheduler.run = killable(clusters[0].run)
        return {}
    cluster = clusters[0]
    if line["control"] == "advance":
        cluster.advance(line["count"])
    elif line["control"] == "settle":
        for _ in range(20):
            cluster.advance(1)
        cluster.is_up = True
        for job in cluster.jobs:
            while job["state"] in ("PENDING", "RUNNING"):
                cluster.step(job)
    elif line["control"] == "up":
        cluster.is_up = True
    return {"jobs": cluster.jobs, "executed": cluster.executed}


def run():
    """Answers until the input ends."""
    for module, name in (
        (jobs, "append_line"),
        (jobs, "write_atomic"),
        (jobs, "place"),
        (store, "take"),
        (outputs, "entry"),
    ):
        setattr(module, name, killable(getattr(module, name)))
    machine.probe = probe
    main.REQUESTS["probe"] = probe
    clusters = [None]
    stream = sys.stdin.buffer
    while True:
        line = read_line(stream)
        if line is None:
            return
        reply = (json.dumps(controlled(line, clusters)) + "\n").encode("utf-8") if "control" in line else answered(line, stream)
        sys.stdout.buffer.write(("%d\n" % len(reply)).encode("utf-8") + reply)
        sys.stdout.buffer.flush()


def probe(root, _request):
    """A target that has everything; the real one starts five programs."""
    os.makedirs(root.folder, exist_ok=True)
    yield {
        "root": root.folder,
        "host": "scripted",
        "system": "Linux",
        "machine": "x86_64",
        "version": [3, 11, 0],
        "python": "/usr/bin/python3",
        "node": "/usr/bin/node",
        "fault": None,
        "freeBytes": 1e12,
        "slurm": "slurm 22.05.8",
        "isSlurmUp": True,
        "gpus": None,
        "time": 0,
    }, b""


run()
