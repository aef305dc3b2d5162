"""SIGTERM, SIGINT and SIGUSR1 end a training after a checkpoint, at once where it has not begun to train.

SIGUSR1 is the signal by which clusters announce that a job's time ends or that another job takes its place.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from typing import Any

from hasp_trainer.errors import Stopped


ANSWERED = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGUSR1") if hasattr(signal, name))


class Stop:
    """Whether someone asked the process to end."""

    def __init__(self) -> None:
        self.is_asked = False
        self._is_training = False

    def listen(self) -> None:
        """From now on these signals are answered here."""
        for one in ANSWERED:
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
        was_asked, self.is_asked = self.is_asked, True
        # A launcher passes on what this process may have got itself.
        if not self._is_training and not was_asked:
            raise Stopped("stopped before the first step", "the same command begins again")


stop = Stop()
