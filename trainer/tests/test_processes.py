"""A training in several processes: the same curve as in one, one set of files, signals, and the end of all by one."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scene import Scene, dpo_row, messages, sft_row

from hasp_trainer import launch as launcher
from hasp_trainer.__main__ import main
from hasp_trainer.launch import cause_of, free_port
from hasp_trainer.shares import Deal, Share
from hasp_trainer.signals import ANSWERED
from hasp_trainer.tokens import divided

ROOT = Path(__file__).parent.parent
SAME = ("loss", "grad_norm", "entropy", "mean_token_accuracy", "num_tokens", "learning_rate", "step")


def start(scene: Scene, processes: int, output: str, hook: str = "", **changes: Any) -> subprocess.Popen[str]:
    """The launcher. `hook` is Python that each process executes first; it is to end by itself."""
    config = scene.config(output, **changes)
    method = changes.get("method", "sft")
    site = scene.folder / "site"
    site.mkdir(exist_ok=True)
    (site / "sitecustomize.py").write_text(f"import os, signal\nRANK = os.environ.get('RANK')\n{hook}\n")
    return subprocess.Popen(
        [sys.executable, "-m", "hasp_trainer", "launch", "--processes", str(processes), method, config],
        cwd=scene.folder,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{site}", "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def launch(scene: Scene, processes: int, output: str, hook: str = "", **changes: Any) -> tuple[int, str, str]:
    """Exit code, output and errors."""
    run = start(scene, processes, output, hook, **changes)
    out, err = run.communicate(timeout=600)
    return run.returncode, out, err


def expect_same_curve(scene: Scene, one: str, other: str) -> None:
    lines, others = scene.curve(one), scene.curve(other)
    assert [line["step"] for line in lines] == [line["step"] for line in others]
    for line, another in zip(lines, others, strict=True):
        for name in SAME:
            assert another[name] == pytest.approx(line[name], abs=1e-5), (name, line["step"])


def sends(step: int, number: str, rank: str = "0") -> str:
    """A hook by which a process sends itself a signal behind a step."""
    return f"""
if RANK == "{rank}":
    import threading, time, json
    def watch():
        from hasp_trainer import checkpoints
        ended = checkpoints.StopAfterCheckpoint.on_step_end
        def on_step_end(self, args, state, control, **rest):
            if state.global_step == {step}:
                os.kill(os.getpid(), signal.{number})
            ended(self, args, state, control, **rest)
        checkpoints.StopAfterCheckpoint.on_step_end = on_step_end
    import builtins
    made = builtins.__import__
    def importing(name, *rest, **more):
        found = made(name, *rest, **more)
        if name == "hasp_trainer.training" or (name.endswith("sft") and "hasp_trainer.checkpoints" in __import__("sys").modules):
            builtins.__import__ = made
            watch()
        return found
    builtins.__import__ = importing
"""


METHODS = {
    # Twelve rows in steps of four: a step is one batch of each of two processes. Learned so far that scalars differ by row.
    "sft": {"log_every": 1, "learning_rate": 5e-2, "epochs": 5},
    # Steps of five batches, which two processes cannot share evenly, and a last step with fewer rows.
    "sft, uneven": {"log_every": 1, "tokens_per_step": 390},
    "sft, packed": {"log_every": 1, "packing": True, "max_length": 128, "tokens_per_step": 384, "batch": 1},
    "sft, all weights": {"log_every": 1, "lora": None},
    "dpo": {"log_every": 1, "method": "dpo", "data": ["a-dpo.jsonl"], "tokens_per_step": 450},
}


# Each start of a launcher loads PyTorch three times: the normal form has one, the stop by a signal.
@pytest.mark.parametrize("name", METHODS)
@pytest.mark.thorough
def test_two_processes_have_the_curve_of_one(scene: Scene, name: str):
    """Rows of different lengths and weights, so that the processes' batches differ in both."""
    scene.write_rows("a-sft.jsonl", [sft_row(i, [0, 4, 1, 0.25, 2][i % 5]) for i in range(12)])
    scene.write_rows("a-dpo.jsonl", [dpo_row(i, [3, 0.5, 1][i % 3]) for i in range(12)])
    changes = METHODS[name]
    assert scene.run("one", **changes) == 0
    code, out, err = launch(scene, 2, "two", **changes)
    assert (code, err.count("error:")) == (0, 0), err
    expect_same_curve(scene, "one", "two")
    # One process speaks and writes.
    assert out.count("done: ") == 1
    assert len(re.findall(r"^step 1/", out, re.M)) == 1
    assert sorted(os.listdir("two")) == sorted(os.listdir("one"))
    one, two = scene.result("one"), scene.result("two")
    assert {k: v for k, v in two.items() if k not in ("seconds", "loss")} == {
        k: v for k, v in one.items() if k not in ("seconds", "loss")
    }


