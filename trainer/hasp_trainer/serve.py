"""Serves a student for rollouts behind an address that speaks OpenAI's chat completions.

    python -m hasp_trainer serve --model M [--adapter A] [--engine auto|vllm|transformers] [--port 0] [--name student]

Prints `ready http://127.0.0.1:PORT/v1 NAME` once a first reply was given, and serves until SIGTERM, SIGINT, or the
end of the process that started it (its end of a stdin pipe closes, or `--with-parent`). Nothing else goes to stdout;
the engine's own lines go to stderr. Ends with 0 when it was stopped, 2 for bad input, 1 where the engine failed.

HASP_STUDENT_KEY holds the key that each request must bring. The engine does not get it: it listens on a socket in a
folder of this user alone, behind `student_proxy`.

Engines: vLLM where a GPU and the package are there, else `transformers serve`. Both sample as the call says and by
nothing else: the defaults of the model's generation_config.json, such as a repetition penalty, are left out, except
for its end tokens. Temperature 0 is greedy. A `seed` holds for its call with either engine; calls of
`transformers serve` run one at a time, those of vLLM are batched, which may round otherwise from run to run.
"""

from __future__ import annotations

import argparse
import collections
import importlib.util
import json
import os
import re
import select
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from hasp_trainer.engine_address import EngineAddress, address_in
from hasp_trainer.errors import Failed, Refused
from hasp_trainer.model_folder import check_adapter, check_model, json_of, local_folder
from hasp_trainer.parent import die_with_parent
from hasp_trainer.served_folder import lay_out

LORA_RANKS = (8, 16, 32, 64, 128, 256, 320, 512)
"""Upper limits that vLLM takes for the rank of an adapter."""
KEY_VARIABLE = "HASP_STUDENT_KEY"
KEPT_LINES = 5
GRACE_SECONDS = 5.0
POLL_SECONDS = 0.2


class Order(NamedTuple):
    """The arguments of a call; never the key, since other users can read arguments."""

    model: str
    adapter: str | None
    engine: str
    port: int
    name: str
    # Longest prompt with reply, in tokens, for vLLM; unset: the model's own.
    max_length: int | None
    start_seconds: float
    with_parent: bool


# ---- the engines ----


def pick_engine(asked: str) -> str:
    if asked == "transformers":
        return asked
    if importlib.util.find_spec("vllm") is None:
        if asked == "auto":
            return "transformers"
        raise Refused(
            "vLLM is not installed here.", "Install the extra `gpu`, or take --engine transformers."
        )
    import torch

    if torch.cuda.is_available():
        return "vllm"
    if asked == "auto":
        return "transformers"
    raise Refused("vLLM needs a GPU, and PyTorch sees none.", "Take --engine transformers.")


PROXY_NEEDS = ("httpx2", "starlette", "uvicorn")
NEEDS = {"vllm": PROXY_NEEDS, "transformers": (*PROXY_NEEDS, "fastapi", "openai")}
EXTRAS = {"vllm": "gpu", "transformers": "serve"}


def need_packages(engine: str) -> None:
    missing = [name for name in NEEDS[engine] if importlib.util.find_spec(name) is None]
    if missing:
        raise Refused(
            f"Serving with {engine} needs {', '.join(missing)}.",
            f"Install hasp-trainer with its extra `{EXTRAS[engine]}`.",
        )


def take_key() -> str:
    """The key of the student, which no process that is started from here gets."""
    key = os.environ.pop(KEY_VARIABLE, "")
    if re.fullmatch("[0-9a-f]{64}", key):
        return key
    raise Refused(
        f"{KEY_VARIABLE} must hold the key of the student: 64 hexadecimal digits.",
        f"Set it with: export {KEY_VARIABLE}=$(openssl rand -hex 32)",
    )


def rank_limit(adapter: Path) -> int:
    config = json_of(adapter / "adapter_config.json")
    rank = max([int(config.get("r", 8)), *map(int, (config.get("rank_pattern") or {}).values())])
    for limit in LORA_RANKS:
        if rank <= limit:
            return limit
    raise Refused(f"vLLM serves no adapter of rank {rank}.", "Take --engine transformers.")


