import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCompiler } from "../../../src/platform/worker-compiler.ts";
import { startPfHost } from "../../../src/platform/worker-pf-host.ts";
import { FRESH_STATE, type PfHost } from "../../../src/sandbox/pf-host.ts";
import { pfFixture, pfFixtureNames, question } from "../../support/pf-fixtures.ts";
import { THOROUGH } from "../../support/thorough.ts";
import { bundleWorker } from "../../support/worker-bundle.ts";

let bundle: Awaited<ReturnType<typeof bundleWorker>>;
const good = pfFixtureNames("good").map((name) => pfFixture(name));
const LONG = question("SEARCH", "one two three four five six who");

beforeAll(async () => {
  bundle = await bundleWorker();
});
afterAll(() => bundle.remove());

/** Milliseconds of processor time: shorter than the product's, because each hanging PF is waited for twice. */
const LIMITS = { stepMs: 100, loadMs: 1_000, graceMs: 600 };

async function withHost<T>(work: (host: PfHost) => Promise<T>): Promise<T> {
  const host = startPfHost({ workerFile: bundle.file, ...LIMITS });
  try {
    return await work(host);
  } finally {
    await host.close();
  }
}

const fresh = (ids: readonly string[]) => new Map(ids.map((id) => [id, FRESH_STATE]));

describe("PFs in a worker", () => {
  // Each hangs in native calls that QuickJS does not interrupt; the watchdog needs its seconds twice. More of them: attacks.test.ts.
  it.each(["native-loop", ...(THOROUGH ? ["gigabyte", "slow-gigabyte", "deep-json"] : [])])(
    "%s costs a worker at most, and the others answer",
    async (name) => {
      await withHost(async (host) => {
        const bad = pfFixture(`hostile/${name}`);
        await host.load([...good, bad]);
        const verdicts = await host.step(fresh([...good, bad].map((pf) => pf.skillId)), LONG);
        expect(verdicts.map((v) => v.kind)).toEqual(["fired", "fired", "skipped", "fired", "error"]);
        expect(verdicts.at(-1)).toMatchObject({
          cause: "host",
          message: expect.stringMatching(/^(ran|calls)/),
        });
        const again = await host.step(fresh(["shorten"]), LONG);
        expect(again).toMatchObject([{ kind: "fired" }]);
      });
    },
    60_000,
  );

  it("answers many episodes that are asked at the same time", async () => {
    await withHost(async (host) => {
      await host.load(good);
      const ids = good.map((pf) => pf.skillId);
      const one = await host.fold(ids, [LONG, LONG]);
      const many = await Promise.all(Array.from({ length: 20 }, () => host.fold(ids, [LONG, LONG])));
      for (const fold of many) expect(fold).toEqual(one);
    });
  });

  it("asks a teacher in this thread", async () => {
    await withHost(async (host) => {
      await host.load(good);
      const [verdict] = await host.step(fresh(["ask-teacher"]), LONG, ({ prompt }) =>
        Promise.resolve({ reply: prompt.slice(0, 5) }),
      );
      expect(verdict).toMatchObject({ kind: "fired", intervention: { newActionArg: "bette" } });
    });
  });

  it("ends with close, and says so afterwards", async () => {
    const host = startPfHost({ workerFile: bundle.file });
    await host.load(good);
    await host.close();
    await expect(host.step(fresh(["shorten"]), LONG)).rejects.toThrow("closed");
  });

  it("says when its worker cannot start", async () => {
    const host = startPfHost({ workerFile: `${bundle.file}.missing` });
    await expect(host.load(good)).rejects.toThrow("did not start");
  });
});

describe("the compiler in a worker", () => {
  const source =
    'import { ProgramFunction } from "hasp";\nexport default class A extends ProgramFunction {\n  n: number = "x";\n}\n';

  it("checks and transpiles, and ends with close", async () => {
    const compiler = startCompiler({ workerFile: bundle.file });
    const diagnostics = await compiler.check("a/pf.ts", source);
    expect(diagnostics.map((d) => d.code)).toContain("TS2322");
    const { value } = await compiler.transpile("a/pf.ts", source);
    expect(value).toContain('n         = "x"');
    expect(await compiler.promptEquivalence("a/pf.ts", source)).toMatchObject({ promptEquivalent: false });
    await compiler.close();
    await expect(compiler.check("a/pf.ts", source)).rejects.toThrow("closed");
  });
});
