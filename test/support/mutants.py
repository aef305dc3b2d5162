"""Small changes of a program, and new inputs for it. Runs in a containment; the order is JSON on standard input."""

import ast
import copy
import json
import os
import random
import sys

COMPARISONS = [ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq]
ARITHMETIC = [ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod]


def changes(node):
    """Functions that change a node, one each."""
    if isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            if type(op) in COMPARISONS:
                for other in COMPARISONS:
                    if other is not type(op):
                        yield lambda n, i=i, other=other: n.ops.__setitem__(i, other())
    if isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in ARITHMETIC:
        for other in ARITHMETIC:
            if other is not type(node.op):
                yield lambda n, other=other: setattr(n, "op", other())
    if isinstance(node, ast.BoolOp):
        yield lambda n: setattr(n, "op", ast.Or() if isinstance(n.op, ast.And) else ast.And())
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield lambda n: setattr(n, "value", n.value + 1)
        yield lambda n: setattr(n, "value", n.value - 1)
    if isinstance(node, ast.Constant) and type(node.value) is bool:
        yield lambda n: setattr(n, "value", not n.value)
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        yield lambda n: setattr(n, "test", ast.UnaryOp(ast.Not(), n.test))
    if isinstance(node, ast.Return) and node.value is not None:
        yield lambda n: setattr(n, "value", ast.Constant(None))


def mutants(source, entry, rng, count):
    """Sources that differ from the program in one place of the entry."""
    tree = ast.parse(source)
    sites = [
        (number, k)
        for number, node in enumerate(ast.walk(tree))
        for k, _ in enumerate(changes(node))
        if within(tree, entry, node)
    ]
    rng.shuffle(sites)
    found = []
    for number, k in sites:
        changed = copy.deepcopy(tree)
        node = list(ast.walk(changed))[number]
        list(changes(node))[k](node)
        text = ast.unparse(ast.fix_missing_locations(changed))
        if text != ast.unparse(tree) and text not in found:
            found.append(text)
        if len(found) == count:
            break
    return found


def within(tree, entry, node):
    [function] = [one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name == entry]
    return any(one is node for statement in function.body for one in ast.walk(statement))


def other(value, rng):
    """A value of the same type, near to this one."""
    if isinstance(value, bool):
        return rng.random() < 0.5
    if isinstance(value, int):
        return rng.choice([value + rng.randint(-3, 3), rng.randint(0, abs(value) + 5), -value, rng.randint(-20, 20)])
    if isinstance(value, float):
        return rng.choice([value + rng.randint(-3, 3), value * rng.random(), -value, round(rng.uniform(-20, 20), 2)])
    if isinstance(value, str):
        letters = value + rng.choice(["a", "B", "0", " ", "z", "1", "(", ")", ","])
        return "".join(near(list(value), lambda: rng.choice(letters), lambda one: rng.choice(letters), rng))
    if isinstance(value, list):
        fresh = lambda: other(rng.choice(value), rng) if value else rng.randint(-5, 5)
        return near(value, fresh, lambda one: other(one, rng), rng)
    if isinstance(value, dict):
        items = [(other(k, rng), v) if rng.random() < 0.5 else (k, other(v, rng)) for k, v in value.items()]
        return dict(items[: rng.randint(0, len(items))])
    return value


def near(items, fresh, change, rng):
    items = list(items)
    for _ in range(rng.randint(1, 3)):
        deed = rng.randrange(5)
        at = rng.randrange(len(items) + 1)
        if deed == 0:
            items.insert(at, fresh())
        elif deed == 1 and items:
            items.pop(at - 1)
        elif deed == 2 and items:
            items[at - 1] = change(items[at - 1])
        elif deed == 3 and items:
            items.insert(at, items[at - 1])
        elif deed == 4:
            rng.shuffle(items)
    return items


def inputs(order, rng):
    """Valid inputs that are not among the given ones."""
    names = {}
    exec(order["contract"], names)
    check = names[order["entry"]]
    known = {json.dumps(one) for one in order["inputs"]}
    short = [one for one in order["inputs"] if len(json.dumps(one)) < 2000] or order["inputs"]
    found = []
    for _ in range(30 * order["count"]):
        one = [other(value, rng) for value in rng.choice(short)]
        text = json.dumps(one)
        if text in known:
            continue
        known.add(text)
        try:
            check(*copy.deepcopy(one))
        except Exception:
            continue
        found.append(text)
        if len(found) == order["count"]:
            break
    return found


order = json.loads(sys.stdin.read())
rng = random.Random(order["seed"])
if order["do"] == "mutants":
    lines = mutants(order["source"], order["entry"], rng, order["count"])
else:
    lines = inputs(order, rng)
data = "".join(json.dumps(line) + "\n" for line in lines).encode()
while data:
    data = data[os.write(3, data) :]
