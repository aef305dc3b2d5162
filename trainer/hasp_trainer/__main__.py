"""`python -m hasp_trainer`: one command for each method, and the checks and the server around them.

PyTorch is imported only by the command that needs it, so that help and mistakes in a config are answered at once.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import traceback
import warnings
from typing import Any, NoReturn

from hasp_trainer.config import METHODS, read_config
from hasp_trainer.errors import FAILURE, Ending, Refused, Stopped
from hasp_trainer.outputs import open_output
from hasp_trainer.processes import Elsewhere, world
from hasp_trainer.signals import stop

ABOUT = {
    "sft": "supervised fine-tuning on corrected actions, weighted by row",
    "dpo": "direct preference optimization on corrected and first actions, weighted by row",
    "distil": "distillation of a local teacher's distribution on the student's own answers",
    "sdft": "self-distillation: the student learns from itself with the contexts of program functions",
}


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="python -m hasp_trainer", description="The training jobs of HASP Studio."
    )
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for method in METHODS:
        one = commands.add_parser(method, help=ABOUT[method])
        one.add_argument("config", metavar="CONFIG", help="train config in YAML or JSON")
    preflight = commands.add_parser(
        "preflight", help="say whether model, batch and length fit, before a training"
    )
    preflight.add_argument("config", metavar="CONFIG", nargs="?", help="train config in YAML or JSON")
    preflight.add_argument(
        "--machine", action="store_true", help="look at the machine alone, without a config"
    )
    preflight.add_argument("--folder", default=".", help="of the machine: a folder whose disk is looked at")
    preflight.add_argument("--model", help="of the machine: a model that is to be there without a network")
    add_processes(preflight, 1)
    preflight.add_argument("--json", action="store_true", help="print the findings as JSON")
    serve = commands.add_parser("serve", help="serve a model over HTTP until SIGTERM")
    serve.add_argument("--model", required=True, help="folder or hub name")
    serve.add_argument("--adapter", help="folder of a LoRA adapter on it")
    serve.add_argument("--engine", choices=("auto", "vllm", "transformers"), default="auto")
    serve.add_argument("--port", type=int, default=0, help="0 picks a free one")
    serve.add_argument("--name", default="student", help="the model's name in requests")
    serve.add_argument("--max-length", type=int, help="longest prompt with reply, in tokens (vLLM)")
    serve.add_argument("--start-seconds", type=float, default=1500.0, help="the longest start")
    serve.add_argument("--with-parent", action="store_true", help="end when the starting process has ended")
    add_launch(commands)
    fetch = commands.add_parser("fetch", help="download models for machines without internet")
    fetch.add_argument("models", metavar="MODEL", nargs="+", help="name in the hub, or a folder")
    commands.add_parser("node", help="print the path of the environment's Node.js")
    bench = commands.add_parser("bench", help="measure the weighted SFT beside plain TRL")
    which = bench.add_mutually_exclusive_group(required=True)
    which.add_argument("--model", help="folder or hub name")
    which.add_argument("--random", choices=("0.5b", "tiny"), help="a model of that size with random weights")
    bench.add_argument("--rows", type=int, default=256)
    bench.add_argument("--length", type=int, default=1024, help="tokens of the longest rows")
    bench.add_argument("--batch", type=int, default=8, help="rows at once")
    bench.add_argument("--accumulate", type=int, default=2, help="batches of an optimizer step")
    bench.add_argument("--steps", type=int, default=8, help="optimizer steps of a run")
    bench.add_argument("--pairs", type=int, default=4, help="runs of both trainers that are kept")
    bench.add_argument("--full", action="store_true", help="train all weights, without an adapter")
    bench.add_argument("--checkpointing", action="store_true", help="with gradient checkpointing")
    bench.add_argument("--load-test", action="store_true", help="preflight's estimates beside memory in use")
    bench.add_argument("--tokens-per-step", type=int, default=65536, help="of the load test")
    bench.add_argument("--json", metavar="FILE", help="write the figures there as well")
    return top


def add_launch(commands: Any) -> None:
    launch = commands.add_parser("launch", help="run a training in several processes, one for each GPU")
    add_processes(launch, 1)
    launch.add_argument("--node", type=int, help="number of this machine, from 0; SLURM gives it")
    launch.add_argument("--address", default="127.0.0.1", help="host name of the first machine")
    launch.add_argument("--port", type=int, default=0, help="where the processes meet; 0 picks a free one")
    launch.add_argument("method", choices=METHODS)
    launch.add_argument("config", metavar="CONFIG", help="train config in YAML or JSON")


def add_processes(command: argparse.ArgumentParser, processes: int) -> None:
    command.add_argument("--processes", type=int, default=processes, help="on each machine")
    command.add_argument("--nodes", type=int, default=1, help="machines")


def run(args: argparse.Namespace) -> int:
    """Each method's module has `train(config)`, `preflight` and `serve` have `run`; each returns an exit code."""
    if args.command == "serve":
        return importlib.import_module("hasp_trainer.serve").run(args)
    if args.command == "fetch":
        return importlib.import_module("hasp_trainer.fetch").run(args.models)
    if args.command == "node":
        return importlib.import_module("hasp_trainer.node_path").run()
    if args.command == "preflight" and args.machine:
        machine = importlib.import_module("hasp_trainer.machine")
        return machine.run(args.folder, args.model, args.json)
    if args.command == "preflight":
        if args.config is None:
            raise Refused(
                "preflight needs a train config", "Give its path, or --machine to look at the machine."
            )
        return importlib.import_module("hasp_trainer.preflight").run(
            read_config(args.config), args.json, args.processes, args.nodes
        )
    if args.command == "launch":
        return importlib.import_module("hasp_trainer.launch").run(args)
    if args.command == "bench":
        return importlib.import_module("hasp_trainer.bench").run(args)
    config = read_config(args.config, args.command)
    output = open_output(config)
    if not world().is_main:
        # The first process says it all.
        sys.stdout = open(os.devnull, "w")
    if output.is_done:
        print(f"done before: {config.output}")
        return 0
    stop.listen()
    training = importlib.import_module("hasp_trainer.training")
    if training.has_nothing_to_learn(config):
        return training.keep_student(config, output)
    return importlib.import_module(f"hasp_trainer.{args.command}").train(config)


