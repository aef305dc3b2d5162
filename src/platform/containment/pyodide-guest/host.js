// Runs in a Node of its own under `--permission` (pyodide.ts): boots Pyodide in a V8 context that has no object of Node, takes everything away
// from this Node, then runs one program. Arguments: the folder of Pyodide's files, a memory snapshot in it or nothing, and the realm's source.
"use strict";
(() => {
  const { getBuiltinModule } = process;
  const fs = getBuiltinModule("node:fs");
  const vm = getBuiltinModule("node:vm");
  const { isUint8Array } = getBuiltinModule("node:util/types");
  const exit = process.reallyExit.bind(process);
  const clock = performance.now.bind(performance);
  const fillRandom = crypto.getRandomValues.bind(crypto);
  const [folder, snapshot, realmSource] = process.argv.slice(1);
  const ORDER = 0;
  const MESSAGES = 2;
  const RESULTS = 3;
  /** Exit codes of sysexits.h: an internal error, and a wrong configuration. */
  const BROKEN = 70;
  const OPEN = 78;
  const NOBODY = 65_534;

  const say = (text) => fs.writeSync(MESSAGES, `${text}\n`);
  // Node would print the line of source, which is a megabyte long.
  process.setUncaughtExceptionCaptureCallback((error) => {
    say(`Pyodide failed: ${String(error?.message ?? error).slice(0, 500)}`);
    exit(BROKEN);
  });

  /** Whether this Node holds what it was started with: an Electron or an old Node may know no such flags. */
  function isClosed() {
    const may = (what) => process.permission?.has(what) !== false;
    if (["fs.write", "child", "worker", "addons", "wasi"].some(may)) return false;
    try {
      return Reflect.construct(isClosed.constructor, ["return false"])();
    } catch {
      return true;
    }
  }

  const arrays = Object.getPrototypeOf(Uint8Array.prototype);
  // The getters of this realm read an array of the other one, whatever the other one did to it.
  const read = (view, name) => Reflect.get(arrays, name, view);

  /** The bytes behind an array of the other realm; undefined for anything else. Throws where its memory is gone. */
  const bytesOf = (view) =>
    isUint8Array(view)
      ? new Uint8Array(read(view, "buffer"), read(view, "byteOffset"), read(view, "byteLength"))
      : undefined;

  const FILES = new Set(["pyodide.asm.wasm", "python_stdlib.zip", snapshot]);
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let isBooted = false;

  /** All that crosses between the realms. Numbers, texts and bytes of its own go out, nothing else; realm.js keeps errors from a program. */
  const bridge = {
    __proto__: null,
    snapshot,
    now: () => clock(),
    read: (name) =>
      isBooted || !FILES.has(name)
        ? undefined
        : fs.readFileSync(name === snapshot ? name : `${folder}/${name}`),
    write(descriptor, view) {
      const bytes = bytesOf(view);
      if (bytes === undefined || ![1, MESSAGES, RESULTS].includes(descriptor)) return -1;
      try {
        return fs.writeSync(descriptor, bytes);
      } catch (error) {
        return error.code === "EAGAIN" ? 0 : -1;
      }
    },
    random(view) {
      const bytes = bytesOf(view);
      // More at once is refused.
      for (let at = 0; at < (bytes?.length ?? 0); at += 65_536) fillRandom(bytes.subarray(at, at + 65_536));
    },
    decode(view) {
      const bytes = bytesOf(view);
      try {
        return bytes === undefined ? "" : decoder.decode(bytes);
      } catch {
        return "";
      }
    },
    encode: (text) => encoder.encode(typeof text === "string" ? text : ""),
    timer(call, ms) {
      if (isBooted || typeof call !== "function" || typeof ms !== "number") return;
      // Called as it is, it would have the timer as its `this`.
      setTimeout(() => void call(), ms);
    },
    exit: (code) => exit(code & 255),
    /** The last step before the program: from here on this Node has no power that a walk over its objects could find. */
    begin() {
      isBooted = true;
      const order = fs.readFileSync(ORDER, "utf8");
      closeNode();
      return order;
    },
  };

  /** Root becomes nobody. */
  function leaveRoot() {
    if (process.getuid?.() !== 0) return;
    process.setgroups([]);
    process.setgid(NOBODY);
    process.setuid(NOBODY);
  }

  function closeNode() {
    leaveRoot();
    const remove = (from) => {
      for (const key of Reflect.ownKeys(from)) {
        try {
          if (!Reflect.deleteProperty(from, key)) Reflect.set(from, key, undefined);
        } catch {
          // Neither to be deleted nor to be set.
        }
      }
    };
    remove(process);
    Object.setPrototypeOf(process, null);
    for (const key of Reflect.ownKeys(globalThis)) {
      const isOfLanguage = languageGlobals.has(key);
      if (!isOfLanguage) Reflect.deleteProperty(globalThis, key);
    }
    for (const made of [Object, Function, Array, Error, Promise, Uint8Array, String, RegExp]) {
      Object.freeze(made.prototype);
      Object.freeze(made);
    }
  }

  if (!isClosed()) {
    say("this Node runs without its permission system");
    exit(OPEN);
  }
  const context = vm.createContext(vm.constants.DONT_CONTEXTIFY, {
    codeGeneration: { strings: false, wasm: true },
  });
  const languageGlobals = new Set(vm.runInContext("Reflect.ownKeys(globalThis)", context));

  /** The module's source as a script: the context can import nothing. */
  function script(file, exported) {
    const source = fs
      .readFileSync(`${folder}/${file}`, "utf8")
      .replace(/export\s*(?:default [^;]*;|\{[^}]*\};)/, `;${exported};`)
      .replaceAll("import.meta.url", '"file:///pyodide.asm.mjs"');
    return vm.runInContext(source, context, { filename: file });
  }

  vm.runInContext(realmSource, context, { filename: "realm.js" });
  const { boot } = context;
  delete context.boot;
  const createModule = script("pyodide.asm.mjs", "_createPyodideModule");
  boot(bridge, createModule, () => script("pyodide.mjs", "({ load: dt, version: U })"));
})();
