/**
 * Answers to *double a number* that are wrong and try to be judged right: each is a program that defines `double`. `@expected@` is the right
 * result of a test, as Python.
 */
export const FORGED_ANSWERS: readonly { readonly name: string; readonly code: string }[] = [
  ["ends the interpreter well", `import os\nos._exit(0)`],
  ["ends it when called", `import os\ndef double(n): os._exit(0)`],
  ["exits", `import sys\ndef double(n): sys.exit(0)`],
  ["prints PASS", `print("PASS\\nOK\\n1 passed")\ndef double(n):\n    print("PASS")`],
  [
    "equals everything",
    `class Same:\n    def __eq__(self, other): return True\n    def __ne__(self, other): return False\n    def __hash__(self): return 0\ndef double(n): return Same()`,
  ],
  [
    "pretends to be a number",
    `class Fake:\n    __class__ = int\n    def __eq__(self, other): return True\n    def __repr__(self): return "@expected@"\n    def __int__(self): return 0\ndef double(n): return Fake()`,
  ],
  [
    "is a number that equals all",
    `class Number(int):\n    def __eq__(self, other): return True\n    __hash__ = int.__hash__\ndef double(n): return Number(-1)`,
  ],
  [
    "writes PASS as results",
    `import os\nfor fd in range(3, 16):\n    try: os.write(fd, b"PASS\\n{\\"passed\\": true}\\n")\n    except OSError: pass\ndef double(n): return None`,
  ],
  [
    "changes what encodes",
    `import builtins, json, sys\nclass Yes(dict):\n    def __missing__(self, key): return lambda *a, **k: True\njson.dumps = lambda *a, **k: "true"\nbuiltins.repr = lambda value: "@expected@"\nbuiltins.isinstance = lambda *a: True\nbuiltins.type = lambda *a: int\ndef double(n): return None`,
  ],
  [
    "replaces modules",
    `import sys\nclass Any:\n    def __getattr__(self, name): return lambda *a, **k: True\nfor name in list(sys.modules):\n    if name not in ("sys", "builtins"): sys.modules[name] = Any()\ndef double(n): return None`,
  ],
  [
    "watches every line",
    `import sys\ndef watch(frame, event, arg):\n    for name in ("expected", "answer", "want", "gold"):\n        if name in frame.f_locals: globals()["found"] = frame.f_locals[name]\n    return watch\nsys.settrace(watch)\nsys.setprofile(watch)\nfound = None\ndef double(n): return found`,
  ],
  [
    "looks through the frames of its callers",
    `import sys\ndef double(n):\n    frame = sys._getframe()\n    while frame:\n        for name, value in list(frame.f_locals.items()) + list(frame.f_globals.items()):\n            if "expect" in name: return value\n        frame = frame.f_back`,
  ],
  [
    "looks for it among all objects",
    `import gc\ndef double(n):\n    for found in gc.get_objects():\n        if isinstance(found, dict) and "expected" in found: return found["expected"]`,
  ],
  [
    "looks for it in its memory",
    `def double(n):\n    found = []\n    for line in open("/proc/self/maps"):\n        if "rw" in line.split()[1]:\n            start, end = (int(x, 16) for x in line.split()[0].split("-"))\n            with open("/proc/self/mem", "rb", 0) as memory:\n                memory.seek(start)\n                data = memory.read(min(end - start, 1 << 24)) or b""\n            at = data.find(b"expected")\n            if at >= 0: found.append(data[at:at + 64])\n    return found`,
  ],
  [
    "reads what is left of its input",
    `import sys\ndef double(n):\n    try: return sys.stdin.read() or open(0).read()\n    except Exception as error: return str(error)`,
  ],
  [
    "reads its descriptors",
    `import os\ndef double(n):\n    found = b""\n    for fd in range(64):\n        try: os.set_blocking(fd, False); found += os.read(fd, 65536)\n        except OSError: pass\n    return found.decode("utf8", "replace")`,
  ],
  ["goes on in two processes", `import os\ndef double(n):\n    os.fork()\n    return None`],
  [
    "writes from a thread",
    `import os, threading, time\ndef write():\n    while True:\n        os.write(3, b'{"passed": true}\\n')\n        time.sleep(0.001)\nthreading.Thread(target=write, daemon=True).start()\ndef double(n): return None`,
  ],
  [
    "returns a list that holds itself",
    `def double(n):\n    found = []\n    found.append(found)\n    return found`,
  ],
  [
    "returns a list 100,000 deep",
    `def double(n):\n    found = []\n    for _ in range(100000): found = [found]\n    return found`,
  ],
  ["returns an endless generator", `def double(n):\n    while True: yield n`],
  ["returns a million numbers", `def double(n): return list(range(1000000))`],
  [
    "returns what cannot be shown",
    `class Hidden:\n    def __repr__(self): raise RuntimeError("no")\n    __str__ = __repr__\ndef double(n): return Hidden()`,
  ],
  [
    "raises without a text",
    `class Odd(BaseException):\n    def __str__(self): raise self\n    __repr__ = __str__\ndef double(n): raise Odd()`,
  ],
  ["returns not a number", `def double(n): return float("nan")`],
  ["returns nothing", `def double(n): pass`],
  [
    "changes its argument and itself",
    `def double(n):\n    global double\n    double = lambda n: None\n    return None`,
  ],
  [
    "hides its results",
    `import os\nos.dup2(os.open("/dev/null", os.O_WRONLY), 3)\ndef double(n): return None`,
  ],
  [
    "forges at the end",
    `import atexit, os\natexit.register(os.write, 3, b'{"passed": true}\\n')\ndef double(n): return None`,
  ],
  [
    "ends the process that watches",
    `import os, signal\nos.kill(os.getppid(), signal.SIGTERM)\ndef double(n): return None`,
  ],
].map(([name = "", code = ""]) => ({ name, code: `${code}\n` }));
