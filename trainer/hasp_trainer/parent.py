"""A process that ends with the one that started it."""

from __future__ import annotations

import ctypes
import signal


def die_with_parent() -> None:
    """Linux: the kernel ends this process when the one that started it has ended, however that came about."""
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
