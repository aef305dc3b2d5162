"""Reads a mapping into a dataclass: no key is unknown, no value of another type, and each error names key and choice.

A field's metadata has its check: a function that returns the value as it is meant, or raises ValueError with the
words that follow "must be"; or a Section, whose value is a mapping with checks of its own.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import types
from collections.abc import Callable
from typing import Any

from hasp_trainer.errors import Refused

Check = Callable[[Any], Any]


@dataclasses.dataclass(frozen=True)
class Section:
    """A mapping that is read into the dataclass `cls`, or null where it `is_optional`."""

    cls: type
    is_optional: bool = False


def setting(check: Check | Section, default: Any = dataclasses.MISSING) -> Any:
    """A field of a settings dataclass; without a default the key is needed."""
    return dataclasses.field(default=default, metadata={"check": check})


def read(cls: type, data: Any, place: str, prefix: str = "") -> Any:
    """`data` as an instance of `cls`. `place` is the file for errors, `prefix` the section, such as `lora.`."""
    name = prefix.removesuffix(".") or "a train config"
    if not isinstance(data, dict):
        raise Refused(f"{place}: {name} must be a mapping of keys, not {_kind(data)}", _keys(cls, prefix))
    fields = {field.name: field for field in dataclasses.fields(cls)}
    for key in data:
        if key not in fields:
            near = difflib.get_close_matches(str(key), fields, 1, 0.6)
            hint = f'. Did you mean "{prefix}{near[0]}"?' if near else ""
            raise Refused(f'{place}: unknown key "{prefix}{key}"{hint}', _keys(cls, prefix))
    values = {}
    for key, field in fields.items():
        if key in data:
            values[key] = _value(field.metadata["check"], data[key], place, f"{prefix}{key}")
        elif field.default is dataclasses.MISSING:
            raise Refused(f'{place}: "{prefix}{key}" is missing', f"Add {prefix}{key} to {place}.")
    return cls(**values)


def _value(check: Check | Section, value: Any, place: str, key: str) -> Any:
    if isinstance(check, Section):
        is_null = check.is_optional and value is None
        return None if is_null else read(check.cls, value, place, f"{key}.")
    try:
        return check(value)
    except ValueError as error:
        raise Refused(
            f'{place}: "{key}" must be {error}, not {_kind(value)}', f"Correct {key} in {place}."
        ) from error


def _keys(cls: type, prefix: str) -> str:
    return "Keys: " + ", ".join(prefix + field.name for field in dataclasses.fields(cls)) + "."


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    return str(value) if isinstance(value, int | float) else f"a {_TYPES.get(type(value), 'value')}"


_TYPES = {dict: "mapping", list: "list"}


def optional(inner: Check) -> Check:
    """Null, or what `inner` allows."""

    def check(value: Any) -> Any:
        if value is None:
            return None
        try:
            return inner(value)
        except ValueError as error:
            raise ValueError(f"{error}, or null") from error

    return check


def one_of(*choices: str) -> Check:
    def check(value: Any) -> str:
        if not isinstance(value, str) or value not in choices:
            near = difflib.get_close_matches(value, choices, 1, 0.5) if isinstance(value, str) else []
            words = ", ".join(choices[:-1]) + f" or {choices[-1]}" if len(choices) > 1 else choices[0]
            raise ValueError(words + (f' (did you mean "{near[0]}"?)' if near else ""))
        return value

    return check


def text(value: Any) -> str:
    if not isinstance(value, str) or value.strip() == "":
        raise ValueError("a text")
    if "\0" in value:
        raise ValueError("a text without a NUL character")
    return value


def texts(value: Any) -> tuple[str, ...]:
    if (
        not isinstance(value, list)
        or value == []
        or any(not isinstance(one, str) or one == "" for one in value)
    ):
        raise ValueError("a list of one or more texts")
    return tuple(value)


def flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def whole(least: int = 1, most: int | None = None) -> Check:
    words = f"a whole number of {least} or more" if most is None else f"a whole number from {least} to {most}"

    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise ValueError(words)
        if value != int(value) or value < least or (most is not None and value > most):
            raise ValueError(words)
        return int(value)

    return check


def number(least: float = 0, most: float | None = None, above: bool = False) -> Check:
    """A finite number from `least` to `most`; `above`: more than `least`."""
    words = f"a number above {least:g}" if above else f"a number of {least:g} or more"
    if most is not None:
        words = (
            f"a number above {least:g} and up to {most:g}"
            if above
            else f"a number from {least:g} to {most:g}"
        )

    def check(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise ValueError(words)
        if value < least or (above and value == least) or (most is not None and value > most):
            raise ValueError(words)
        return float(value)

    return check


def one_or_list(inner: Check) -> Check:
    """A value, or a list with one for each iteration; read as a tuple."""

    def check(value: Any) -> tuple[Any, ...]:
        many = value if isinstance(value, list) else [value]
        try:
            if many == []:
                raise ValueError("")
            return tuple(inner(one) for one in many)
        except ValueError as error:
            words = str(error) or "a value"
            raise ValueError(f"{words}, or a list of such, one an iteration") from error

    return check


def frozen(data: Any) -> Any:
    """A dataclass as plain values for JSON."""
    if dataclasses.is_dataclass(data) and not isinstance(data, type):
        return {field.name: frozen(getattr(data, field.name)) for field in dataclasses.fields(data)}
    if isinstance(data, tuple | list):
        return [frozen(one) for one in data]
    return dict(data) if isinstance(data, types.MappingProxyType) else data
