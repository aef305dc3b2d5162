import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { threadCpuNow } from "../../../src/platform/cpu-clock.ts";
import { createPfHost } from "../../../src/sandbox/create-pf-host.ts";
import { joinHosts } from "../../../src/sandbox/joined-host.ts";
import { FRESH_STATE, type PfHost } from "../../../src/sandbox/pf-host.ts";
import { createSandbox } from "../../../src/sandbox/quickjs-host.ts";
import { pfFixture, question } from "../../support/pf-fixtures.ts";

const first = createPfHost(createSandbox(threadCpuNow));
const second = createPfHost(createSandbox(threadCpuNow));
afterAll(() => Promise.all([first.close(), second.close()]));

const programs = [pfFixture("good/hint"), pfFixture("good/shorten"), pfFixture("good/read-first")];
const ids = ["hint", "shorten", "read-first"];
const steps = [question("SEARCH", "one two three four five", { question: "who?" }), question("FINAL", "x")];

/** `shorten` is judged in the second place. */
function joined(part: Partial<PfHost> = {}, limitMs = 10_000) {
  const broken: string[] = [];
  const host = joinHosts({
    first,
    second: { ...second, ...part },
    ofSecond: new Set(["shorten"]),
    limitMs: () => limitMs,
    onBroken: (skillId, message) => void broken.push(`${skillId}: ${message}`),
  });
  return { host, broken };
}

const never = (): Promise<never> => new Promise(() => undefined);

describe("two hosts as one", () => {
  beforeEach(async () => {
    await joined().host.load(programs);
  });

  it("fold in the order that they are asked in, which is the order of Γ", async () => {
    const { host } = joined();
    await host.load(programs);
    const folded = await host.fold(ids, steps);
    expect([...folded.keys()]).toEqual(ids);
    const alone = createPfHost(createSandbox(threadCpuNow));
    await alone.load(programs);
    expect([...folded]).toEqual([...(await alone.fold(ids, steps))]);
    await alone.close();
  });

  it("make an error of each step of a PF that gives no answer in time, in a fold as in a step", async () => {
    const { host, broken } = joined({ fold: never, step: never }, 0);
    const folded = await host.fold(ids, steps);
    const late = { skillId: "shorten", kind: "error", cause: "host", message: "did not end in time" };
    expect(folded.get("shorten")).toMatchObject([late, late]);
    expect(folded.get("hint")?.[0]).toMatchObject({ kind: "fired" });
    const states = new Map(ids.map((id) => [id, FRESH_STATE]));
    const verdicts = await host.step(states, question("SEARCH", "one two"));
    expect(verdicts.map(({ skillId }) => skillId)).toEqual(ids);
    expect(verdicts[1]).toMatchObject(late);
    expect(broken).toEqual(["shorten: did not end in time"]);
  });

  it("say of a PF that does not load why it has no verdict", async () => {
    const { host, broken } = joined({
      load: async () => [{ skillId: "shorten", ok: false, message: "is broken" }],
    });
    await host.load(programs);
    expect((await host.fold(ids, steps)).get("shorten")?.[1]).toMatchObject({ message: "is broken" });
    expect(broken).toEqual(["shorten: is broken"]);
  });
});
