"""`transformers serve`, with a seed and a temperature that hold for each call by itself.

    python -m hasp_trainer.transformers_server FOLDER --uds SOCKET
    python -m hasp_trainer.transformers_server FOLDER --host 127.0.0.1 --port PORT

As it comes, the command seeds one generator for all calls when a call arrives, not when its turn comes, and samples
only where the model's own settings say so, whatever temperature is asked for. Both would spoil rollouts, silently.

Its continuous batching is not used: it takes the temperature of the first call for every later one.
"""

from __future__ import annotations

import argparse
import functools
import logging
from typing import Any

import torch
import uvicorn
from transformers.cli.serve import Serve
from transformers.cli.serving.model_manager import ModelManager
from transformers.cli.serving.utils import BaseHandler


def settings_per_call() -> None:
    """A call's temperature decides whether it samples; its seed travels with its settings."""
    original = BaseHandler._build_generation_config

    def build(self: BaseHandler, body: dict[str, Any], base: Any, use_cb: bool = False) -> Any:
        settings = original(self, {**body, "seed": None}, base, use_cb=use_cb)
        temperature = body.get("temperature")
        if temperature is not None:
            settings.do_sample = float(temperature) > 0
        if not settings.do_sample:
            # Left in, they are warned about in every call.
            settings.temperature = settings.top_p = settings.top_k = None
        settings.seed_of_call = body.get("seed")
        return settings

    BaseHandler._build_generation_config = build


def seed_in_turn() -> None:
    """Seeds the generator in the thread that generates, when the call's turn has come: calls run one at a time."""
    original = ModelManager._load_model

    def load(self: ModelManager, *args: Any, **kwargs: Any) -> Any:
        model = original(self, *args, **kwargs)
        generate = model.generate

        def seeded(*args: Any, **kwargs: Any) -> Any:
            seed = getattr(kwargs.get("generation_config"), "seed_of_call", None)
            if seed is not None:
                torch.manual_seed(int(seed))
            return generate(*args, **kwargs)

        model.generate = seeded
        return model

    ModelManager._load_model = load


def list_own_model(name: str) -> None:
    """Lists the served model. As it comes, the server lists the hub's cache, and fails where there is none."""
    own = [{"id": name, "object": "model", "created": 0, "owned_by": "hasp"}]
    ModelManager.get_gen_models = staticmethod(lambda cache_dir=None: own)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m hasp_trainer.transformers_server")
    parser.add_argument("folder")
    parser.add_argument("--uds", help="path of a Unix socket, in place of host and port")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    order = parser.parse_args()
    settings_per_call()
    seed_in_turn()
    list_own_model(order.folder)
    # A line for each of thousands of calls says nothing to the readers of a job's log.
    logging.getLogger("uvicorn.access").addFilter(lambda record: False)
    # `Serve` has no option for it, and takes this class from its module when it starts.
    uvicorn.Config = functools.partial(uvicorn.Config, uds=order.uds)
    Serve(
        force_model=order.folder,
        host=order.host,
        port=order.port,
        log_level="error",
        trust_remote_code=False,
    )


if __name__ == "__main__":
    main()