def command_of(
    engine: str, order: Order, model: Path, adapter: Path | None, address: EngineAddress
) -> list[str]:
    """The engine's command line; `transformers serve` runs in the folder that holds `order.name`."""
    if engine == "transformers":
        # The folder's name is the only model name that it takes, so it is started beside the folder.
        return [sys.executable, "-m", "hasp_trainer.transformers_server", order.name, *address.arguments]
    command = [sys.executable, "-m", "vllm.entrypoints.cli.main", "serve", str(model), *address.arguments]
    command += ["--generation-config", str(model), "--no-trust-remote-code"]
    command += ["--uvicorn-log-level", "warning", "--seed", "0"]
    if order.max_length is not None:
        command += ["--max-model-len", str(order.max_length)]
    if adapter is None:
        return [*command, "--served-model-name", order.name]
    command += ["--served-model-name", f"{order.name}-base", "--enable-lora"]
    command += ["--max-lora-rank", str(rank_limit(adapter)), "--lora-modules", f"{order.name}={adapter}"]
    return command


class Engine:
    """A running engine with the processes it started, and the last lines it printed."""

    def __init__(self, command: list[str], folder: Path) -> None:
        package = str(Path(__file__).resolve().parent.parent)
        paths = [package, *filter(None, [os.environ.get("PYTHONPATH")])]
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            # A group of its own: Ctrl-C reaches us alone, and we end the whole group.
            start_new_session=True,
            preexec_fn=die_with_parent if sys.platform == "linux" else None,
        )
        self.lines: collections.deque[str] = collections.deque(maxlen=KEPT_LINES)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self) -> None:
        for raw in self.process.stdout or ():
            line = raw.decode("utf-8", "replace").rstrip()
            if line:
                # A traceback's indented lines say where, not what.
                if not line[0].isspace():
                    self.lines.append(line)
                print(line, file=sys.stderr, flush=True)

    def has_ended(self) -> bool:
        return self.process.poll() is not None

    def last_lines(self) -> str:
        self.reader.join(2)
        return " / ".join(line.strip() for line in self.lines) or "none"

    def signal_all(self, number: int) -> None:
        try:
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, number)
            else:
                self.process.send_signal(number)
        except (ProcessLookupError, PermissionError):
            pass

    def end(self) -> None:
        """Asks it to end, and after a while makes it; its helpers as well, even where it has ended already."""
        self.signal_all(signal.SIGTERM)
        try:
            self.process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            pass
        self.signal_all(getattr(signal, "SIGKILL", signal.SIGTERM))
        self.process.wait()


# ---- the end ----


class Stop:
    """Becomes true when somebody wants the server to end."""

    def __init__(self, with_parent: bool) -> None:
        self.asked = threading.Event()
        self.parent = os.getppid() if with_parent else None
        for number in (signal.SIGTERM, signal.SIGINT, getattr(signal, "SIGHUP", signal.SIGTERM)):
            signal.signal(number, self.on_signal)
        if stdin_is_held():
            threading.Thread(target=self.watch_stdin, daemon=True).start()

    def on_signal(self, number: int, frame: FrameType | None) -> None:
        self.asked.set()

    def watch_stdin(self) -> None:
        while os.read(0, 4096):
            pass
        self.asked.set()

    def wait(self, seconds: float) -> bool:
        if self.parent is not None and os.getppid() != self.parent:
            self.asked.set()
        return self.asked.wait(seconds)


def stdin_is_held() -> bool:
    """Whether stdin is a pipe whose other end is open: its closing then says that the starting process has ended."""
    try:
        mode = os.fstat(0).st_mode
    except OSError:
        return False
    if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
        return False
    try:
        readable, _, _ = select.select([0], [], [], 0)
    except OSError:
        # Windows: only sockets can be asked.
        return False
    # Readable before anything can have been written: it was closed from the start, which says nothing.
    return not readable


# ---- the start ----


class Student(NamedTuple):
    """A served student as its clients see it."""

    url: str
    name: str
    key: str


