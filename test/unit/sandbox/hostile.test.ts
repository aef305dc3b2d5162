import { afterAll, describe, expect, it } from "vitest";
import { threadCpuNow } from "../../../src/platform/cpu-clock.ts";
import { createPfHost } from "../../../src/sandbox/create-pf-host.ts";
import { FRESH_STATE, type PfVerdict } from "../../../src/sandbox/pf-host.ts";
import { createSandbox } from "../../../src/sandbox/quickjs-host.ts";
import { pfFixture, pfFixtureNames, question } from "../../support/pf-fixtures.ts";

/** A native call that never returns can be ended only from outside: test/unit/platform-pf. */
const NEEDS_WATCHDOG = ["hostile/native-loop", "hostile/gigabyte", "hostile/slow-gigabyte"];

/** What the author of each PF is told, and on which line. */
const EXPECTED: Record<string, { message: RegExp; line?: number }> = {
  "changes-context": { message: /not extensible/, line: 6 },
  "class-state": { message: /'count' is read-only/, line: 6 },
  "cyclic-memory": { message: /nested more than 32 deep/ },
  "deep-json": { message: /too deeply|too long/ },
  "deep-memory": { message: /nested more than 32 deep/ },
  "deep-parse": { message: /too deeply|too long/ },
  "detached-jobs": { message: /ran too long/ },
  "dynamic-import": { message: /imports only "hasp"/ },
  "endless-jobs": { message: /ran too long/ },
  "endless-loop": { message: /ran too long/, line: 6 },
  "endless-loop-caught": { message: /ran too long/, line: 6 },
  "instance-collection": { message: /keeps nothing between calls/, line: 6 },
  "instance-state": { message: /not extensible/, line: 6 },
  "long-string": { message: /ran out of memory|ran too long|string/ },
  "looping-getter": { message: /ran too long/, line: 9 },
  "memory-getter": { message: /ctx\.memory\.x is an accessor/ },
  "memory-huge": { message: /100000 are allowed/ },
  "memory-map": { message: /ctx\.memory\.seen is an object of a class/ },
  "memory-nan": { message: /ctx\.memory\.mean is NaN/ },
  "memory-proxy": { message: /trap/, line: 6 },
  "memory-tojson": { message: /ctx\.memory\.toJSON is a function/ },
  "memory-undefined": { message: /ctx\.memory\.last is undefined/ },
  "never-settles": { message: /never settles/ },
  "patches-array": { message: /'push' is read-only/, line: 6 },
  "patches-base": { message: /not extensible/, line: 6 },
  "patches-global": { message: /not extensible/, line: 6 },
  "patches-iterator": { message: /'next' is read-only/, line: 6 },
  "patches-json": { message: /'stringify' is read-only/, line: 6 },
  "patches-promise": { message: /'then' is read-only/, line: 6 },
  "reaches-async-constructor": { message: /cannot make code from text/, line: 6 },
  "reaches-constructor": { message: /cannot make code from text/, line: 6 },
  "reaches-date": { message: /'Date' is not defined/, line: 6 },
  "reaches-eval": { message: /'eval' is not defined/, line: 6 },
  "reaches-fetch": { message: /'fetch' is not defined/, line: 6 },
  "reaches-generator-constructor": { message: /cannot make code from text/, line: 6 },
  "reaches-guest": { message: /'hasp' is not defined/, line: 6 },
  "reaches-process": { message: /'process' is not defined/, line: 6 },
  "reaches-random": { message: /not a function/, line: 6 },
  "reaches-require": { message: /'require' is not defined/, line: 6 },
  recursion: { message: /too deeply/, line: 6 },
  regexp: { message: /ran too long/, line: 6 },
  rejects: { message: /later/, line: 9 },
  "replaces-memory": { message: /'memory' is read-only/, line: 6 },
  "returns-huge-text": { message: /30000 characters; 20000 are allowed/ },
  "returns-list": { message: /must be a string/ },
  "returns-nothing": { message: /must return an Intervention/ },
  "returns-number-arg": { message: /newActionArg must be a string, not number/ },
  "returns-promise": { message: /not a Promise/ },
  "returns-proxy": { message: /trap/, line: 9 },
  "returns-thenable": { message: /must be a string/ },
  "returns-truthy": { message: /true or false, not string/ },
  "returns-unknown-type": { message: /MODIFY_ACTION, INJECT_CONTEXT or NOOP/ },
  throws: { message: /TypeError: no such thing/, line: 6 },
  "throws-getter": { message: /cannot be put into words/ },
  "throws-hostile": { message: /cannot be put into words/ },
  "throws-looping-getter": { message: /ran too long/ },
  "throws-text": { message: /threw just text/ },
};

/** Milliseconds of processor time, a third of the product's: dozens of limits are met here. */
const STEP_MS = 80;
const host = createPfHost(createSandbox(threadCpuNow), STEP_MS);
const good = pfFixtureNames("good").map((name) => pfFixture(name));
const kinds = (verdicts: readonly PfVerdict[]): string[] => verdicts.map((verdict) => verdict.kind);

afterAll(() => host.close());

