"""Values as texts, so that another process can compare them. Two values that Python's == takes for equal have one text."""

import builtins
import json
import os
import sys
import time

# A program that runs here later may put others in the place of these.
globals().update({name: value for name, value in vars(builtins).items() if name[0] != "_"})
write = os.write
read_json, write_json = json.loads, json.dumps
clock = time.perf_counter
recursion_limit, set_recursion_limit = sys.getrecursionlimit, sys.setrecursionlimit

RESULTS = 3
MOST_DEPTH = 150
MOST_NODES = 2_000_000
MOST_CHARS = 100_000_000
# A longer text is compared by its digest, and sent only where floats in it may be near others.
LONG = 20_000
LONGEST_SENT = 16_000_000
SHOWN = 600


def say(*line):
    """Writes a line of results."""
    rest = (write_json(line) + "\n").encode()
    while rest:
        rest = rest[write(RESULTS, rest) :]


class TooLarge(Exception):
    pass


def encoder_of(kind):
    """By the class of the language that a class derives from: the methods of the class itself may say anything."""
    for base in type.__getattribute__(kind, "__mro__"):
        encoder = ENCODERS.get(base) or IN_MODULES.get((base.__module__, base.__name__))
        if encoder is not None:
            return encoder
    return None


class Encoder:
    def __init__(self):
        self.nodes = 0
        self.has_floats = False
        # Equal to nothing: an object without a text, or no number.
        self.is_unequal = False

    def all(self, values, depth):
        return [self.text(value, depth + 1) for value in values]

    def text(self, value, depth=0):
        self.nodes += 1
        kind = type(value)
        if kind is int:
            return "i%x;" % value
        if depth > MOST_DEPTH or self.nodes > MOST_NODES:
            raise TooLarge
        encoder = ENCODERS.get(kind) or encoder_of(kind)
        if encoder is not None:
            return encoder(self, value, depth)
        return self.other(value, kind, depth)

    def other(self, value, kind, depth):
        if kind.__module__ == "numpy" and hasattr(kind, "item") and not hasattr(kind, "__len__"):
            return self.text(kind.item(value), depth + 1)
        if isinstance(value, type) and vars(builtins).get(kind.__getattribute__(value, "__name__")) is value:
            return "t" + write_json(value.__name__)
        self.is_unequal = True
        return "o"

    def integer(self, value, depth):
        return "i%x;" % int.__add__(value, 0)

    def float(self, value, depth):
        value = float.__add__(value, 0.0)
        if value != value:
            self.is_unequal = True
            return "n;"
        if value in (INFINITY, -INFINITY):
            return "f+;" if value > 0 else "f-;"
        if value.is_integer():
            return "i%x;" % int(value)
        self.has_floats = True
        return "f" + repr(value) + ";"

    def complex(self, value, depth):
        value = complex.__add__(value, 0)
        if value.imag == 0:
            return self.float(value.real, depth)
        return "c" + self.float(value.real, depth) + self.float(value.imag, depth)

    def ratio(self, value, depth):
        if hasattr(value, "is_finite") and not value.is_finite():
            return self.float(float(value), depth)
        over, under = value.as_integer_ratio()
        if under == 1:
            return "i%x;" % over
        nearest = over / under
        if nearest.as_integer_ratio() == (over, under):
            return self.float(nearest, depth)
        return "q%x/%x;" % (over, under)

    def string(self, value, depth):
        return "s" + write_json(str.__str__(value))

    def bytes(self, value, depth):
        return 'b"' + bytes(memoryview(value)).hex() + '"'

    def list(self, value, depth):
        return "[" + ",".join(self.all(list.__iter__(value), depth)) + "]"

    def tuple(self, value, depth):
        return "(" + ",".join(self.all(tuple.__iter__(value), depth)) + ")"

    def deque(self, value, depth):
        return "d[" + ",".join(self.all(iter(value), depth)) + "]"

    def set(self, value, depth):
        items = (set if isinstance(value, set) else frozenset).__iter__(value)
        return "{" + ",".join(sorted(self.all(items, depth))) + "}"

    def view(self, value, depth):
        # Keys and items of a dictionary, which equal a set.
        return "{" + ",".join(sorted(self.all(iter(value), depth))) + "}"

    def dict(self, value, depth):
        items = [
            self.text(key, depth + 1) + ":" + self.text(item, depth + 1) for key, item in dict.items(value)
        ]
        return "<" + ",".join(sorted(items)) + ">"

    def range(self, value, depth):
        size = len(value)
        return "r(%x,%x,%x)" % (size, value.start if size > 0 else 0, value.step if size > 1 else 0)

    def none(self, value, depth):
        return "N"


