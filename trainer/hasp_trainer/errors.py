"""How a command ends other than well: each of these is told in two lines, never as a traceback."""

from __future__ import annotations

INPUT, FAILURE, STOPPED = 2, 1, 75
"""Exit codes: bad input, a failure, and stopped after a checkpoint (EX_TEMPFAIL: the same command resumes)."""


class Ending(Exception):
    """An end with a message and the next step; `code` is the exit code."""

    code = FAILURE

    def __init__(self, message: str, next: str) -> None:
        super().__init__(message)
        self.message = message
        self.next = next


class Refused(Ending):
    """Input that cannot be used: nothing was begun and nothing was written."""

    code = INPUT


class Failed(Ending):
    """Something broke on the way, such as a full disk; the checkpoints before it are kept."""


class Stopped(BaseException):
    """SIGTERM or SIGINT; the same command resumes. No library may take it for an error of its own."""

    code = STOPPED

    def __init__(self, message: str, next: str) -> None:
        super().__init__(message)
        self.message = message
        self.next = next
