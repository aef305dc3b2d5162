import { afterAll, beforeAll, expect, it } from "vitest";
import { startCompiler } from "../../../src/platform/worker-compiler.ts";
import type { Compiler } from "../../../src/skill/compiler.ts";
import { HOSTILE_TYPESCRIPT, hostilePf } from "../../support/hostile-typescript.ts";
import { bundleWorker } from "../../support/worker-bundle.ts";

let bundle: Awaited<ReturnType<typeof bundleWorker>>;
beforeAll(async () => {
  bundle = await bundleWorker();
});
afterAll(() => bundle.remove());

const GOOD = hostilePf("", "return arg.length > ctx.stepCount;");
/** Its types have 2^22 members: no limit is long enough. */
const ENDLESS = HOSTILE_TYPESCRIPT["a recursive union"] ?? "";

const LARGE = HOSTILE_TYPESCRIPT["unions of string literals"] ?? "";

/** Milliseconds: shorter than the product's, and long enough for a small PF on a loaded machine. */
const FILE_MS = 1_500;

async function withCompiler<T>(
  work: (compiler: Compiler) => Promise<T>,
  limits: { readonly fileMs: number; readonly heapMb?: number } = { fileMs: FILE_MS },
): Promise<T> {
  const compiler = startCompiler({ workerFile: bundle.file, ...limits });
  try {
    return await work(compiler);
  } finally {
    await compiler.close();
  }
}

const codes = (diagnostics: readonly { readonly code: string }[]): string[] =>
  diagnostics.map(({ code }) => code);

it("names the file that takes too long, and checks those that were asked before and after it", async () => {
  await withCompiler(async (compiler) => {
    const asked = ["a/pf.ts", "endless/pf.ts", "b/pf.ts", "c/pf.ts"].map((file) =>
      compiler.check(file, file.startsWith("endless") ? ENDLESS : GOOD),
    );
    const [before, endless, ...after] = await Promise.all(asked);
    expect(codes(before ?? [])).toEqual([]);
    expect(endless).toMatchObject([{ code: "HASP220", severity: "error", file: "endless/pf.ts" }]);
    expect(after.map(codes)).toEqual([[], []]);
    expect((await compiler.transpile("c/pf.ts", GOOD)).value).toContain("class");
  });
}, 60_000);

it("names the file that needs too much memory", async () => {
  await withCompiler(
    async (compiler) => {
      const asked = [compiler.check("large/pf.ts", LARGE), compiler.check("a/pf.ts", GOOD)];
      const [endless, after] = await Promise.all(asked);
      expect(endless).toMatchObject([{ code: "HASP220", message: expect.stringContaining("memory") }]);
      expect(after).toEqual([]);
    },
    { fileMs: 50_000, heapMb: 128 },
  );
}, 60_000);

it("does not try the same text again", async () => {
  await withCompiler(async (compiler) => {
    // 200 tries would take 200 times the limit: the test's own limit would end it.
    const copies = Array.from({ length: 100 }, (_, i) => `copy-${i}/pf.ts`);
    const check = () => Promise.all(copies.map((file) => compiler.check(file, ENDLESS)));
    for (const found of [await check(), await check()])
      expect(found.map((all) => all.map(({ code, file }) => [code, file]))).toEqual(
        copies.map((file) => [["HASP220", file]]),
      );
  });
}, 60_000);

it("answers each kind of request about a file on which reading ends", async () => {
  const source = HOSTILE_TYPESCRIPT["a sum of 20,000 numbers"] ?? "";
  await withCompiler(async (compiler) => {
    expect(codes(await compiler.check("a/pf.ts", source))).toEqual(["HASP220"]);
    expect((await compiler.promptEquivalence("a/pf.ts", source)).promptEquivalent).toBe(false);
    expect(codes(await compiler.check("b/pf.ts", GOOD))).toEqual([]);
  });
}, 60_000);

it("rejects what waits when it is closed", async () => {
  const compiler = startCompiler({ workerFile: bundle.file, fileMs: FILE_MS });
  const asked = Promise.allSettled([
    compiler.check("endless/pf.ts", ENDLESS),
    compiler.check("a/pf.ts", GOOD),
  ]);
  await compiler.close();
  const ended = await asked;
  expect(ended.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});

it("says when its worker cannot start", async () => {
  const compiler = startCompiler({ workerFile: `${bundle.file}.missing` });
  await expect(
    Promise.all([compiler.check("a/pf.ts", GOOD), compiler.transpile("b/pf.ts", GOOD)]),
  ).rejects.toThrow("did not start");
});
