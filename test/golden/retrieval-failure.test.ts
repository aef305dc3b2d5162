import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { threadCpuNow } from "../../src/platform/cpu-clock.ts";
import { initialContext } from "../../src/trace/context-at.ts";
import { createPfHost } from "../../src/sandbox/create-pf-host.ts";
import { FRESH_STATE, type AskTeacher, type PfVerdict } from "../../src/sandbox/pf-host.ts";
import { createSandbox } from "../../src/sandbox/quickjs-host.ts";
import { transpile } from "../../src/skill/transpile.ts";
import { webSearchRules } from "../../src/domains/web-search/context-rules.ts";
import { paperSkill } from "../support/shipped.ts";

const SKILL = "retrieval_failure";
const file = `${paperSkill("retrieval-failure")}/pf.ts`;
const source = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
const host = createPfHost(createSandbox(threadCpuNow));

const QUERY =
  "I need to find out in which city the architect who designed the Crystal Bridges Museum of American Art was born";
const BY_ITSELF = "city architect designed Crystal Bridges Museum of American Art born";

const context = initialContext(
  "In which city was the architect of the museum that Alice Walton founded born?",
  {
    domain: "web-search",
    actionTypes: ["SEARCH", "READ", "FINAL"],
    searchReturnsText: false,
    maxSteps: 8,
  },
  webSearchRules,
);

beforeAll(async () => {
  const { value: code = "" } = transpile(source, file);
  const [loaded] = await host.load([{ skillId: SKILL, priority: 0.8, file, code }]);
  expect(loaded).toEqual({
    skillId: SKILL,
    ok: true,
    traits: { needsTeacher: true, maxFires: 3, after: [], votes: true },
  });
});
afterAll(() => host.close());

async function judge(query: string, teacher?: AskTeacher, fires = 0): Promise<PfVerdict | undefined> {
  const states = new Map([[SKILL, { ...FRESH_STATE, fires, modifies: fires }]]);
  const proposed = { type: "SEARCH", arg: query };
  const [verdict] = await host.step(
    states,
    { context, proposed, actionTypes: ["SEARCH", "READ", "FINAL"], maxModifyFires: 2 },
    teacher,
  );
  return verdict;
}

async function newQuery(query: string, teacher?: AskTeacher): Promise<string | undefined> {
  const verdict = await judge(query, teacher);
  if (verdict?.kind !== "fired" || verdict.intervention.type !== "MODIFY_ACTION") return undefined;
  return verdict.intervention.newActionArg;
}

const says =
  (reply: string): AskTeacher =>
  () =>
    Promise.resolve({ reply });

describe("retrieval_failure with a teacher", () => {
  it("sends the teacher's query, without what models put around it", async () => {
    expect(await newQuery(QUERY, says("Moshe Safdie city of birth"))).toBe("Moshe Safdie city of birth");
    expect(await newQuery(QUERY, says('Query: "Moshe Safdie birthplace".\n'))).toBe(
      "Moshe Safdie birthplace",
    );
  });

  it("shows the teacher at most 500 characters of the query, cold and short", async () => {
    const calls: Parameters<AskTeacher>[0][] = [];
    await newQuery(`${"x".repeat(600)} ${QUERY}`, (call) => {
      calls.push(call);
      return Promise.resolve({ reply: "Moshe Safdie birthplace" });
    });
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({ maxTokens: 50, temperature: 0 });
    expect(calls[0]?.prompt).toContain("x".repeat(500));
    expect(calls[0]?.prompt).not.toContain("x".repeat(501));
  });

  it("shortens by itself where the teacher fails or answers with no query", async () => {
    expect(await newQuery(QUERY, () => Promise.reject(new Error("no answer")))).toBe(BY_ITSELF);
    expect(await newQuery(QUERY, says("Haifa"))).toBe(BY_ITSELF);
    expect(await newQuery(QUERY, says(""))).toBe(BY_ITSELF);
    expect(await newQuery(QUERY, says("word ".repeat(21)))).toBe(BY_ITSELF);
  });

  it("shortens by itself where there is no teacher", async () => {
    expect(await newQuery(QUERY)).toBe(BY_ITSELF);
  });
});

describe("retrieval_failure on odd queries", () => {
  it.each([
    ["punctuation alone", "? ".repeat(30)],
    ["one word, over and over", "Walton ".repeat(30)],
    ["nothing but empty words", "is it that the of and to in ".repeat(4)],
    [
      "a script without capitals",
      "東京 大阪 京都 名古屋 札幌 福岡 神戸 広島 仙台 千葉 北九州 堺 新潟 浜松 熊本 相模原 岡山",
    ],
    ["a runaway query", "Alice Walton met the founder of the museum in 2011 ".repeat(400)],
    ["an unclosed quotation", `"${"a quotation that never ends and goes on ".repeat(4)}`],
  ])("makes 1 to 12 words of %s", async (_what, query) => {
    const words = (await newQuery(query))?.split(/\s+/) ?? [];
    expect(words.length).toBeGreaterThanOrEqual(1);
    expect(words.length).toBeLessThanOrEqual(12);
  });

  it("stops after three fires in an episode", async () => {
    expect(await judge(QUERY, undefined, 2)).toMatchObject({ kind: "fired" });
    expect(await judge(QUERY, undefined, 3)).toMatchObject({
      kind: "limited",
      limit: "maxFires",
      allowed: 3,
    });
  });
});
