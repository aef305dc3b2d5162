"""A folder with training data, configs and outputs, as a job would have it."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hasp_trainer.__main__ import main
from hasp_trainer.config import TrainConfig, read_config
from hasp_trainer.signals import stop


def messages(role: str, content: str) -> list[dict[str, str]]:
    return [{"role": role, "content": content}]


def sft_row(number: int, weight: Any = 1.0) -> dict[str, Any]:
    """Rows of several lengths; the answers repeat, so that they can be learned."""
    return {
        "prompt": messages("user", f"question {number} " + "x" * (number % 5)),
        "completion": messages("assistant", "ab" * (2 + number % 3)),
        "sample_weight": weight,
        "run": "r",
    }


def dpo_row(number: int, weight: Any = 1.0) -> dict[str, Any]:
    row = sft_row(number, weight)
    return {
        "prompt": row["prompt"],
        "chosen": row["completion"],
        "rejected": messages("assistant", "cd" * (1 + number % 2)),
        "sample_weight": weight,
    }


SETTINGS = {
    "method": "sft",
    "data": ["a-sft.jsonl"],
    "learning_rate": 1e-2,
    "lora": {"rank": 4, "alpha": 8, "dropout": 0},
    "gradient_checkpointing": False,
    "tokens_per_step": 150,
    "batch": 2,
    "max_length": 256,
    "epochs": 2,
    "log_every": 2,
    "save_every": 4,
}


@dataclass
class Scene:
    folder: Path
    model: str
    settings: dict[str, Any] = field(default_factory=lambda: dict(SETTINGS))

    def __post_init__(self) -> None:
        os.chdir(self.folder)
        self.write_rows("a-sft.jsonl", [sft_row(i, 0.25 * (1 + i % 4)) for i in range(12)])

    def write_rows(self, name: str, rows: list[Any]) -> None:
        (self.folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))

    def config(self, output: str, **changes: Any) -> str:
        """Writes a train config and gives its name."""
        name = f"{Path(output).name}.json"
        data = {**self.settings, "model": self.model, "output": output, **changes}
        (self.folder / name).write_text(json.dumps(data))
        return name

    def read(self, output: str, **changes: Any) -> TrainConfig:
        return read_config(self.config(output, **changes))

    def run(self, output: str, **changes: Any) -> int:
        """The command of the config's method, in this process. Gives its exit code."""
        config = self.config(output, **changes)
        stop.is_asked = False
        method = changes.get("method", self.settings["method"])
        handlers = {one: signal.getsignal(one) for one in (signal.SIGTERM, signal.SIGINT)}
        try:
            return main([method, config])
        finally:
            for one, handler in handlers.items():
                signal.signal(one, handler)

    def killed(self, output: str, prepare: Callable[[], None], **changes: Any) -> int:
        """The same in a process of its own, in which `prepare` arranges its end. Gives its exit code, or -signal."""

        def work() -> None:
            prepare()
            os._exit(self.run(output, **changes))

        process = multiprocessing.get_context("fork").Process(target=work)
        process.start()
        process.join()
        return process.exitcode

    def curve(self, output: str) -> list[dict[str, Any]]:
        return [
            json.loads(line) for line in (self.folder / output / "metrics.jsonl").read_text().splitlines()
        ]

    def result(self, output: str) -> dict[str, Any]:
        return json.loads((self.folder / output / "result.json").read_text())
