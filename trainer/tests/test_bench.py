"""`bench`: both trainers train the same, the figures are those of the runs, and the command works without a GPU."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from trl import SFTTrainer

from hasp_trainer import bench
from hasp_trainer.__main__ import main
from hasp_trainer.bench import Case, Measured
from hasp_trainer.weighted_sft import IGNORED, LOSS

CASE = Case(length=32, batch=2, accumulate=2, steps=3, rank=4, checkpointing=False)


def test_both_trainers_see_the_same_rows_and_weights() -> None:
    config = bench.config_of(None, "tiny")
    rows = bench.make_rows(CASE, 12, config.vocab_size)
    assert rows.to_list() == bench.make_rows(CASE, 12, config.vocab_size).to_list()
    lengths = [len(ids) for ids in rows["input_ids"]]
    assert max(lengths) == 32 and min(lengths) >= 16 and len(set(lengths)) > 2
    one, other = (bench.make_model(None, config, CASE).state_dict() for _ in range(2))
    assert all(torch.equal(one[name], other[name]) for name in one)

    # With a weight of 1 for each target the losses are the same numbers: nothing but the weights differs.
    def with_ones(row: dict) -> dict:
        return {LOSS: [0.0 if label == IGNORED else 1.0 for label in row["labels"]]}

    ones = rows.map(with_ones)
    found = [
        bench.measure(kind, bench.make_model(None, config, CASE), ones, CASE)
        for kind in (SFTTrainer, bench.Trainer)
    ]
    assert len(found[0].losses) == 3
    # The first run of a process rounds otherwise than later ones, plain TRL's too.
    assert found[0].losses == pytest.approx(found[1].losses, rel=1e-4)
    weighted = bench.measure(bench.Trainer, bench.make_model(None, config, CASE), rows, CASE)
    assert weighted.losses[0] < 0.9 * found[0].losses[0]


def test_speed_is_tokens_of_the_counted_steps_over_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = bench.Clock()
    readings = iter([(0.0, 0), (10.0, 100), (14.0, 260)])
    monkeypatch.setattr(clock, "_now", lambda: next(readings))

    class State:
        global_step, max_steps = 0, 5

    clock.on_train_begin(None, State, None)
    for State.global_step in range(1, 6):
        clock.on_step_end(None, State, None)
    assert clock.speed() == (260 - 100) / (14 - 10)


def test_the_ratio_is_of_pairs() -> None:
    """A machine that slows down from pair to pair does not bear on it."""
    plain = [Measured(speed, 100, 1.0, ()) for speed in (1000, 500, 250)]
    ours = [Measured(speed, 102, 1.0, ()) for speed in (1000, 490, 255)]
    found = bench.summary({"plain": plain, "ours": ours})
    assert found["ratio"] == pytest.approx((1 + 0.98 + 1.02) / 3)
    assert (found["ratio_least"], found["ratio_most"]) == (pytest.approx(0.98), pytest.approx(1.02))
    # Their standard deviation is 0.02.
    assert found["ratio_standard_error"] == pytest.approx(0.02 / 3**0.5)
    assert found["peak_ratio"] == 1.02
    assert found["within_aim"] is True
    slow = [Measured(speed * 0.96, 102, 1.0, ()) for speed in (1000, 500, 250)]
    assert bench.summary({"plain": plain, "ours": slow})["within_aim"] is False
    assert "0.960 (0.960 to 0.960" in bench.report(bench.summary({"plain": plain, "ours": slow}))


@pytest.mark.thorough
def test_the_command_compares(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bench.json"
    sizes = [
        "--rows",
        "8",
        "--length",
        "16",
        "--batch",
        "2",
        "--accumulate",
        "1",
        "--steps",
        "3",
        "--pairs",
        "2",
    ]
    assert main(["bench", "--random", "tiny", *sizes, "--json", str(file)]) == 0
    found = json.loads(file.read_text())
    assert [len(runs) for runs in found["runs"].values()] == [2, 2]
    assert found["tokens_per_second"]["ours"] > 0
    assert found["peak_bytes"] is None
    printed = capsys.readouterr().out
    lines = [line.split()[:3] for line in printed.splitlines() if line.startswith("pair")]
    # Each comes first once.
    assert [line[2] for line in lines] == ["ours", "plain", "plain", "ours"]
    assert "ratio" in printed


@pytest.mark.thorough
def test_the_load_test_has_estimates(tmp_path: Path) -> None:
    file = tmp_path / "load.json"
    sizes = ["--length", "16", "--batch", "2", "--steps", "3", "--tokens-per-step", "64"]
    assert main(["bench", "--random", "tiny", *sizes, "--load-test", "--json", str(file)]) == 0
    found = json.loads(file.read_text())["load_test"]
    assert [one["name"] for one in found] == [
        "E1",
        "E1, twice the batch",
        "E1, half the length",
        "no checkpointing",
        "all weights",
    ]
    # 64 tokens of a step are 2 batches of 2 rows with 14 tokens on average.
    assert found[0]["case"]["accumulate"] == 2
    assert all(len(one["losses"]) == 3 and one["estimated_peak"] > 0 for one in found)


def test_too_few_steps_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--random", "tiny", "--steps", "2"]) == 2
    assert "the first 2 are not counted" in capsys.readouterr().err
