import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { compileCacheVariables } from "../../../src/platform/compile-cache.ts";
import { inSurroundings } from "../../../src/platform/surroundings.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), "hasp-compile-cache-"));
});
afterEach(() => rmSync(home, { recursive: true }));

const given = (env: Record<string, string>) =>
  inSurroundings({ cwd: home, env: { XDG_CACHE_HOME: home, ...env } }, compileCacheVariables);
const own = (): string => path.join(home, "hasp/v8");

test("a worker keeps what V8 compiles in a folder of the user's own", () => {
  expect(given({})).toEqual({ NODE_COMPILE_CACHE: own() });
  expect(statSync(own()).mode & 0o777).toBe(0o700);
});

test("it keeps nothing in a folder that others may write to", () => {
  mkdirSync(own(), { recursive: true });
  chmodSync(own(), 0o777);
  expect(given({})).toEqual({});
});

test("what the user says to Node about it holds for workers, too", () => {
  expect(given({ NODE_COMPILE_CACHE: "/elsewhere" })).toEqual({ NODE_COMPILE_CACHE: "/elsewhere" });
  expect(given({ NODE_COMPILE_CACHE: "/elsewhere", NODE_DISABLE_COMPILE_CACHE: "1" })).toEqual({
    NODE_DISABLE_COMPILE_CACHE: "1",
  });
});
