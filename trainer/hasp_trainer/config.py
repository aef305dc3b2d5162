"""The train config: a YAML or JSON file that says all of one training of one iteration."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from hasp_trainer import checks
from hasp_trainer.checks import (
    Section,
    flag,
    number,
    one_of,
    one_or_list,
    optional,
    setting,
    text,
    texts,
    whole,
)
from hasp_trainer.errors import Refused

METHODS = ("sft", "dpo", "distil", "sdft")


@dataclass(frozen=True)
class Lora:
    """LoRA on all linear layers but the LM head."""

    rank: int = setting(whole(), 16)
    alpha: float = setting(number(above=True), 32)
    dropout: float = setting(number(0, 1), 0)


@dataclass(frozen=True)
class Dpo:
    """How far the policy may go from the reference."""

    beta: float = setting(number(above=True), 0.1)


@dataclass(frozen=True)
class Distil:
    """Distillation from a local teacher."""

    teacher: str = setting(text)
    # The most tokens of a reply of the student, which both then score.
    reply_tokens: int = setting(whole(), 512)
    temperature: float = setting(number(above=True), 1.0)
    # 0 is the forward divergence from the teacher, 1 the reverse, between them a mixture.
    beta: float = setting(number(0, 1), 1.0)


@dataclass(frozen=True)
class Sdft:
    """Self-distillation: the student with the contexts teaches itself without them."""

    # The student as it began, or as it is at each step.
    teacher: str = setting(one_of("start", "live"), "start")
    reply_tokens: int = setting(whole(), 256)
    temperature: float = setting(number(above=True), 1.0)
    # 0 is the forward divergence from the taught replies, 1 the reverse, between them a mixture.
    alpha: float = setting(number(0, 1), 0.5)


@dataclass(frozen=True)
class TrainConfig:
    """One training. Paths are relative to the working directory."""

    method: str = setting(one_of(*METHODS))
    # Folder or hub name.
    model: str = setting(text)
    data: tuple[str, ...] = setting(texts)
    output: str = setting(text)
    # A LoRA adapter on which training continues.
    adapter: str | None = setting(optional(text), None)
    # Output folder of the iteration before: steps and tokens add up over it.
    after: str | None = setting(optional(text), None)
    iteration: int = setting(whole(), 1)
    # One for all iterations, or one for each.
    learning_rate: tuple[float, ...] = setting(one_or_list(number(above=True)), (1e-5,))
    # Of this iteration; `max_steps` ends it sooner.
    epochs: float = setting(number(above=True), 1)
    max_steps: int | None = setting(optional(whole()), None)
    # Null: all weights are trained.
    lora: Lora | None = setting(Section(Lora, is_optional=True), Lora())
    precision: str = setting(one_of("auto", "bf16", "fp32"), "auto")
    gradient_checkpointing: bool = setting(flag, True)
    # Tokens of one optimizer step, about: gradient accumulation follows from it and the data's mean length.
    tokens_per_step: int = setting(whole(), 65536)
    # Rows a device takes at once; null: as many as are safe.
    batch: int | None = setting(optional(whole()), None)
    max_length: int = setting(whole(2), 4096)
    packing: bool = setting(flag, False)
    # Share of this iteration's steps.
    warmup: float = setting(number(0, 1), 0.03)
    schedule: str = setting(one_of("cosine", "linear", "constant"), "cosine")
    # `row`: a row's loss counts by its sample_weight.
    weights: str = setting(one_of("row", "none"), "row")
    seed: int = setting(whole(0, 2**32 - 1), 42)
    log_every: int = setting(whole(), 10)
    save_every: int = setting(whole(), 100)
    keep_checkpoints: int = setting(whole(), 2)
    dpo: Dpo = setting(Section(Dpo), Dpo())
    distil: Distil | None = setting(Section(Distil, is_optional=True), None)
    sdft: Sdft = setting(Section(Sdft), Sdft())

    @property
    def rate(self) -> float:
        """The learning rate of this iteration."""
        return (
            self.learning_rate[0] if len(self.learning_rate) == 1 else self.learning_rate[self.iteration - 1]
        )

    def as_data(self) -> dict[str, Any]:
        """All keys with plain values, in the order of the class."""
        return checks.frozen(self)


def read_config(file: str | Path, method: str | None = None) -> TrainConfig:
    """The config in `file`; with `method`, one of that method alone. Raises Refused."""
    place = str(file)
    config: TrainConfig = checks.read(TrainConfig, _parse(Path(file)), place)
    if method is not None and config.method != method:
        raise Refused(
            f'{place}: "method" is {config.method}, but the command is {method}',
            f"Run: python -m hasp_trainer {config.method} {place}",
        )
    rates = len(config.learning_rate)
    if 1 < rates < config.iteration:
        raise Refused(
            f'{place}: "learning_rate" has {rates} values, but the iteration is {config.iteration}',
            "Give one number, or as many as there are iterations.",
        )
    if config.adapter is not None and config.lora is None:
        raise Refused(
            f'{place}: an adapter goes with "lora", which is null',
            "Set lora to the adapter's rank and alpha, or leave adapter out.",
        )
    if config.method == "distil" and config.distil is None:
        raise Refused(f'{place}: "distil.teacher" is missing', "Add distil: {teacher: MODEL}.")
    return config


def _parse(file: Path) -> Any:
    try:
        content = file.read_text("utf-8-sig")
    except FileNotFoundError as error:
        raise Refused(f"{file}: no such file", "Give the path of a train config in YAML or JSON.") from error
    except UnicodeDecodeError as error:
        raise Refused(
            f"{file}: not UTF-8 text", "Give the path of a train config in YAML or JSON."
        ) from error
    except OSError as error:
        raise Refused(
            f"{file}: {error.strerror}", "Give the path of a train config that can be read."
        ) from error
    try:
        if file.suffix == ".json":
            return json.loads(content, object_pairs_hook=_once)
        return yaml.load(content, Loader=_Loader)
    except json.JSONDecodeError as error:
        at = f"{file}:{error.lineno}:{error.colno}"
        raise Refused(f"{at}: {error.msg}", "Correct the JSON.") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        at = str(file) if mark is None else f"{file}:{mark.line + 1}:{mark.column + 1}"
        raise Refused(f"{at}: {error.problem or 'not YAML'}", "Correct the YAML.") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        message = str(error).partition("\n")[0]
        raise Refused(f"{file}: {message or 'not YAML'}", "Correct the file.") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for key, value in pairs:
        if key in data:
            raise ValueError(f'the key "{key}" is there twice')
        data[key] = value
    return data


class _Loader(yaml.SafeLoader):
    """YAML as the rest of HASP reads it: 1e-5 is a number, a date is text, and no key is there twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key, _ in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else None
            if name in seen:
                raise yaml.MarkedYAMLError(
                    problem=f'the key "{name}" is there twice', problem_mark=key.start_mark
                )
            seen.add(name)
        return super().construct_mapping(node, deep)


_Loader.yaml_implicit_resolvers = {
    first: [
        (tag, rule)
        for tag, rule in rules
        if tag not in ("tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:float")
    ]
    for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(
        r"^[-+]?(\.\d+|\d+\.\d*([eE][-+]?\d+)?|\d+[eE][-+]?\d+|\.\d+[eE][-+]?\d+|\.(inf|Inf|INF))$|^\.(nan|NaN|NAN)$"
    ),
    list("-+0123456789."),
)
