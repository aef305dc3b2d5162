"""`fetch` against a hub on this machine, and what is downloaded against commands that have no network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hub import REVISION, Hub, serving
from scene import Scene

from hasp_trainer.offline import missing_files, needed

ROOT = Path(__file__).parent.parent
BIN = b"the same weights again" * 1000


@pytest.fixture
def hub(model_folder: str) -> Iterator[Hub]:
    """A tiny model, with files beside it that nobody reads."""
    files = {file.name: file.read_bytes() for file in Path(model_folder).iterdir()}
    others = {
        "pytorch_model.bin": BIN,
        "onnx/model.onnx": BIN,
        "README.md": b"# A model",
        ".gitattributes": b"",
    }
    with serving(Hub(files | others)) as found:
        yield found


def trainer(folder: Path, url: str, *args: str, **env: str) -> tuple[int, list[str], list[str]]:
    """Exit code, lines of output and of errors of a command with a cache of its own."""
    base = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    own = {"HF_HOME": str(folder / "hf"), "HF_ENDPOINT": url, "PYTHONPATH": str(ROOT), **env}
    done = subprocess.run(
        [sys.executable, "-m", "hasp_trainer", *args],
        cwd=folder,
        env={**base, **own},
        capture_output=True,
        text=True,
        timeout=600,
    )
    return done.returncode, done.stdout.splitlines(), done.stderr.splitlines()


def fetch(folder: Path, hub: Hub, *models: str, **env: str) -> tuple[int, list[str], list[str]]:
    return trainer(folder, hub.url, "fetch", *models, **env)


def told(errors: list[str]) -> dict[str, str]:
    """The two lines of an error."""
    return dict(line.split(": ", 1) for line in errors if line.startswith(("error: ", "next: ")))


def ref(folder: Path) -> Path:
    return folder / "hf/hub/models--owner--name/refs/main"


def test_the_files_that_are_read_are_downloaded_once(tmp_path: Path, hub: Hub):
    code, out, err = fetch(tmp_path, hub, "owner/name")
    assert (code, told(err)) == (0, {}), err
    *lines, last = out
    found = json.loads(last)
    assert (found["model"], found["revision"]) == ("owner/name", REVISION)
    names = {line.split("  ")[1] for line in lines}
    assert names == set(hub.files) - {"pytorch_model.bin", "onnx/model.onnx", "README.md", ".gitattributes"}
    assert found["bytes"] == sum(len(hub.files[name]) for name in names)
    size = len(hub.files["config.json"])
    assert any(line.endswith(f"  config.json  {size:,} bytes") for line in lines)
    folder = Path(found["folder"])
    assert all((folder / name).read_bytes() == hub.files[name] for name in names)
    assert ref(tmp_path).read_text() == REVISION
    # Again: nothing is downloaded.
    hub.asked.clear()
    assert fetch(tmp_path, hub, "owner/name")[1] == out
    assert [path for method, path, _ in hub.asked if method == "GET" and "/resolve/" in path] == []


OFFLINE = {"HF_HUB_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1"}


def test_training_finds_it_without_a_network(scene: Scene, hub: Hub):
    """By its name, in this process, whose HF_HUB_OFFLINE makes an error of whatever asks a hub."""
    assert fetch(scene.folder, hub, "owner/name", HF_HOME=os.environ["HF_HOME"])[0] == 0
    assert scene.run("out", model="owner/name", max_steps=1) == 0
    assert Path("out/adapter/adapter_model.safetensors").is_file()


@pytest.mark.thorough
def test_every_command_finds_it_without_a_network(scene: Scene, hub: Hub):
    """A training, preflight, the folder that is served, and fetch itself. The hub is not asked again."""
    assert fetch(scene.folder, hub, "owner/name")[0] == 0
    hub.asked.clear()
    config = scene.config("out", model="owner/name", max_steps=1)
    code, _, err = trainer(scene.folder, hub.url, "sft", config, **OFFLINE)
    assert code == 0, err
    code, out, err = trainer(scene.folder, hub.url, "preflight", config, **OFFLINE)
    assert (code, out[-1]) == (0, "fits"), err
    served = "from hasp_trainer.model_folder import local_folder; print(local_folder('owner/name'))"
    found = subprocess.run(
        [sys.executable, "-c", served],
        env={**os.environ, "HF_HOME": str(scene.folder / "hf"), "PYTHONPATH": str(ROOT), **OFFLINE},
        capture_output=True,
        text=True,
    )
    assert found.stdout.strip().endswith(f"/snapshots/{REVISION}"), found.stderr
    code, out, err = trainer(scene.folder, hub.url, "fetch", "owner/name", **OFFLINE)
    assert (code, json.loads(out[-1])["revision"]) == (0, REVISION)
    assert hub.asked == []


def test_a_connection_that_breaks_is_taken_up_where_it_broke(tmp_path: Path, hub: Hub):
    hub.files["model.safetensors"] += b"x" * 25_000_000
    hub.cut = ("model.safetensors", 15_000_000)
    code, out, err = fetch(tmp_path, hub, "owner/name")
    assert code == 0, err
    first, second = hub.gets("model.safetensors")
    assert first is None
    # Parts of 10 MiB are kept.
    assert second == f"bytes={10 * 2**20}-"
    folder = Path(json.loads(out[-1])["folder"])
    assert (folder / "model.safetensors").read_bytes() == hub.files["model.safetensors"]


def test_a_download_that_fails_is_not_taken_for_the_model(tmp_path: Path, hub: Hub):
    """A file cannot be had; the rest is kept, and the same command completes it."""
    with serving(Hub(Gone(hub.files, "tokenizer.json"))) as broken:
        code, _, err = fetch(tmp_path, broken, "owner/name")
    assert code == 1
    assert "owner/name: the hub answers with status 404" in told(err)["error"]
    assert not ref(tmp_path).exists()
    code, _, err = fetch(tmp_path, hub, "owner/name", HF_HUB_OFFLINE="1")
    assert code == 2
    assert "is not complete on this machine" in told(err)["error"]
    code, out, _ = fetch(tmp_path, hub, "owner/name")
    assert code == 0
    assert hub.gets("model.safetensors") == [] and hub.gets("tokenizer.json") == [None]
    assert ref(tmp_path).read_text() == REVISION


class Gone(dict[str, bytes]):
    """Files of which one is listed, but not there."""

    def __init__(self, files: dict[str, bytes], gone: str) -> None:
        super().__init__(files)
        self.gone = gone

    def __contains__(self, name: Any) -> bool:
        return name != self.gone and super().__contains__(name)


def again(*case: Any) -> Any:
    """A further case in a process of its own, which imports the hub's library anew."""
    return pytest.param(*case, marks=pytest.mark.thorough)


