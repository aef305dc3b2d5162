# Evaluated in an interpreter from the snapshot; its value is the function that runs a program and returns its exit code.
def run(source):
    import asyncio, atexit, builtins, linecache, os, site, sys, time, types

    # The ways to JavaScript. What is left of them in memory leads to objects without power (realm.js).
    for name in [name for name in sys.modules if name.split(".")[0] in {"js", "pyodide", "pyodide_js", "_pyodide", "_pyodide_core"}]:
        del sys.modules[name]
    sys.meta_path[:] = [finder for finder in sys.meta_path if getattr(finder, "__module__", "").startswith(("_frozen_importlib", "importlib", "_distutils"))]
    sys.excepthook = sys.__excepthook__
    site.setquit()
    site.sethelper()
    sys.argv[:] = ["program.py"]
    sys.path[:] = [folder for folder in sys.path if folder]

    # Pyodide's own wait for the event loop of JavaScript, which does not turn here.
    asyncio.run = asyncio.runners.run
    time.sleep = getattr(time.sleep, "__wrapped__", time.sleep)

    class Waiting:
        def select(self, seconds):
            time.sleep(seconds or 0)
            return []

    class Loop(asyncio.BaseEventLoop):
        def __init__(self):
            super().__init__()
            self._selector = Waiting()

        def _process_events(self, events):
            pass

        def _write_to_self(self):
            pass

    class Policy(asyncio.events._BaseDefaultEventLoopPolicy):
        _loop_factory = Loop

    asyncio.events._set_running_loop(None)
    asyncio.events._set_event_loop_policy(Policy())

    main = sys.modules["__main__"] = types.ModuleType("__main__")
    main.__builtins__ = builtins
    linecache.cache["program.py"] = (len(source), None, source.splitlines(True), "program.py")
    code = 0
    try:
        try:
            exec(compile(source, "program.py", "exec"), main.__dict__)
        finally:
            atexit._run_exitfuncs()
    except SystemExit as ended:
        if isinstance(ended.code, int):
            code = ended.code
        elif ended.code is not None:
            print(ended.code, file=sys.stderr)
            code = 1
    except BaseException as error:
        error = error.with_traceback(error.__traceback__.tb_next)
        sys.excepthook(type(error), error, error.__traceback__)
        code = 1
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            code = code or 120
    return code & 255

run