def sees_all_gpus(args: argparse.Namespace) -> bool:
    """Whether the command is about all GPUs of the machine."""
    if args.command == "preflight":
        return args.machine or args.processes > 1
    return args.command in ("serve", "launch")


def prepare_environment(sees_all: bool) -> None:
    """Read by the libraries when they are imported: no telemetry, no progress bars in a log, no forked tokenizers.

    A training of one process takes one GPU: the first that is visible.
    """
    for name in (
        "HF_HUB_DISABLE_TELEMETRY",
        "HF_HUB_DISABLE_PROGRESS_BARS",
        "HF_DATASETS_DISABLE_PROGRESS_BARS",
    ):
        os.environ.setdefault(name, "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    # Of the libraries to each other, hundreds of lines of them.
    warnings.filterwarnings("ignore", category=FutureWarning)
    if not sees_all and world().size == 1:
        os.environ["CUDA_VISIBLE_DEVICES"] = os.environ.get("CUDA_VISIBLE_DEVICES", "0").partition(",")[0]


def main(argv: list[str] | None = None) -> int:
    args = parser().parse_args(argv)
    prepare_environment(sees_all_gpus(args))
    try:
        return run(args)
    except Stopped as end:
        if world().is_main:
            print(f"{end.message}; {end.next}", file=sys.stderr)
        return end.code
    except Elsewhere as end:
        return end.code
    except Ending as end:
        print(f"error: {one_line(end.message)}\nnext: {one_line(end.next)}", file=sys.stderr)
        return end.code
    except Exception as error:
        # Not foreseen: the log keeps where it happened, and the last line says it in short.
        traceback.print_exc()
        print(f"error: {type(error).__name__}: {one_line(str(error))}", file=sys.stderr)
        print("next: Read the lines above; the same command resumes at the last checkpoint.", file=sys.stderr)
        return FAILURE


def one_line(message: str) -> str:
    """Without line breaks and control characters, as models and paths may hold."""
    return "".join(one if one.isprintable() else " " for one in message).strip()


def end(code: int) -> NoReturn:
    """Ends the process; one of several without taking its connections down, which may wait for those that have ended."""
    if world().size == 1:
        sys.exit(code)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    end(main())
