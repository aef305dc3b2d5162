"""A model's folder is data: its Python never runs, and nobody is asked whether it may."""

from __future__ import annotations

import ast
import builtins
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scene import Scene

from hasp_trainer import bench, memory, models, teachers
from hasp_trainer.config import read_config

PACKAGES = [
    Path(__file__).resolve().parent.parent / name for name in ("hasp_trainer", "hasp_target", "miniature")
]
LOADERS = ("from_pretrained", "from_config", "Serve")
# It gets a model that was loaded before, and reads weights.
LOADS_NO_CODE = ("PeftModel",)
STARTERS = ("Popen", "run", "check_output", "check_call", "call")


def calls() -> list[tuple[str, ast.Call, str, str]]:
    """All calls of our packages: the place, the call, the name that is called, and that of its object."""
    found = []
    for file in sorted(file for package in PACKAGES for file in package.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            place = f"{file.parent.name}/{file.name}:{node.lineno}"
            if isinstance(node.func, ast.Attribute):
                owner = node.func.value.id if isinstance(node.func.value, ast.Name) else ""
                found.append((place, node, node.func.attr, owner))
            elif isinstance(node.func, ast.Name):
                found.append((place, node, node.func.id, ""))
    return found


def option(call: ast.Call, name: str) -> str | None:
    return next((ast.unparse(one.value) for one in call.keywords if one.arg == name), None)


def test_every_loader_is_told_not_to_run_code() -> None:
    loaders = [one for one in calls() if one[2] in LOADERS and one[3] not in LOADS_NO_CODE]
    assert len(loaders) >= 9
    assert [place for place, call, *_ in loaders if option(call, "trust_remote_code") != "False"] == []


def test_no_program_that_is_started_has_a_terminal_to_ask_on() -> None:
    started = [
        (place, call) for place, call, name, owner in calls() if owner == "subprocess" and name in STARTERS
    ]
    assert len(started) >= 8
    asked = [
        place
        for place, call in started
        if option(call, "stdin") != "subprocess.DEVNULL" and option(call, "input") is None
    ]
    assert asked == []


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, list[str]]:
    """A model whose settings name Python of its own, and the questions that were asked."""
    folder, asked = tmp_path / "hostile", []
    folder.mkdir()
    (folder / "code.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    kinds = ("AutoConfig", "AutoModelForCausalLM")
    config = {"model_type": "hostile", "auto_map": {kind: "code.Hostile" for kind in kinds}}
    (folder / "config.json").write_text(json.dumps(config))
    names = {"tokenizer_class": "Hostile", "auto_map": {"AutoTokenizer": ["code.Hostile", None]}}
    (folder / "tokenizer_config.json").write_text(json.dumps({**names, "chat_template": "x"}))

    def ask(question: str = "") -> str:
        asked.append(question)
        return "y"

    monkeypatch.setattr(builtins, "input", ask)
    return folder, asked


def student_of(folder: str, scene: Scene) -> Any:
    return models.load_student(read_config(scene.config("out", model=folder), "sft"))


@pytest.mark.parametrize(
    "load",
    [
        lambda folder, scene: models.load_tokenizer(folder),
        student_of,
        lambda folder, scene: teachers.load_teacher(folder, False),
        lambda folder, scene: memory.shape_of(folder),
        lambda folder, scene: bench.config_of(folder, None),
    ],
    ids=["tokenizer", "student", "teacher", "preflight", "bench"],
)
def test_the_code_of_a_model_does_not_run(
    tmp_path: Path, hostile: tuple[Path, list[str]], scene: Scene, load: Callable[[str, Scene], Any]
) -> None:
    folder, asked = hostile
    with pytest.raises(Exception, match="code|trust_remote_code"):
        load(str(folder), scene)
    assert (asked, (tmp_path / "ran").exists()) == ([], False)