INFINITY = float("inf")
ENCODERS = {
    int: Encoder.integer,
    bool: Encoder.integer,
    float: Encoder.float,
    complex: Encoder.complex,
    str: Encoder.string,
    bytes: Encoder.bytes,
    bytearray: Encoder.bytes,
    list: Encoder.list,
    tuple: Encoder.tuple,
    set: Encoder.set,
    frozenset: Encoder.set,
    dict: Encoder.dict,
    type({}.keys()): Encoder.view,
    type({}.items()): Encoder.view,
    range: Encoder.range,
    type(None): Encoder.none,
}
# Their modules are loaded where the program does so.
IN_MODULES = {
    ("fractions", "Fraction"): Encoder.ratio,
    ("decimal", "Decimal"): Encoder.ratio,
    ("collections", "deque"): Encoder.deque,
}


def shown(value, room=SHOWN, depth=0):
    """A value for people, cut. Calls no method of a class that is not of the language."""
    kind = shape_of(type(value))
    if kind is int or kind is bool:
        return repr(value) if value.bit_length() < 2000 else "<int of %d bits>" % value.bit_length()
    if kind in (float, complex, range, type(None)):
        return repr(value)
    if kind in (str, bytes, bytearray):
        return repr(value[:room]) + ("..." if len(value) > room else "")
    pairs = BRACKETS.get(kind)
    if pairs is None or depth > 20:
        return "<%s>" % str(type.__getattribute__(type(value), "__name__"))[:60]
    parts = []
    for item in list(dict.items(value) if kind is dict else kind.__iter__(value))[: room // 3 + 1]:
        if room < 3:
            parts.append("...")
            break
        if kind is dict:
            part = shown(item[0], room, depth + 1) + ": " + shown(item[1], room, depth + 1)
        else:
            part = shown(item, room, depth + 1)
        parts.append(part)
        room -= len(part) + 2
    if not parts and kind in (set, frozenset):
        return "set()"
    return pairs[0] + ", ".join(parts) + ("," if kind is tuple and len(parts) == 1 else "") + pairs[1]


def shape_of(kind):
    """A container of the language that a class derives from, else the class itself."""
    for base in type.__getattribute__(kind, "__mro__"):
        if base in BRACKETS:
            return base
    return kind


BRACKETS = {list: "[]", tuple: "()", dict: "{}", set: "{}", frozenset: "{}"}


def encoded(value):
    """What is sent of a value."""
    limit = recursion_limit()
    set_recursion_limit(max(limit, 5000))
    try:
        return encoded_within(value)
    finally:
        # A program may have set its own.
        set_recursion_limit(limit)


def encoded_within(value):
    encoder = Encoder()
    try:
        text = encoder.text(value)
        if len(text) > MOST_CHARS:
            raise TooLarge
    except TooLarge:
        return {"isUnequal": True, "shown": "a value that is too large or too deeply nested to compare"}
    except MemoryError:
        return {"isUnequal": True, "shown": "a value that does not fit into memory a second time"}
    sent = {"shown": shown(value)[: 2 * SHOWN]}
    if encoder.is_unequal:
        sent["isUnequal"] = True
    if is_floats(value):
        sent["isFloats"] = True
    if len(text) > LONG:
        import hashlib

        sent["digest"] = hashlib.sha256(text.encode()).hexdigest()
    if len(text) <= LONG or (encoder.has_floats and len(text) < LONGEST_SENT):
        sent["text"] = text
    return sent


def is_floats(value):
    """A float, or a list or tuple of floats: such values may be near others."""
    if isinstance(value, float):
        return True
    return isinstance(value, (list, tuple)) and all(isinstance(item, float) for item in value)


# Their text numbers the lines of what runs, which begins before the answer does. The line itself is in it.
WITH_LINE = (SyntaxError, IndentationError, TabError)


def error_with_line(error):
    return error.msg + (": " + error.text.strip() if error.text else "")


def words_of(error):
    """An exception for people."""
    name = str(type.__getattribute__(type(error), "__name__"))
    try:
        said = error_with_line(error) if type(error) in WITH_LINE else str(error)
    except BaseException:
        said = ""
    return (name + (": " + said if said else ""))[:SHOWN]
