import { afterAll, describe, expect, it } from "vitest";
import { threadCpuNow } from "../../../src/platform/cpu-clock.ts";
import { createPfHost } from "../../../src/sandbox/create-pf-host.ts";
import { FRESH_STATE } from "../../../src/sandbox/pf-host.ts";
import { createSandbox } from "../../../src/sandbox/quickjs-host.ts";
import { pfFrom, question } from "../../support/pf-fixtures.ts";

const voting = (skillId: string, vote: string) =>
  pfFrom(
    skillId,
    `import { ProgramFunction, noop } from "hasp";
export default class Voter extends ProgramFunction {
  shouldActivate() { return false; }
  intervene() { return noop("never"); }
  ${vote}
}`,
  );

const PROGRAMS = [
  voting("silent", ""),
  voting("content", "vote(ctx, answer) { return undefined; }"),
  voting(
    "against",
    'vote(ctx, answer) { return { reason: answer + " after " + ctx.searchCount, query: "more" }; }',
  ),
  voting("remembers", 'vote(ctx) { return { reason: "asked " + ctx.memory.asked }; }'),
  voting("writes", 'vote(ctx) { ctx.memory.voted = true; return { reason: "x" }; }'),
  voting("unreasoned", 'vote() { return { reason: "" }; }'),
  voting("waits", 'async vote() { return { reason: "x" }; }'),
  voting("hangs", "vote() { for (;;); }"),
];
const host = createPfHost(createSandbox(threadCpuNow));
afterAll(() => host.close());

describe("the votes of PFs on an answer", () => {
  it("come in one answer for each PF, whatever the others do, and leave no trace", async () => {
    const loaded = await host.load(PROGRAMS);
    expect(loaded.map((pf) => pf.ok && pf.traits.votes)).toEqual([
      false,
      ...PROGRAMS.slice(1).map(() => true),
    ]);
    const ids = PROGRAMS.map(({ skillId }) => skillId);
    const states = new Map([["remembers", { ...FRESH_STATE, memory: { asked: 3 } }]]);
    const votes = await host.votes(ids, states, question("FINAL", "Jane", { searchCount: 2 }));
    expect(votes).toMatchObject([
      { skillId: "silent", kind: "none" },
      { skillId: "content", kind: "stands" },
      { skillId: "against", kind: "against", reason: "Jane after 2", query: "more" },
      { skillId: "remembers", kind: "against", reason: "asked 3" },
      { skillId: "writes", kind: "error", line: 5 },
      { skillId: "unreasoned", kind: "error", message: "vote's reason must not be empty." },
      { skillId: "waits", kind: "error", message: expect.stringContaining("must not be async") },
      { skillId: "hangs", kind: "error", message: expect.stringContaining("ran too long") },
    ]);
    expect(await host.votes(["writes", "against"], new Map(), question("FINAL", "Ann"))).toMatchObject([
      { kind: "error" },
      { kind: "against", reason: "Ann after 0" },
    ]);
  });
});

describe("a PF's phases", () => {
  const asks = (skillId: string, phases: readonly string[]) => ({
    ...pfFrom(
      skillId,
      `import { ProgramFunction, noop } from "hasp";
export default class Eager extends ProgramFunction {
  shouldActivate() { return true; }
  intervene(ctx, type) { return noop(type); }
}`,
    ),
    phases,
  });
  const programs = [
    asks("searches", ["search"]),
    asks("answers", ["answer"]),
    asks("thinks", ["think"]),
    asks("all", []),
  ];
  const types = ["SEARCH", "READ", "FINAL", "invalid", "other"];

  async function heard(actionTypes: readonly string[], finalAction?: string) {
    await host.load(programs);
    const steps = types.map((type) => ({
      ...question(type, "x"),
      actionTypes,
      ...(finalAction !== undefined && { finalAction }),
    }));
    const folded = await host.fold(
      programs.map(({ skillId }) => skillId),
      steps,
    );
    return Object.fromEntries(
      [...folded].map(([id, verdicts]) => [
        id,
        types.filter((_, i) => verdicts[i]?.kind === "fired").join(" "),
      ]),
    );
  }

  it("say about which proposals it is asked", async () => {
    expect(await heard(["SEARCH", "READ", "FINAL"])).toEqual({
      searches: "SEARCH READ",
      answers: "FINAL",
      thinks: types.join(" "),
      all: types.join(" "),
    });
  });

  it("mean every action but the final one where a domain has no searches", async () => {
    expect(await heard(["Bash", "FINAL"])).toMatchObject({ searches: "SEARCH READ", answers: "FINAL" });
    expect(await heard(["Bash", "READY"], "READ")).toMatchObject({
      searches: "SEARCH FINAL",
      answers: "READ",
    });
  });

  it("name the reason of those that are not asked, whose states stay", async () => {
    await host.load(programs);
    const states = new Map([["answers", { ...FRESH_STATE, fires: 1 }]]);
    expect(await host.step(states, question("SEARCH", "x"))).toEqual([
      { skillId: "answers", kind: "skipped", why: "phase", state: { ...FRESH_STATE, fires: 1 } },
    ]);
  });
});
