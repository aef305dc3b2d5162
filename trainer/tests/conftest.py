"""Set before the imports of Hugging Face, which read them: no network, an empty cache, no GPU, one thread."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

os.environ.update(
    HF_HOME=tempfile.mkdtemp(prefix="hasp-hub-"),
    HF_HUB_OFFLINE="1",
    HF_HUB_DISABLE_TELEMETRY="1",
    HF_DATASETS_DISABLE_PROGRESS_BARS="1",
    HF_HUB_DISABLE_PROGRESS_BARS="1",
    CUDA_VISIBLE_DEVICES="",
    TOKENIZERS_PARALLELISM="false",
    OMP_NUM_THREADS="1",
)

import pytest
import torch
from scene import Scene
from tiny import save_tiny_model, tiny_tokenizer

torch.set_num_threads(1)


def pytest_unconfigure() -> None:
    shutil.rmtree(os.environ["HF_HOME"])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if os.environ.get("HASP_TEST_THOROUGH") == "1":
        return
    left_out = [item for item in items if item.get_closest_marker("thorough")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


@pytest.fixture(scope="session")
def tokenizer():
    return tiny_tokenizer()


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory) -> str:
    folder = str(tmp_path_factory.mktemp("model"))
    save_tiny_model(folder, tiny_tokenizer())
    return folder


@pytest.fixture
def scene(tmp_path: Path, model_folder: str) -> Scene:
    return Scene(tmp_path, model_folder)
