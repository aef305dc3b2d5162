"""A target as it is found, and the Python environment that is made there."""

import contextlib
import os
import platform
import shutil
import subprocess
import sys
import time

from hasp_target import scheduler
from hasp_target.folders import make_private, only_one, write_atomic
from hasp_target.frames import Refused

PYTHONS = ["python3.13", "python3.12", "python3.11", "python3", "python"]
IS_RECENT = "import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))"
LEAST_NODE = 22
GPU_QUERY = ["nvidia-smi", "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader,nounits"]


def output_of(args):
    """The output of a program; None where it is missing or fails."""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(
            args,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            universal_newlines=True,
            timeout=scheduler.SECONDS,
        )
        return done.stdout.strip() if done.returncode == 0 else None
    return None


def recent_python(wanted):
    """A Python that the trainer runs with; None where there is none."""
    for name in [wanted] if wanted else PYTHONS:
        path = shutil.which(os.path.expanduser(name))
        if path and output_of([path, "-c", IS_RECENT]) is not None:
            return path
    return None


def node_at(path):
    """The major version of a Node; None where it is none."""
    text = output_of([path, "--version"]) if path else None
    return int(text[1:].split(".")[0]) if text and text.startswith("v") and text[1:2].isdigit() else None


def gpus():
    """The GPUs of this machine; None where there is no nvidia-smi."""
    text = output_of(GPU_QUERY)
    if text is None:
        return None
    rows = [
        [field.strip() for field in line.split(",")] for line in text.splitlines() if line.count(",") == 2
    ]
    return [{"name": name, "memoryMb": float(memory), "driver": driver} for name, memory, driver in rows]


def folder_fault(root):
    """Why the folder of the target cannot be used; None where it can."""
    trial = root.at(".trial-%d" % os.getpid())
    try:
        make_private(root.folder)
        with open(trial, "wb") as file:
            file.write(b"\0" * 65536)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return error.strerror or str(error)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(trial)
    return None


def probe(root, request):
    """All that decides whether jobs can run here, in one request."""
    fault = folder_fault(root)
    environment = request.get("environment")
    python = os.path.expanduser(environment) if environment else recent_python(request.get("python"))
    # An environment brings its own Node.
    beside = os.path.join(os.path.dirname(python), "node") if python else None
    nodes = [path for path in (shutil.which("node"), beside) if path and (node_at(path) or 0) >= LEAST_NODE]
    usage = shutil.disk_usage(root.folder if fault is None else os.path.expanduser("~"))
    slurm = output_of(["sbatch", "--version"])
    is_up = slurm is not None and output_of(["squeue", "--noheader", "--me"]) is not None
    yield (
        {
            "root": root.folder,
            "host": platform.node(),
            "system": platform.system(),
            "machine": platform.machine(),
            "version": list(sys.version_info[:3]),
            "python": python if python and os.path.exists(python) else None,
            "node": nodes[0] if nodes else None,
            "fault": fault,
            "freeBytes": usage.free,
            "slurm": slurm,
            "isSlurmUp": is_up,
            "gpus": gpus(),
            "time": time.time(),
        },
        b"",
    )


def rehearse(_root, request):
    """Has the scheduler look at a script without booking anything."""
    answer = scheduler.run(["sbatch", "--test-only"], text=request["script"])
    if answer is None:
        raise Refused("no-slurm", "sbatch is not there.")
    # Nodes that are down, or a job that no node can ever take: sbatch itself would queue it.
    has_no_node = "node configuration is not available" in answer.err.lower()
    if answer.code != 0 and not has_no_node:
        code = "no-controller" if answer.is_unreachable else "sbatch"
        raise Refused(code, answer.err or "sbatch --test-only ended with %d" % answer.code)
    yield {"words": answer.err, "hasNode": answer.code == 0}, b""


def lines_of(args, cwd, env):
    """The lines of a program as it writes them; Refused with the last one where it fails."""
    process = subprocess.Popen(
        args,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
        cwd=cwd,
        env=env,
    )
    last = ""
    with process:
        for line in process.stdout:
            if line.strip():
                last = line.strip()
                yield last
    if process.returncode != 0:
        raise Refused("prepare", last or "%s ended with %d" % (os.path.basename(args[0]), process.returncode))


def prepare(root, request):
    """
    Makes the Python environment with the packages of a list of requirements, and downloads models: here, because nodes may have no way out.
    What is there stays.
    """
    folder = root.at("environments", os.path.basename(request["name"]))
    bin_folder = os.path.join(folder, "bin")
    python = os.path.join(bin_folder, "python")
    make_private(root.at("environments"))
    with only_one(root.at("environments", "lock")):
        if not os.path.exists(os.path.join(folder, "complete")):
            base = recent_python(request.get("python"))
            if base is None:
                raise Refused("no-python", "No Python 3.11, 3.12 or 3.13 is on the PATH.")
            env = dict(os.environ, UV_CACHE_DIR=root.at("cache", "uv"), PIP_DISABLE_PIP_VERSION_CHECK="1")
            for args in installs(root, request, base, folder):
                for line in lines_of(args, root.folder, env):
                    yield {"line": line}, b""
            write_atomic(os.path.join(folder, "complete"), "")
    yield {"python": python, "node": os.path.join(bin_folder, "node")}, b""


def installs(root, request, base, folder):
    """The commands that make an environment."""
    tools = root.at("environments", "uv-" + request["uv"][:12])
    uv = os.path.join(tools, "bin", "uv")
    if not os.path.exists(uv):
        yield [base, "-m", "venv", tools]
        pip = [os.path.join(tools, "bin", "python"), "-m", "pip", "install", "--require-hashes", "-r"]
        yield pip + [root.stored(request["uv"])]
    requirements = root.at("environments", request["name"] + ".txt")
    shutil.copyfile(root.stored(request["requirements"]), requirements)
    if not os.path.exists(os.path.join(folder, "bin", "python")):
        yield [uv, "venv", "--python", base, folder]
    yield [
        uv,
        "pip",
        "sync",
        "--python",
        os.path.join(folder, "bin", "python"),
        "--require-hashes",
        requirements,
    ]


def fetch_models(root, request):
    """Downloads models from the hub into the folder that nodes read."""
    env = dict(
        os.environ, HF_HOME=root.at("hub"), PYTHONPATH=root.at("programs", request["program"], "trainer")
    )
    env.update(request.get("env", {}))
    for line in lines_of(
        [request["python"], "-m", "hasp_trainer", "fetch"] + request["models"], root.folder, env
    ):
        yield {"line": line}, b""
    yield {}, b""
