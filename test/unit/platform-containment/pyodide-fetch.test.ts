import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fetchPyodide } from "../../../src/platform/containment/pyodide-fetch.ts";
import { inSurroundings } from "../../../src/platform/surroundings.ts";

let home: string;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "hasp-fetch-"));
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

/** Fetches by a program in npm's place; `script`: its lines of sh, none for a PATH without npm. */
async function fetchBy(script: string | undefined, onStart: (abort: () => void) => void = () => undefined) {
  const programs = path.join(home, "bin");
  fs.mkdirSync(programs);
  if (script !== undefined)
    fs.writeFileSync(path.join(programs, "npm"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const env = {
    XDG_CACHE_HOME: path.join(home, "cache"),
    PATH: script === undefined ? programs : `${programs}:/usr/bin:/bin`,
  };
  const abort = new AbortController();
  const order = { environment: env, signal: abort.signal, onLine: () => onStart(() => abort.abort()) };
  const { value, diagnostics } = await inSurroundings({ cwd: home, env }, () => fetchPyodide(order));
  const left = fs.readdirSync(path.join(home, "cache", "hasp", "containment"));
  return { value, found: diagnostics.map(({ code, message }) => `${code} ${message}`), left };
}

describe.skipIf(process.platform === "win32")("Pyodide that npm hands out", () => {
  it.for([
    [undefined, "npm is not on the PATH"],
    ["echo other > pyodide.tgz", "what npm fetched is not pyodide@"],
    ["echo 'npm error network' >&2; exit 1", "npm could not fetch it: network"],
    [
      "printf 'npm error code E404\\nnpm error 404 Not Found - GET it\\nnpm error A complete log is in x.log\\n' >&2; exit 1",
      "npm could not fetch it: 404 Not Found - GET it",
    ],
  ] as const)("is not installed by %j", async ([script, why]) => {
    const { value, found, left } = await fetchBy(script);
    expect([value, found.length, left]).toEqual([undefined, 1, []]);
    expect(found[0]).toContain(`HASP751 Pyodide is not installed: ${why}`);
  });

  it("leaves nothing half when the person cancels", async () => {
    const cancelled = await fetchBy("exec sleep 60", (abort) => abort());
    expect(cancelled).toEqual({
      value: undefined,
      found: ["HASP751 Pyodide is not installed: interrupted."],
      left: [],
    });
  });
});