@pytest.mark.thorough
def test_three_processes_with_a_blank_batch_in_each_step(scene: Scene):
    changes = {"log_every": 1, "tokens_per_step": 280}
    assert scene.run("one", **changes) == 0
    # 280 tokens are eight rows in four batches; three processes take two rounds, with two blank ones.
    code, out, err = launch(scene, 3, "three", **changes)
    assert code == 0, err
    assert "2 x 2 sequences on 3 processes" in out
    expect_same_curve(scene, "one", "three")
    assert scene.curve("three")[-1]["num_tokens"] == 2 * 479


@pytest.mark.parametrize(
    ("number", "rank"), [("SIGTERM", "1"), pytest.param("SIGUSR1", "0", marks=pytest.mark.thorough)]
)
def test_a_signal_to_one_process_stops_all_behind_one_checkpoint(scene: Scene, number: str, rank: str):
    """Another number of processes ends it with the curve of one that was not stopped."""
    scene.write_rows("a-sft.jsonl", [sft_row(i, [0, 4, 1, 0.25, 2][i % 5]) for i in range(12)])
    changes = METHODS["sft, uneven"] | {"epochs": 3}
    assert scene.run("whole", **changes) == 0
    code, out, err = launch(scene, 2, "out", sends(3, number, rank), **changes)
    # One process speaks.
    assert len(re.findall(r"^step 1/", out, re.M)) == 1
    assert (code, err.splitlines()[-1]) == (75, "stopped at step 3; the same command resumes"), err
    assert os.listdir("out/checkpoints") == ["checkpoint-3"]
    assert not Path("out/adapter").exists()
    states = [one for one in os.listdir("out/checkpoints/checkpoint-3") if one.startswith("rng_state")]
    assert sorted(states) == ["rng_state_0.pth", "rng_state_1.pth"]
    assert scene.run("out", **changes) == 0
    expect_same_curve(scene, "whole", "out")


@pytest.mark.thorough
def test_two_machines(scene: Scene):
    """Each with a launcher and a process of its own; the second gets its number as SLURM gives it."""
    changes = {"log_every": 1, "epochs": 1}
    assert scene.run("one", **changes) == 0
    config = scene.config("two", **changes)
    place = ["--processes", "1", "--nodes", "2", "--address", "127.0.0.1", "--port", str(free_port())]
    command = [sys.executable, "-m", "hasp_trainer", "launch", *place, "sft", config]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    machines = [subprocess.Popen(command, env={**env, "SLURM_PROCID": str(i)}, **pipes) for i in range(2)]
    (out, err), (other, _) = [one.communicate(timeout=600) for one in machines]
    assert [one.returncode for one in machines] == [0, 0], err
    assert out.count("done: ") == 1 and other == ""
    expect_same_curve(scene, "one", "two")


@pytest.mark.parametrize(
    ("place", "error"),
    [
        (["--processes", "0"], "--processes and --nodes are numbers of 1 or more"),
        (["--nodes", "2", "--node", "2", "--port", "1"], "--node is 2, of 2"),
        (["--nodes", "2", "--node", "0"], "--port is missing: several machines need one to meet at"),
    ],
)
def test_a_place_that_is_none(capsys, place: list[str], error: str):
    assert main(["launch", *place, "sft", "x.json"]) == 2
    assert f"error: {error}" in capsys.readouterr().err


