"""Runs a program and says what came of it. It knows no expected value: another process compares."""

import atexit
import io
import types

LOADING = -1
LONGEST_OUTPUT = 4_000_000
# A script may change its folder.
SCRATCH = os.path.join(os.getcwd(), ".test")
NOWHERE = os.open(os.devnull, os.O_RDWR)
run_exit_functions = atexit._run_exitfuncs


def load(source, name):
    """The namespace of a program that ran as a module."""
    module = types.ModuleType(name)
    namespace = module.__dict__
    namespace["__builtins__"] = builtins
    namespace["__file__"] = name + ".py"
    sys.modules[name] = module
    exec(compile(source, name + ".py", "exec"), namespace)
    return namespace


def guarded(index, work):
    """Runs a part of a program that may raise anything. Whether it did not."""
    try:
        work()
        return True
    except BaseException as error:
        say("raised", index, words_of(error), isinstance(error, MemoryError))
        return False


def entry_of(namespace, name):
    """A function that gives the entry point, of a new object each time where it is a method; none where there is none."""
    holder = namespace.get("Solution")
    # First, since what a contest's program has imported may be named as the method.
    if isinstance(holder, type) and callable(getattr(holder, name, None)):
        return lambda: getattr(holder(), name)
    if callable(namespace.get(name)):
        return lambda: namespace[name]
    return None


# Names that inputs may use, in Python and in JSON.
NAMES = {
    "inf": float("inf"),
    "nan": float("nan"),
    "set": set,
    "frozenset": frozenset,
    "complex": complex,
    "float": float,
    "range": range,
    "__builtins__": {},
}


def listed(value):
    """A list in place of a tuple."""
    return list(value) if isinstance(value, tuple) else value


def found(value):
    """Whether a search found something: it may say so, or give what it found."""
    return value if isinstance(value, bool) else value is not None


WRAPS = {
    wrap.__name__: wrap
    for wrap in (set, frozenset, list, tuple, dict, sorted, len, sum, abs, round, str, int, float, bool, found, listed)
}


def arguments(call, namespace):
    """New arguments for each call, since a program may change those that it is given."""
    if "json" in call:
        return read_json(call["json"]), {}
    code = compile("take_all(" + call["python"] + "\n)", "input", "eval")

    def take_all(*args, **named):
        return list(args), named

    try:
        return eval(code, {**NAMES, "take_all": take_all})
    except NameError:
        return eval(code, {**namespace, "take_all": take_all})


def run_call(index, call, namespace):
    entry = entry_of(namespace, call["entry"])
    if entry is None:
        say("raised", index, "NameError: %s is not defined" % call["entry"], False)
        return
    args, named = arguments(call, namespace)
    function = entry()
    say("begin", index)
    began = clock()
    value = function(*args, **named)
    for wrap in call.get("wraps", ()):
        value = WRAPS[wrap](value)
    say("done", index, clock() - began)
    say("value", index, encoded(value))


def run_calls(request):
    """Calls functions of the program, and runs checks that compare inside."""
    silence()
    say("begin", LOADING)
    loaded = []
    if not guarded(LOADING, lambda: loaded.append(load(request["source"], "answer"))):
        return
    say("done", LOADING, 0)
    for index, call in enumerate(request["calls"]):
        if "check" in call:
            check = compile(call["check"], "test", "exec")
            say("begin", index)
            if guarded(index, lambda: exec(check, loaded[0])):
                say("passed", index)
        else:
            guarded(index, lambda: run_call(index, call, loaded[0]))
    say("end")


def silence():
    """Nobody reads what functions print, and what scripts print as errors."""
    os.dup2(NOWHERE, 1)
    os.dup2(NOWHERE, 2)


def scratch(content):
    """An open file without a name."""
    file = os.open(SCRATCH, os.O_RDWR | os.O_CREAT | os.O_EXCL)
    os.unlink(SCRATCH)
    rest = content
    while rest:
        rest = rest[write(file, rest) :]
    os.lseek(file, 0, 0)
    return file


