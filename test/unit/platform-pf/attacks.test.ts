import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPfHost } from "../../../src/platform/worker-pf-host.ts";
import { FRESH_STATE, type LoadedPf, type PfHost, type PfVerdict } from "../../../src/sandbox/pf-host.ts";
import { transpile } from "../../../src/skill/transpile.ts";
import { ATTACKS, TRIGGER, type Attack } from "../../support/attacks.ts";
import { pfFixture, pfFrom, question } from "../../support/pf-fixtures.ts";
import { THOROUGH } from "../../support/thorough.ts";
import { bundleWorker } from "../../support/worker-bundle.ts";

/** Milliseconds of processor time, a fifth of the product's: hundreds of limits are met here. With those of the product: golden/pf-attacks.test.ts. */
const LIMITS = { stepMs: 60, loadMs: 700, graceMs: 300 };
const PATIENCE = 300_000;
const MET =
  /ran too long|ran out of memory|string too long|too large to allocate|too deeply|never settles|waits \(top-level await\)|cannot be put into words|trap|is an object of a class/;

let bundle: Awaited<ReturnType<typeof bundleWorker>>;
let host: PfHost;
beforeAll(async () => {
  bundle = await bundleWorker();
  host = startPfHost({ workerFile: bundle.file, ...LIMITS });
});
afterAll(async () => {
  await host.close();
  await bundle.remove();
});

const good = pfFixture("good/shorten");
const asked = question("SEARCH", `${TRIGGER} one two three four five six`);
const programOf = ({ name, source }: Attack) => pfFrom(name, transpile(source, "pf.ts").value ?? "");
const fresh = (ids: readonly string[]) => new Map(ids.map((id) => [id, FRESH_STATE]));

/** Loads the attacks, asks those that load, and asks a good PF before, beside and after them. */
async function outcomesOf(attacks: readonly Attack[]): Promise<Map<string, LoadedPf | PfVerdict>> {
  const loaded = await host.load([good, ...attacks.map(programOf)]);
  const ready = loaded.filter(({ ok }) => ok).map(({ skillId }) => skillId);
  const verdicts = await host.step(fresh(ready), asked);
  expect(verdicts[0]).toMatchObject({ skillId: "shorten", kind: "fired" });
  expect(await host.step(fresh(["shorten"]), asked)).toMatchObject([{ kind: "fired" }]);
  return new Map<string, LoadedPf | PfVerdict>([...loaded, ...verdicts].map((one) => [one.skillId, one]));
}

const expectMet = (outcome: LoadedPf | PfVerdict | undefined, { at }: Attack): void =>
  expect(outcome).toMatchObject(
    at === "load"
      ? { ok: false, message: expect.stringMatching(MET) }
      : { kind: "error", message: expect.stringMatching(MET) },
  );

describe("a PF that does not end is stopped, named, and the others go on", () => {
  let outcomes: Map<string, LoadedPf | PfVerdict>;
  beforeAll(async () => {
    outcomes = await outcomesOf(ATTACKS);
  }, PATIENCE);

  it.each(ATTACKS)("$at: $name", (attack) => expectMet(outcomes.get(attack.name), attack));

  it("in at least thirty ways", () => expect(ATTACKS.length).toBeGreaterThanOrEqual(30));
});

/** As the first of a crossing, each breaks it for the good PF beside it. */
describe("a PF that does not end, alone beside a good one", () => {
  const some = ["caught-loop", "native-sort"];
  it.each(ATTACKS.filter(({ name }) => THOROUGH || some.includes(name)))(
    "$at: $name",
    async (attack) => expectMet((await outcomesOf([attack])).get(attack.name), attack),
    PATIENCE,
  );
});