describe("a PF that misbehaves gets an error of its own, and the others their answers", () => {
  const names = pfFixtureNames("hostile").filter((name) => !NEEDS_WATCHDOG.includes(name));
  it.each(names)("%s", async (name) => {
    const bad = pfFixture(name);
    await host.load([...good, bad]);
    const states = new Map([...good, bad].map(({ skillId }) => [skillId, FRESH_STATE]));
    const verdicts = await host.step(states, question("SEARCH", "one two three four five six who"));
    expect(kinds(verdicts)).toEqual(["fired", "fired", "skipped", "fired", "error"]);
    const expected = EXPECTED[bad.skillId];
    expect(verdicts.at(-1)).toMatchObject({
      message: expect.stringMatching(expected?.message ?? /^$/),
      state: FRESH_STATE,
    });
    if (expected?.line !== undefined) expect(verdicts.at(-1)).toMatchObject({ line: expect.any(Number) });
  });

  it("the line is the PF's own, as in pf.ts", async () => {
    await host.load([pfFixture("hostile/throws")]);
    const [verdict] = await host.step(new Map([["throws", FRESH_STATE]]), question("SEARCH", "x"));
    expect(verdict).toMatchObject({ kind: "error", cause: "threw", line: 6 });
  });
});

describe("a PF that cannot be loaded says why", () => {
  const EXPECTED_LOAD: Record<string, { message: RegExp; line?: number }> = {
    "bad-traits": { message: /maxFires must be a whole number/ },
    "endless-module": { message: /ran too long/, line: 1 },
    "field-throws": { message: /cannot build/, line: 5 },
    "imports-fs": { message: /imports "node:fs": a PF imports only "hasp"/, line: 1 },
    "late-rejection": { message: /after the wait/, line: 2 },
    "no-default": { message: /default export must be a class that extends ProgramFunction/ },
    "no-intervene": { message: /no method intervene/ },
    "not-a-class": { message: /default export must be a class/ },
    "patches-while-loading": { message: /'map' is read-only/, line: 1 },
    "syntax-error": { message: /SyntaxError: unexpected token/, line: 3 },
    "waits-forever": { message: /top-level await/ },
  };
  it.each(Object.keys(EXPECTED_LOAD))("%s", async (name) => {
    const loaded = await host.load([pfFixture(`unloadable/${name}`), pfFixture("good/shorten")]);
    const expected = EXPECTED_LOAD[name];
    expect(loaded[0]).toMatchObject({ ok: false, message: expect.stringMatching(expected?.message ?? /^$/) });
    expect(loaded[0]?.ok === false ? loaded[0].line : undefined).toBe(expected?.line);
    expect(loaded[1]).toMatchObject({ ok: true });
  });
});

describe("a PF that breaks the sandbox again and again", () => {
  it("is no longer run after three times, and its verdict says so", async () => {
    await host.load([pfFixture("hostile/endless-loop"), pfFixture("good/shorten")]);
    const steps = Array.from({ length: 12 }, () => question("SEARCH", "one two three four five six"));
    const verdicts = await host.fold(["endless-loop", "shorten"], steps);
    const messages = (verdicts.get("endless-loop") ?? []).map((v) =>
      v.kind === "error" ? v.message : v.kind,
    );
    expect(messages.slice(0, 3).every((m) => m.startsWith("ran too long"))).toBe(true);
    expect(
      messages.slice(3).every((m) => m.includes("no longer run, after it broke the sandbox 3 times")),
    ).toBe(true);
    expect(kinds(verdicts.get("shorten") ?? []).slice(0, 4)).toEqual(["fired", "fired", "fired", "limited"]);
    expect(verdicts.get("shorten")).toHaveLength(12);
  });

  it("gets another chance when it is loaded again", async () => {
    await host.load([pfFixture("good/shorten"), pfFixture("hostile/endless-loop")]);
    const [, verdict] = await host.step(
      new Map([
        ["shorten", FRESH_STATE],
        ["endless-loop", FRESH_STATE],
      ]),
      question("SEARCH", "x"),
    );
    expect(verdict).toMatchObject({ kind: "error", message: expect.stringMatching(/^ran too long/) });
  });

  it("a PF that hoards memory does not take the others down", async () => {
    await host.load([pfFixture("unloadable/hoards"), pfFixture("good/shorten")]);
    const states = new Map([
      ["hoards", FRESH_STATE],
      ["shorten", FRESH_STATE],
    ]);
    const verdicts = await host.step(states, question("SEARCH", "one two three four five six"));
    expect(verdicts.at(-1)).toMatchObject({ skillId: "shorten", kind: "fired" });
  });

  it("a context that does not fit is nobody's fault", async () => {
    await host.load([pfFixture("good/shorten")]);
    const huge = question("SEARCH", "x", { lastSearchResultsText: "x".repeat(9_000_000) });
    const [verdict] = await host.step(new Map([["shorten", FRESH_STATE]]), huge);
    expect(verdict).toMatchObject({
      kind: "error",
      message: expect.stringMatching(/the context has 90\d+ characters/),
    });
  });
});