def output_of(code, text):
    """What a script printed for an input, and the exception that it ended by, if any."""
    # A script may have closed them; a new file would get their numbers.
    os.dup2(NOWHERE, 0)
    os.dup2(NOWHERE, 1)
    given, printed = scratch(text.encode("utf-8", "surrogatepass")), scratch(b"")
    os.dup2(given, 0)
    os.dup2(printed, 1)
    sys.stdin = sys.__stdin__ = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), "utf-8")
    sys.stdout = sys.__stdout__ = out = io.TextIOWrapper(
        io.BufferedWriter(io.FileIO(1, "w", closefd=False)), "utf-8", "replace", write_through=False
    )
    module = types.ModuleType("__main__")
    module.__dict__["__builtins__"] = builtins
    sys.modules["__main__"] = module
    raised = None
    try:
        try:
            exec(code, module.__dict__)
            wait_for_threads()
        finally:
            # A script may keep its output until it ends.
            run_exit_functions()
    except SystemExit:
        pass
    except BaseException as error:
        raised = error
    for stream in (sys.stdout, out):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            pass
    return given, printed, raised


def wait_for_threads():
    """Scripts run in threads to have a larger stack."""
    threading = sys.modules.get("threading")
    if threading is None:
        return
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()


def run_scripts(request):
    """Runs the program once for each input, with new globals."""
    silence()
    say("begin", LOADING)
    compiled = []
    if not guarded(LOADING, lambda: compiled.append(compile(request["source"], "answer.py", "exec"))):
        return
    say("done", LOADING, 0)
    for index, text in enumerate(request["inputs"]):
        say("begin", index)
        began = clock()
        given, printed, raised = output_of(compiled[0], text)
        if raised is not None:
            say("raised", index, words_of(raised), isinstance(raised, MemoryError))
        else:
            say("done", index, clock() - began)
            os.lseek(printed, 0, 0)
            data = os.read(printed, LONGEST_OUTPUT + 1)
            isCut = len(data) > LONGEST_OUTPUT
            say("output", index, data[:LONGEST_OUTPUT].decode("utf-8", "replace"), isCut)
        os.close(given)
        os.close(printed)
    say("end")


def run_unittest(request):
    """Runs the program with a class of tests behind it, in one module as its benchmark does. The tests compare in here."""
    import unittest

    class Result(unittest.TestResult):
        def startTest(self, test):
            super().startTest(test)
            if test.id() in numbers:
                say("begin", numbers[test.id()])

        def addSuccess(self, test):
            say("passed", numbers[test.id()])

        def addSkip(self, test, reason):
            say("passed", numbers[test.id()])

        def addExpectedFailure(self, test, err):
            say("passed", numbers[test.id()])

        def addUnexpectedSuccess(self, test):
            say("raised", numbers[test.id()], "it passes, and is expected to fail", False)

        def addFailure(self, test, err):
            self.addError(test, err)

        def addError(self, test, err):
            # Of a class or a module, when it is set up.
            for number in [numbers[test.id()]] if test.id() in numbers else range(len(numbers)):
                say("raised", number, words_of(err[1]), isinstance(err[1], MemoryError))

        def addSubTest(self, test, subtest, err):
            if err is not None:
                self.addError(test, err)

    silence()
    say("begin", LOADING)
    loaded = []
    source = request["source"] + "\n" + request["test"]
    if not guarded(LOADING, lambda: loaded.append(load(source, "__test__"))):
        return
    cases = loaded[0].get("TestCases")
    if cases is None:
        say("raised", LOADING, "NameError: TestCases is not defined", False)
        return
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(cases)
    numbers = {test.id(): number for number, test in enumerate(suite)}
    say("tests", [name.rsplit(".", 1)[-1] for name in numbers])
    say("done", LOADING, 0)
    if guarded(LOADING, lambda: suite.run(Result())):
        say("end")


def main():
    request = read_json(sys.stdin.buffer.read())
    {"calls": run_calls, "scripts": run_scripts, "unittest": run_unittest}[request["do"]](request)


# Threads of the program, and what it registered for the end, do not run on.
main()
os._exit(0)