@pytest.mark.thorough
def test_a_training_of_one_process_continues_on_two(scene: Scene, monkeypatch):
    from test_training import sends as sends_here

    # A window of two steps is open then; its sums count once.
    changes = {"log_every": 2, "epochs": 3, "learning_rate": 5e-2}
    assert scene.run("whole", **changes) == 0
    with monkeypatch.context() as patch:
        sends_here(patch, signal.SIGTERM, 5)
        assert scene.run("out", **changes) == 75
    code, out, err = launch(scene, 2, "out", **changes)
    assert code == 0, err
    assert "resumes at step 5 of 9" in out
    expect_same_curve(scene, "whole", "out")


@pytest.mark.thorough
def test_sigterm_to_the_launcher(scene: Scene):
    """As a job that is stopped, or a cluster, sends it: after the first step that is seen."""
    run = start(scene, 2, "out", log_every=1, epochs=200, save_every=1000)
    killer = threading.Timer(590, run.kill)
    killer.start()
    for line in run.stdout:
        if line.startswith("step 2/"):
            break
    run.send_signal(signal.SIGTERM)
    out, err = run.communicate(timeout=600)
    killer.cancel()
    assert run.returncode == 75, err
    step = int(re.search(r"^stopped at step (\d+); the same command resumes$", err, re.M)[1])
    assert os.listdir("out/checkpoints") == [f"checkpoint-{step}"]
    assert scene.curve("out")[-1]["step"] == step


@pytest.mark.thorough
def test_bad_input_is_told_once(scene: Scene):
    scene.write_rows("a-sft.jsonl", [sft_row(0), {"prompt": messages("user", "x")}])
    code, _, err = launch(scene, 2, "out")
    assert code == 2
    assert [line for line in err.splitlines() if line.startswith(("error:", "next:"))] == [
        "error: a-sft.jsonl:2: `completion` is missing or has no message",
        "next: Build the training data again with hasp train-data, or correct that line.",
    ]
    assert not Path("out").exists()


@pytest.mark.thorough
def test_a_process_that_is_killed_ends_all(scene: Scene):
    """The output is that of a training that was killed: the same command resumes it."""
    code, _, err = launch(scene, 2, "out", sends(5, "SIGKILL", "1"), log_every=1)
    assert code == 1
    assert "error: process 1 of the training was ended by SIGKILL" in err
    assert os.listdir("out/checkpoints") == ["checkpoint-4"]
    assert launch(scene, 2, "out", log_every=1)[0] == 0


def scripted(scene: Scene, monkeypatch: pytest.MonkeyPatch, *scripts: str) -> int:
    """The launcher, in this process, of processes that execute these scripts instead of a training. Gives its exit code."""
    site = scene.folder / "site"
    site.mkdir()
    for rank, script in enumerate(scripts):
        (site / f"process_{rank}.py").write_text(f"{SCRIPTED}\n{script}\n")
    (site / "sitecustomize.py").write_text("import os; __import__('process_' + os.environ['RANK'])\n")
    monkeypatch.setenv("PYTHONPATH", str(site))
    handlers = {one: signal.getsignal(one) for one in ANSWERED}
    try:
        return main(["launch", "--processes", str(len(scripts)), "sft", scene.config("out")])
    finally:
        for one, handler in handlers.items():
            signal.signal(one, handler)


SCRIPTED = """
import os, signal, time
from pathlib import Path
def await_file(name):
    while not Path(name).exists():
        time.sleep(0.01)
def end(*_):
    Path(f"ended-{os.environ['RANK']}").touch()
    os._exit(75)
signal.signal(signal.SIGTERM, end)
Path(f"ready-{os.environ['RANK']}").touch()
"""
SLEEPS = "time.sleep(60); os._exit(9)"


def test_the_launcher_passes_sigterm_on(scene: Scene, monkeypatch: pytest.MonkeyPatch):
    asks = "await_file('ready-1'); os.kill(os.getppid(), signal.SIGTERM)"
    assert scripted(scene, monkeypatch, f"{asks}; {SLEEPS}", SLEEPS) == 75
    assert Path("ended-0").exists() and Path("ended-1").exists()


