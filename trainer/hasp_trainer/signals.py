"""SIGTERM and SIGINT end a training after a checkpoint, at once where it has not begun to train."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from typing import Any

from hasp_trainer.errors import Stopped


class Stop:
    """Whether someone asked the process to end."""

    def __init__(self) -> None:
        self.is_asked = False
        self._is_training = False

    def listen(self) -> None:
        """From now on the two signals are answered here."""
        for one in (signal.SIGTERM, signal.SIGINT):
            signal.signal(one, self._answer)

    @contextlib.contextmanager
    def training(self) -> Iterator[None]:
        """Within it a signal only leaves a note, which the training reads after its step."""
        self._is_training = True
        try:
            yield
        finally:
            self._is_training = False

    def _answer(self, number: int, frame: Any) -> None:
        self.is_asked = True
        if not self._is_training:
            raise Stopped("stopped before the first step", "the same command begins again")


stop = Stop()