# Without the proxies of the environment: the key goes to this machine alone.
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def answers(student: Student) -> bool:
    request = urllib.request.Request(
        f"{student.url}/health", headers={"authorization": f"Bearer {student.key}"}
    )
    try:
        with DIRECT.open(request, timeout=5) as reply:
            return reply.status == 200
    except OSError:
        return False


def first_reply(student: Student, seconds: float) -> str | None:
    """Asks for one token; the trouble in words, or nothing where it came."""
    body = {
        "model": student.name,
        "messages": [{"role": "user", "content": "Hello"}],
        "max_tokens": 1,
        "temperature": 0,
    }
    request = urllib.request.Request(
        f"{student.url}/v1/chat/completions",
        json.dumps(body).encode(),
        {"content-type": "application/json", "authorization": f"Bearer {student.key}"},
    )
    try:
        with DIRECT.open(request, timeout=seconds) as reply:
            found = json.load(reply)
    except urllib.error.HTTPError as error:
        return f"status {error.code}: {error.read(500).decode('utf-8', 'replace')}"
    except (OSError, ValueError) as error:
        return str(error)
    return None if isinstance(found, dict) and found.get("choices") else "a reply without a choice"


def await_ready(engine: Engine, student: Student, start_seconds: float, stop: Stop) -> bool:
    """True when a first reply came, false where the server is to end before."""
    deadline = time.monotonic() + start_seconds
    while not answers(student):
        if engine.has_ended():
            raise Failed(
                f"The server ended with code {engine.process.returncode} before it answered. Its last lines: "
                f"{engine.last_lines()}",
                "Read them; a model that does not fit the card needs another card or --max-length.",
            )
        if time.monotonic() > deadline:
            raise Failed(
                f"The server did not answer within {start_seconds:g} s. Its last lines: "
                f"{engine.last_lines()}",
                "Give it longer with --start-seconds.",
            )
        if stop.wait(POLL_SECONDS):
            return False
    trouble = first_reply(student, max(5.0, deadline - time.monotonic()))
    if stop.asked.is_set():
        return False
    if trouble is not None:
        raise Failed(
            f"The server gave no first reply: {trouble}. Its last lines: {engine.last_lines()}",
            "Check that the model's chat template takes a message of a user.",
        )
    return True


def serve(order: Order) -> None:
    """Serves until it is asked to end. Raises Refused and Failed."""
    stop = Stop(order.with_parent)
    key = take_key()
    if not order.name.replace("-", "").replace("_", "").replace(".", "").isalnum():
        raise Refused(f"{order.name} is no name for a model.", "Take letters, digits, dashes and dots.")
    adapter = Path(order.adapter).resolve() if order.adapter else None
    if adapter is not None and (adapter / "config.json").is_file():
        # All weights were trained: the folder is a model of its own.
        model, adapter = adapter, None
    else:
        model = local_folder(order.model)
    check_model(model)
    if adapter is not None:
        check_adapter(adapter)
    engine_name = pick_engine(order.engine)
    need_packages(engine_name)
    from hasp_trainer.student_proxy import StudentServer

    with tempfile.TemporaryDirectory(prefix="hasp-serve-") as folder:
        target = Path(folder) / order.name
        lay_out(model, adapter if engine_name == "transformers" else None, target)
        address = address_in(Path(folder))
        server = StudentServer(address, key, order.port)
        # Before the server's thread: a process that has threads does not fork safely.
        engine = Engine(command_of(engine_name, order, target, adapter, address), Path(folder))
        student = Student(f"http://127.0.0.1:{server.port}", order.name, key)
        try:
            with server:
                serve_until(stop, engine, student, order.start_seconds)
        finally:
            engine.end()


def serve_until(stop: Stop, engine: Engine, student: Student, start_seconds: float) -> None:
    if not await_ready(engine, student, start_seconds, stop):
        return
    print(f"ready {student.url}/v1 {student.name}", flush=True)
    while not stop.wait(POLL_SECONDS):
        if engine.has_ended():
            raise Failed(
                f"The server ended with code {engine.process.returncode}. Its last lines: "
                f"{engine.last_lines()}",
                "Start it again.",
            )


def run(args: argparse.Namespace) -> int:
    serve(Order(**{field: getattr(args, field) for field in Order._fields}))
    return 0
