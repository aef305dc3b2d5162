// Runs in the context where Pyodide runs, and so does all that a program may reach there: no object of Node is among it, only the functions that
// are made here. `bridge` (host.js) stays in closures.
globalThis.boot = (bridge, createModule, loadApi) => {
  "use strict";
  /** An error of the other realm leads to its objects, and a call may always end in one: where the stack is at its end. */
  const own = (call) => (first, second) => {
    try {
      return call(first, second);
    } catch {
      throw new Error("the other realm has failed");
    }
  };
  const { snapshot } = bridge;
  const [now, read, write, random] = [bridge.now, bridge.read, bridge.write, bridge.random].map(own);
  const [decode, encode, timer] = [bridge.decode, bridge.encode, bridge.timer].map(own);
  const [exit, begin] = [bridge.exit, bridge.begin].map(own);
  const Bytes = Uint8Array;
  const RESULTS = 3;
  const READY = [114, 101, 97, 100, 121, 10];
  /** As a shell says it of a program that called abort(): the interpreter is gone, as by a recursion too deep for it. */
  const ABORTED = 134;
  /** By which all files of a program may grow together, in bytes: they are in memory. */
  const FILE_BYTES = 64 << 20;
  const NO_SPACE = 51;
  const IO_ERROR = 29;
  const NOT_SEEKABLE = 70;

  const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

  /** In threes of bytes; Pyodide asks for 24, 32 or 2496 of them. */
  function base64(bytes) {
    let text = "";
    for (let at = 0; at < bytes.length; at += 3) {
      const three = (bytes[at] << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
      for (const shift of [18, 12, 6, 0]) text += DIGITS[(three >> shift) & 63];
    }
    const missing = (3 - (bytes.length % 3)) % 3;
    return missing === 0 ? text : text.slice(0, -missing) + "=".repeat(missing);
  }

  function writeAll(descriptor, bytes) {
    for (let at = 0; at < bytes.length;) {
      const written = write(descriptor, new Bytes(bytes.buffer, bytes.byteOffset + at, bytes.length - at));
      if (written < 0) throw new Error("the other end is closed");
      at += written;
    }
    return bytes.length;
  }
  const say = (text) => writeAll(2, new Bytes(encode(`${text}\n`)));

  // What Pyodide finds in the shell of V8, which it takes this for, and the few things of the web that it cannot do without.
  Object.assign(globalThis, {
    read: () => "",
    load: () => undefined,
    readbuffer: (name) => new Bytes(read(name.slice(1))).buffer,
    print: () => undefined,
    printErr: () => undefined,
    console: { log() {}, warn() {}, error() {}, info() {}, debug() {} },
    performance: { now: () => now() },
    /** Of the shell, which has no other randomness: `head -c<bytes> /dev/urandom`. */
    os: {
      system(_, [, line]) {
        const bytes = new Bytes(Number.parseInt(line.slice("head -c".length), 10));
        random(bytes);
        return base64(bytes);
      },
    },
    setTimeout: (call, ms) => void timer(() => call(), Number(ms)),
    clearTimeout: () => undefined,
    TextDecoder: class {
      decode(view = new Bytes()) {
        return decode(
          view instanceof Bytes
            ? view
            : new Bytes(view.buffer ?? view, view.byteOffset ?? 0, view.byteLength),
        );
      }
    },
    TextEncoder: class {
      encode(text) {
        return new Bytes(encode(String(text)));
      }
      encodeInto(text, target) {
        const bytes = this.encode(text);
        target.set(bytes);
        return { read: text.length, written: bytes.length };
      }
    },
  });

  function limitFiles({ FS }) {
    const { MEMFS } = FS.filesystems;
    let total = 0;
    for (const name of ["expandFileStorage", "resizeFileStorage"]) {
      const grow = MEMFS[name];
      MEMFS[name] = (node, size) => {
        const had = node.contents?.length ?? 0;
        if (size > had && total + size - had > FILE_BYTES) throw new FS.ErrnoError(NO_SPACE);
        grow(node, size);
        total += (node.contents?.length ?? 0) - had;
      };
    }
  }

  function openResults({ FS }) {
    const device = FS.makedev(64, RESULTS);
    FS.registerDevice(device, {
      open: (stream) => void (stream.seekable = false),
      write(_, buffer, offset, length) {
        try {
          return writeAll(RESULTS, new Bytes(buffer.buffer, buffer.byteOffset + offset, length));
        } catch {
          throw new FS.ErrnoError(IO_ERROR);
        }
      },
      llseek() {
        throw new FS.ErrnoError(NOT_SEEKABLE);
      },
    });
    FS.mkdev("/dev/results", device);
    if (FS.open("/dev/results", "w").fd !== RESULTS) throw new Error("descriptor 3 is taken");
  }

  function openStreams(python, input) {
    let at = 0;
    python.setStdin({
      isatty: false,
      read(buffer) {
        const part = input.subarray(at, at + buffer.length);
        buffer.set(part);
        at += part.length;
        return part.length;
      },
    });
    python.setStdout({ isatty: false, write: (bytes) => writeAll(1, bytes) });
    python.setStderr({ isatty: false, write: (bytes) => writeAll(2, bytes) });
  }

  function runOrder(python) {
    limitFiles(python);
    openResults(python);
    writeAll(RESULTS, new Bytes(READY));
    const { harness, program, input } = JSON.parse(begin());
    openStreams(python, new Bytes(encode(input)));
    const names = python.toPy({});
    const run = python.runPython(harness, { globals: names, filename: "harness.py" });
    return run(program);
  }

  /** Writes the memory of an interpreter that has imported what programs use, instead of running one. */
  function makeSnapshot(python) {
    const { prepare } = JSON.parse(begin());
    python.runPython(prepare);
    writeAll(RESULTS, python.makeMemorySnapshot());
    return 0;
  }

  async function main() {
    const { load, version } = loadApi();
    const python = await load({
      indexURL: "/",
      packageBaseUrl: "/",
      lockFileContents: {
        info: {
          abi_version: "2026_0",
          arch: "wasm32",
          platform: "emscripten_5_0_3",
          version,
          python: "3.14.2",
        },
        packages: {},
      },
      jsglobals: {},
      env: { HOME: "/home/user", LANG: "C.UTF-8" },
      createPyodideModule: createModule,
      ...(snapshot === "" ? { _makeSnapshot: true } : { _loadSnapshot: new Bytes(read(snapshot)) }),
    });
    return snapshot === "" ? makeSnapshot(python) : runOrder(python);
  }

  main().then(exit, (error) => {
    // os._exit() of the program; everything else ends the interpreter in the middle of its work.
    if (error?.name === "Exit") exit(error.status);
    try {
      say(`the interpreter ended: ${String(error?.message ?? error).slice(0, 500)}`);
    } finally {
      exit(ABORTED);
    }
  });
};
