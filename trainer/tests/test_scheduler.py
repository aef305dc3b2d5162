"""How outputs of a real SLURM 22.05 are read, recorded in test/fixtures/slurm."""

from pathlib import Path

import pytest
from hasp_target import scheduler
from hasp_target.frames import Refused

RECORDED = Path(__file__).parents[2] / "test/fixtures/slurm"


def recorded(name):
    """The text of a recorded output."""
    return (RECORDED / name).read_text(encoding="utf-8")


def brief(found):
    """Task, state, exit code and signal of each entry."""
    return sorted((one["task"] or 0, one["state"], one["exitCode"], one["signal"]) for one in found)


SHOWN = {
    "completed": [(0, "COMPLETED", 0, 0)],
    "failed": [(0, "FAILED", 3, 0)],
    "cancelled": [(0, "CANCELLED", 0, 15)],
    "timeout": [(0, "TIMEOUT", 0, 15)],
    "requeued": [(0, "COMPLETED", 0, 0)],
    "held": [(0, "PENDING", 0, 0)],
    "array": [(1, "FAILED", 1, 0), (2, "COMPLETED", 0, 0), (3, "FAILED", 1, 0)],
}


@pytest.mark.parametrize("name", sorted(SHOWN))
def test_scontrol(name):
    """scontrol says how a job ended, and by which task."""
    assert brief(scheduler.of_scontrol(recorded("scontrol-ended.txt"), name)) == SHOWN[name]


QUEUED = {
    "preempted": [("13", None, "PENDING", "BeginTime")],
    "never": [("11", None, "PENDING", "DependencyNeverSatisfied")],
    "timeout": [("12", None, "RUNNING", "")],
    "waiting": [("15", task, "PENDING", "Resources") for task in (1, 2, 3, 4)],
    "refused": [],
}


@pytest.mark.parametrize("name", sorted(QUEUED))
def test_squeue(name):
    """squeue says which task waits for what, and a refused job is none."""
    found = scheduler.of_squeue(recorded("squeue-active.txt"), name)
    assert [(one["id"], one["task"], one["state"], one["reason"]) for one in found] == QUEUED[name]


class Cluster:
    """Answers like a cluster whose controller has forgotten all jobs."""

    def __init__(self, accounting):
        self.accounting = accounting

    def run(self, args, env=None, text=""):
        """Answers a program of SLURM."""
        if args[0] == "squeue":
            return scheduler.Answer(0, "", "")
        if args[0] == "scontrol":
            return scheduler.Answer(1, "", "slurm_load_jobs error: Invalid job id specified")
        if "-c" in args:
            return scheduler.Answer(0, recorded("sacct-c-ended.txt"), recorded("sacct-c-ended.err.txt"))
        if self.accounting:
            return scheduler.Answer(0, recorded("sacct-ended.txt"), "")
        return scheduler.Answer(1, "", "Slurm accounting storage is disabled")


REMEMBERED = [
    (True, "failed", "2", [(0, "FAILED", 3, 0)]),
    (True, "array", "3", [(1, "FAILED", 1, 0), (2, "COMPLETED", 0, 0), (3, "FAILED", 1, 0)]),
    (True, "refused", None, []),
    (True, "preempted", "13", [(0, "COMPLETED", 0, 0)]),
    (False, "failed", "2", [(0, "FAILED", 3, 0)]),
    (False, "array", "3", []),
    (False, "refused", None, []),
    (False, "requeued", "10", [(0, "COMPLETED", 0, 0)]),
    (False, "preempted", "13", [(0, "COMPLETED", 0, 0)]),
]


@pytest.mark.parametrize(("accounting", "name", "job", "expected"), REMEMBERED)
def test_remembered(monkeypatch, accounting, name, job, expected):
    """Accounting or jobcomp alone tell how jobs ended that the controller has forgotten."""
    monkeypatch.setattr(scheduler, "run", Cluster(accounting).run)
    assert brief(scheduler.entries(name, job)) == expected


BANNER = """-----------------------------------------------------------------
          Welcome to the Example3 Supercomputer
-----------------------------------------------------------------

--> Verifying valid submit host (login4)...OK
--> 2 nodes of 40 are free
"""

SAID = [
    ("519605\n", "519605"),
    ("519605;example\n", "519605"),
    (BANNER + "519605;example\n", "519605"),
    (BANNER + "519605\n\nGoodbye\n", "519605"),
    ("2026\n519605\n", "519605"),
    ("Submitted batch job 77\n", "77"),
    ("Submitted batch job 77 on cluster example\r\n", "77"),
    ("", None),
    (BANNER, None),
    ("job 77 was submitted\n", None),
    ("77 or so\n", None),
    ("-77\n", None),
    ("\u0667\u0667\n", None),
    ("7" * 21 + "\n", None),
]


@pytest.mark.parametrize(("text", "number"), SAID)
def test_number(monkeypatch, text, number):
    """The number of a job is read among the words of a site, and nothing else is taken for one."""
    monkeypatch.setattr(scheduler, "run", lambda *_args: scheduler.Answer(0, text, ""))
    if number is not None:
        assert scheduler.submit("job.sh", [], None) == number
        return
    with pytest.raises(Refused) as refused:
        scheduler.submit("job.sh", [], None)
    assert refused.value.code == "no-number"
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300