@pytest.mark.parametrize("hears", [True, False])
def test_when_a_process_is_killed_the_launcher_ends_the_others(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, capsys, hears: bool
):
    """Also one that waits for the one that is gone and hears no signal."""
    monkeypatch.setattr(launcher, "ALONE_SECONDS", 0.1)
    monkeypatch.setattr(launcher, "KILL_SECONDS", 0.1 if not hears else 60)
    deaf = "signal.signal(signal.SIGTERM, signal.SIG_IGN); Path('deaf').touch()"
    waits = SLEEPS if hears else f"{deaf}; {SLEEPS}"
    dies = f"await_file({'ready-0' if hears else 'deaf'!r}); os.kill(os.getpid(), signal.SIGKILL)"
    assert scripted(scene, monkeypatch, waits, dies) == 1
    assert "error: process 1 of the training was ended by SIGKILL" in capsys.readouterr().err
    assert Path("ended-0").exists() is hears


@pytest.mark.parametrize(
    ("failed", "cause"),
    [
        ({0: (1, ["error: connection closed by peer"]), 1: (-signal.SIGKILL, [])}, 1),
        ({0: (-signal.SIGABRT, []), 1: (2, ["error: rows.jsonl:2: no message"])}, 1),
        ({0: (1, ["error: out of memory"]), 1: (1, ["error: out of memory"])}, 0),
        ({0: (1, []), 1: (-signal.SIGTERM, []), 2: (1, ["error: no space"])}, 2),
    ],
)
def test_of_several_that_fail_at_once_the_cause_is_told(failed: dict[int, tuple[int, list[str]]], cause: int):
    workers = [
        SimpleNamespace(rank=rank, code=code, errors=errors) for rank, (code, errors) in failed.items()
    ]
    assert cause_of(workers).rank == cause


@pytest.mark.thorough
def test_more_processes_than_rows_in_a_step(scene: Scene):
    code, _, err = launch(scene, 3, "out", tokens_per_step=80)
    assert code == 2
    assert "error: 3 processes share the 2 rows of an optimizer step, so some would have none" in err
    assert "next: Take 2 processes or fewer, or raise tokens_per_step." in err


@pytest.mark.thorough
def test_distillation_of_two_processes(scene: Scene):
    """Replies are drawn by each process, so the curve is another one; its counts are those of both."""
    changes = {
        "method": "sdft",
        "data": ["a-sdft.jsonl"],
        "sdft": {"reply_tokens": 8},
        "tokens_per_step": 400,
        "log_every": 1,
        "epochs": 1,
    }
    rows = [{"prompt": sft_row(i)["prompt"], "privileged": messages("user", f"c {i}")} for i in range(12)]
    scene.write_rows("a-sdft.jsonl", rows)
    assert scene.run("one", **changes) == 0
    code, _, err = launch(scene, 2, "two", **changes)
    assert code == 0, err
    one, two = scene.curve("one"), scene.curve("two")
    assert [line["step"] for line in one] == [line["step"] for line in two]
    # Prompts are the same; replies of a fresh model are as long as they may be, but for a rare end.
    assert two[-1]["num_tokens"] == pytest.approx(one[-1]["num_tokens"], rel=0.1)


def test_rows_of_a_step_are_dealt_out_whole():
    deal = Deal(rows=23, step_rows=10, batch=2, processes=3)
    # Five batches in two rounds, twice; then three rows in two batches, one round.
    assert [deal.rounds(step) for step in range(deal.steps)] == [2, 2, 1]
    assert [deal.blanks(step) for step in range(deal.steps)] == [1, 1, 1]
    shares = [Share(deal, rank, seed=7) for rank in range(3)]
    assert [len(list(share)) for share in shares] == [len(share) for share in shares] == [5, 5, 5]
    alone = list(Share(Deal(23, 10, 10, 1), 0, seed=7))
    for step, at in enumerate([(0, 2), (2, 4), (4, 5)]):
        dealt = [row for share in shares for batch in list(share)[slice(*at)] for row in batch]
        assert sorted(dealt) == sorted(alone[step])
    first = list(shares[0])
    shares[0].set_epoch(1)
    assert list(shares[0]) != first


def test_rows_that_a_process_takes_at_once():
    assert divided(2, 6, 1) == (2, 6)
    assert divided(2, 6, 4) == (2, 2)
    # One batch of 37 rows on eight processes: five rows each, the last one two.
    assert divided(37, 1, 8) == (5, 1)
