"""`preflight --machine`: recorded answers of drivers, what keeps a machine from training, and this machine itself."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from hasp_trainer import machine, node_path
from hasp_trainer.__main__ import main
from hasp_trainer.machine import Facts, Gpu, Smi, Torch, problems_of, read_smi

A100 = "550.90.07, NVIDIA A100-SXM4-80GB, 81920, 8.0\n550.90.07, NVIDIA A100-SXM4-80GB, 81920, 8.0\n"
BROKEN = (
    "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. "
    "Make sure that the latest NVIDIA driver is installed and running.\n\n"
)
MISMATCH = "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 550.127\n"


def test_the_driver_names_its_cards():
    card = Gpu("NVIDIA A100-SXM4-80GB", 81920 * 2**20, "8.0")
    assert read_smi(0, A100) == Smi("550.90.07", (card, card))
    assert card.has_bf16
    (old,) = read_smi(0, "470.256.02, Tesla V100-PCIE-16GB, 16384, 7.0\n").gpus
    assert not old.has_bf16


def test_a_driver_that_knows_no_capability():
    """Older ones refuse the field; a card in parts has no memory of its own."""
    assert read_smi(2, 'Field "compute_cap" is not a valid field to query.\n').trouble is not None
    (card,) = read_smi(0, "535.183.01, NVIDIA A100-PCIE-40GB, [N/A], [N/A]\n").gpus
    assert (card.memory, card.capability, card.has_bf16) == (0, "", False)


@pytest.mark.parametrize(
    ("code", "text", "said"),
    [
        (9, BROKEN, "couldn't communicate with the NVIDIA driver"),
        (18, MISMATCH, "Driver/library version mismatch NVML library version: 550.127"),
        (6, "No devices were found\n", "No devices were found"),
        (0, "No devices were found\n", "No devices were found"),
        (1, "", "exit code 1"),
    ],
)
def test_a_driver_that_does_not_answer(code: int, text: str, said: str):
    found = read_smi(code, text)
    assert found.driver is None and said in found.trouble


CARD = Gpu("NVIDIA H100 80GB HBM3", 80 * 2**30, "9.0")
FINE = Facts(
    python="3.11.7",
    torch=Torch("2.15.0+cu132", "13.2", (CARD,)),
    smi=Smi("580.65.06", (CARD,)),
    visible=None,
    folder="/scratch",
    free=10**12,
    model="owner/name",
    missing=(),
    node="/env/node",
    node_version="v24.19.0",
)


def unseen(**changes: object) -> Facts:
    """The same machine, where PyTorch sees no GPU."""
    return replace(FINE, torch=Torch("2.15.0+cu132", "13.2"), **changes)


def test_a_machine_that_can_train_has_no_problem():
    assert problems_of(FINE) == []


@pytest.mark.parametrize(
    ("facts", "message", "step"),
    [
        (unseen(smi=None), "there is no GPU driver", "login nodes of a cluster often have none"),
        (
            unseen(smi=read_smi(0, A100)),
            "the GPU driver 550.90.07 is too old for PyTorch 2.15.0+cu132, which is built for CUDA 13.2",
            "a driver of 580 or later",
        ),
        (
            replace(unseen(smi=None), torch=Torch("2.15.0+cpu", None)),
            "PyTorch 2.15.0+cpu is built for the CPU alone",
            "hasp trainer install",
        ),
        (unseen(visible=""), "CUDA_VISIBLE_DEVICES is empty", "--gres=gpu:1"),
        (unseen(visible="-1"), "CUDA_VISIBLE_DEVICES is -1", "unset the variable"),
        (unseen(visible="7"), "none of the GPUs that CUDA_VISIBLE_DEVICES names (7)", "has 1"),
        (unseen(smi=read_smi(9, BROKEN)), "the GPU driver does not answer: NVIDIA-SMI has failed", "another"),
        (unseen(), "finds no GPU, though driver 580.65.06 has 1", "torch.cuda.init()"),
        (
            replace(FINE, torch=Torch(None, None, fault="ImportError: libcudart.so.13")),
            "PyTorch cannot be loaded: ImportError: libcudart.so.13",
            "hasp trainer install",
        ),
        (replace(FINE, free=None), "/scratch cannot be written", "--folder"),
        (replace(FINE, missing=("a", "b", "c", "d")), "owner/name is not complete", "fetch owner/name"),
        (replace(FINE, node_version=None), "Node.js is missing", "hasp trainer install"),
        (replace(FINE, node_version="v18.20.4"), "Node.js is v18.20.4", "hasp trainer install"),
    ],
)
def test_each_problem_names_its_reason_and_a_remedy(facts: Facts, message: str, step: str):
    (problem,) = problems_of(facts)
    assert message in problem.message
    assert step in problem.next


def test_an_older_driver_is_enough_for_an_older_cuda():
    """PyTorch that has a GPU is believed, also where the driver's number is low (forward compatibility)."""
    old = replace(unseen(smi=read_smi(0, A100)), torch=Torch("2.9.0+cu128", "12.8"))
    (problem,) = problems_of(old)
    assert "too old" not in problem.message
    assert problems_of(replace(FINE, smi=read_smi(0, A100))) == []


def test_this_machine(tmp_path: Path, monkeypatch, capsys):
    """Without a GPU, as all that run these tests."""
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    monkeypatch.setattr(machine, "node_path", lambda: None)
    monkeypatch.setattr(machine.shutil, "which", lambda name: None)
    assert main(["preflight", "--machine", "--json", "--folder", str(tmp_path / "new")]) == 2
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert found["schema"] == "hasp.machine/1"
    assert found["disk"]["free"] > 0
    assert found["python"]["path"] == sys.executable
    assert found["gpus"] == [] and not found["fits"]
    assert [one["message"] for one in found["problems"]] == [
        "CUDA_VISIBLE_DEVICES is empty, so no GPU is visible",
        "Node.js is missing; the command hasp needs 22 or later",
    ]
    assert printed.err.count("error: ") == printed.err.count("next: ") == 2


def test_preflight_needs_a_config_or_the_machine(capsys):
    assert main(["preflight"]) == 2
    assert "next: Give its path, or --machine" in capsys.readouterr().err


def test_the_node_of_the_environment(tmp_path: Path, monkeypatch, capsys):
    package = tmp_path / "made_up_node"
    (package / "bin").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(node_path, "PACKAGE", "made_up_node")
    assert main(["node"]) == 2
    assert "next: Run hasp trainer install again" in capsys.readouterr().err
    (package / "bin" / "node").write_text("#!/bin/sh\necho v24.0.0\n")
    (package / "bin" / "node").chmod(0o755)
    assert main(["node"]) == 0
    path = capsys.readouterr().out.strip()
    assert path == str(package / "bin" / "node")
    assert machine.node_version(Path(path)) == "v24.0.0"


@pytest.mark.parametrize(
    ("args", "left"),
    [
        (["preflight", "x.json"], "2"),
        (["preflight", "x.json", "--processes", "2"], "2,3"),
        (["preflight", "--machine"], "2,3"),
        (["launch", "--processes", "2", "sft", "x.json"], "2,3"),
        (["sft", "x.json"], "2"),
    ],
)
def test_one_process_sees_one_gpu(monkeypatch, args: list[str], left: str):
    import os

    from hasp_trainer import __main__

    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "2,3")
    monkeypatch.setattr(__main__, "run", lambda args: 0)
    assert main(args) == 0
    assert os.environ["CUDA_VISIBLE_DEVICES"] == left
