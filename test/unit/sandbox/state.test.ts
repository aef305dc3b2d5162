import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { threadCpuNow } from "../../../src/platform/cpu-clock.ts";
import { createPfHost } from "../../../src/sandbox/create-pf-host.ts";
import { FRESH_STATE, type PfVerdict } from "../../../src/sandbox/pf-host.ts";
import { createSandbox, imageOf } from "../../../src/sandbox/quickjs-host.ts";
import { pfFixture, pfFrom, question } from "../../support/pf-fixtures.ts";
import { SMUGGLERS } from "../../support/smugglers.ts";

const host = createPfHost(createSandbox(threadCpuNow));
afterAll(() => host.close());

const SECRET = question("SEARCH", "the secret of one question");
const READ = question("SEARCH", "read");
const ids = SMUGGLERS.map(({ skillId }) => skillId);
const fresh = new Map(ids.map((id) => [id, FRESH_STATE]));

/** PFs that fired with something they had kept. */
function tellers(verdicts: Iterable<PfVerdict>): string[] {
  return [...verdicts].flatMap((verdict) =>
    verdict.kind === "fired" && verdict.intervention.type !== "NOOP" ? [verdict.skillId] : [],
  );
}

describe("no state of a PF outlives an episode", () => {
  beforeEach(async () => {
    const loaded = await host.load(SMUGGLERS);
    expect(loaded.filter((pf) => !pf.ok)).toEqual([]);
  });

  it("the ways to smuggle work within one crossing, so that the tests below can fail", async () => {
    const verdicts = await host.fold(ids, [SECRET, READ]);
    const found = ids.filter((id) => tellers(verdicts.get(id) ?? []).length > 0);
    expect(found.length).toBeGreaterThanOrEqual(12);
  });

  it("in live runs, one step after the other", async () => {
    await host.step(fresh, SECRET);
    expect(tellers(await host.step(fresh, READ))).toEqual([]);
  });

  it("from one backtested or replayed episode to the next", async () => {
    await host.fold(ids, [SECRET, SECRET]);
    const verdicts = await host.fold(ids, [READ]);
    expect(ids.flatMap((id) => tellers(verdicts.get(id) ?? []))).toEqual([]);
  });

  it("from one set of mock questions to the next", async () => {
    for (const id of ids) {
      await host.mock(id, [SECRET]);
      expect(tellers(await host.mock(id, [READ]))).toEqual([]);
    }
  });

  it("through the image of a sandbox, which begins as a filled one does", async () => {
    const image = await imageOf(SMUGGLERS.toReversed(), threadCpuNow);
    expect(image).toBeDefined();
    const revived = createPfHost(createSandbox(threadCpuNow, { image }));
    await revived.load(SMUGGLERS);
    for (let i = 0; i < 3; i++) {
      expect(tellers(await revived.step(fresh, READ))).toEqual([]);
      await revived.step(fresh, SECRET);
    }
    await revived.close();
  });

  it("by way of another PF, which judged in between and was not loaded before", async () => {
    await host.load([...SMUGGLERS, pfFixture("good/shorten")]);
    await host.step(fresh, SECRET);
    await host.step(new Map([["shorten", FRESH_STATE]]), SECRET);
    expect(tellers(await host.step(fresh, READ))).toEqual([]);
  });

  it("nor from one look at its decision to the next", async () => {
    const asks = `import { ProgramFunction, noop } from "hasp";
let asked = 0;
export default class Asks extends ProgramFunction {
  shouldActivate() { return ++asked > 1; }
  intervene() { return noop(""); }
}`;
    for (let i = 0; i < 3; i++)
      expect(await host.probe(pfFrom("asks", asks), FRESH_STATE, READ)).toMatchObject({ activated: false });
  });
});
