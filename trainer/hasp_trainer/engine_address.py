"""Where the engine of a student listens: out of reach of other users and of web pages."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import NamedTuple

from hasp_trainer.errors import Refused

LONGEST_SOCKET = 103
"""Bytes of the path of a Unix socket, without its end: 107 on Linux, 103 on macOS."""


class EngineAddress(NamedTuple):
    """A Unix socket, or on Windows, whose Python has none, a port that only the proxy knows."""

    socket: str | None
    port: int = 0

    @property
    def arguments(self) -> list[str]:
        """Arguments of vLLM and of `transformers_server`."""
        if self.socket is not None:
            return ["--uds", self.socket]
        return ["--host", "127.0.0.1", "--port", str(self.port)]


def address_in(folder: Path) -> EngineAddress:
    """A new address. `folder` must be open to this user alone. Raises Refused where its path is too long."""
    if not hasattr(socket, "AF_UNIX"):
        return EngineAddress(None, free_port())
    path = str(folder / "engine.sock")
    if len(path.encode()) > LONGEST_SOCKET:
        raise Refused(
            f"The path of the temporary folder is too long for a socket: {folder}.",
            "Set TMPDIR to a folder with a shorter path.",
        )
    return EngineAddress(path)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