@pytest.mark.parametrize(
    ("refusal", "code", "error", "step"),
    [
        again((401, "RepoNotFound"), 2, "the hub knows no such model, or it is private", "HF_TOKEN"),
        again((404, "RepoNotFound"), 2, "the hub knows no such model, or it is private", "Check the name"),
        ((401, "GatedRepo"), 2, "does not let you have this model (status 401)", "Accept its conditions"),
        again((403, "GatedRepo"), 2, "does not let you have this model (status 403)", "HF_TOKEN"),
        ((400, "x"), 1, "the hub answers with status 400", "Try again"),
    ],
)
def test_a_hub_that_refuses(tmp_path: Path, hub: Hub, refusal, code: int, error: str, step: str):
    hub.refusal = refusal
    found, _, err = fetch(tmp_path, hub, "owner/name")
    assert found == code
    assert error in told(err)["error"] and step in told(err)["next"]
    assert "Traceback" not in "".join(err)


def test_without_a_network(tmp_path: Path, hub: Hub):
    code, _, err = trainer(tmp_path, "http://127.0.0.1:9", "fetch", "owner/name")
    assert code == 1
    assert "owner/name: the hub cannot be reached" in told(err)["error"]
    assert "login node" in told(err)["next"]


def test_a_disk_that_is_too_small(tmp_path: Path, hub: Hub):
    """Found before anything is downloaded."""
    hub.sizes["model.safetensors"] = 10**16
    code, _, err = fetch(tmp_path, hub, "owner/name")
    assert code == 1
    assert "no space for owner/name: it takes 10,000,000.0 GB" in told(err)["error"]
    assert "HF_HOME" in told(err)["next"]
    assert hub.gets("config.json") == []


@pytest.mark.parametrize("name", [again("a/b/c"), again("no such name"), "../x"])
def test_names_that_are_none(tmp_path: Path, hub: Hub, name: str):
    code, _, err = fetch(tmp_path, hub, name)
    assert (code, "Traceback" in "".join(err)) == (2, False), err
    assert name in told(err)["error"]


def test_a_folder_is_answered_as_it_is(tmp_path: Path, hub: Hub, model_folder: str):
    code, out, _ = fetch(tmp_path, hub, model_folder)
    found = json.loads(out[-1])
    assert (code, found["revision"], found["folder"]) == (0, None, model_folder)
    assert found["bytes"] > 0 and hub.asked == []
    (tmp_path / "empty").mkdir()
    code, _, err = fetch(tmp_path, hub, "./empty")
    assert (code, "no config.json" in told(err)["error"]) == (2, True)


def test_one_form_of_the_weights_is_chosen():
    shards = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"]
    index = "model.safetensors.index.json"
    other = [
        "pytorch_model.bin",
        "pytorch_model.bin.index.json",
        "consolidated.safetensors",
        "x/model.safetensors",
    ]
    small = ["config.json", "tokenizer.json", "merges.txt", "tokenizer.model", "chat_template.jinja"]
    assert needed([*small, *shards, index, *other, "LICENSE", "model.gguf"]) == sorted(
        [*small, *shards, index]
    )
    assert needed(["config.json", "pytorch_model.bin", "tf_model.h5"]) == ["config.json", "pytorch_model.bin"]
    assert needed(["config.json", "weights.safetensors"]) == ["config.json", "weights.safetensors"]
    assert needed(["additional_chat_templates/tools.jinja"]) == ["additional_chat_templates/tools.jinja"]


def test_a_model_that_lacks_a_part(tmp_path: Path):
    assert missing_files(str(tmp_path)) == ("config.json", "a tokenizer", "its weights")
    for name in ("config.json", "tokenizer.json", "model-1.safetensors"):
        (tmp_path / name).write_text("{}")
    index = tmp_path / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": {"a": "model-1.safetensors", "b": "model-2.safetensors"}}))
    assert missing_files(str(tmp_path)) == ("model-2.safetensors",)
    (tmp_path / "model-2.safetensors").write_text("")
    assert missing_files(str(tmp_path)) == ()
    index.write_text("{")
    assert missing_files(str(tmp_path)) == (index.name,)
