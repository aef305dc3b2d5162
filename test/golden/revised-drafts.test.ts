import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { episodesIn, ROOT } from "../support/core.ts";
import { openScene, type HookScene } from "../support/hook-process.ts";

/**
 * Twelve questions of web search whose first answers a skill holds back: five drafts are mended, one right one is lost, two right ones stay
 * right, four wrong ones wrong. So says every place that tells of a backtest.
 */
const RIGHT = "the Tisza";
const PAIRS: readonly (readonly [draft: string, revision: string])[] = [
  ...Array.from({ length: 5 }, () => ["Maros", "Tisza"] as const),
  ["Tisza", "Maros"],
  ["Tisza", "Tisza River"],
  ["Tisza", "Tisza"],
  ["the Tisza", "Tisza"],
  ...Array.from({ length: 3 }, () => ["Maros", "Bega"] as const),
];
const WORDS = "fixed 5, broken 2, same 5 (2 right, 3 wrong), McNemar p 0.453";

let scene: HookScene;
beforeAll(async () => {
  scene = openScene("revised-drafts");
  const skills = scene.at("skills/web-search");
  mkdirSync(skills, { recursive: true });
  cpSync(
    path.join(ROOT, "skills/web-search/answer-confidence-guard"),
    path.join(skills, "answer-confidence-guard"),
    {
      recursive: true,
    },
  );
  const lines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  writeFileSync(
    scene.at("questions.jsonl"),
    lines(PAIRS.map((_, i) => ({ id: `q${i}`, question: `Which river crosses town ${i}?`, gold: [RIGHT] }))),
  );
  writeFileSync(scene.at("corpus.jsonl"), lines([{ title: "Town", text: "A town on a river." }]));
  writeFileSync(
    scene.at("script.json"),
    JSON.stringify(
      PAIRS.flatMap(([draft, revision]) => [
        `Thought: I am not sure, but it is probably ${draft}.\nAction: FINAL[${draft}]`,
        `Thought: It is ${revision}.\nAction: FINAL[${revision}]`,
      ]),
    ),
  );
  const ran = await scene.hasp(
    "run",
    "--questions",
    "questions.jsonl",
    "--corpus",
    "corpus.jsonl",
    "--policy",
    "scripted:script.json",
    "--skills",
    "skills",
    "--setting",
    "pf-only",
    "--concurrency",
    "1",
    "-o",
    ".hasp/runs/held",
  );
  expect(ran.err).toBe("");
}, 60_000);
afterAll(() => scene.close());

describe("drafts that a skill held back", () => {
  it("have their verdicts beside those of their revisions", async () => {
    const episodes = await episodesIn(scene.at(".hasp/runs/held"));
    expect(
      episodes.map(({ steps }) => steps[0]?.proposals.map(({ verdicts }) => verdicts?.[0]?.passed)),
    ).toEqual(PAIRS.map((pair) => pair.map((answer) => /^(?:the )?tisza$/i.test(answer))));
    const shown = await scene.hasp("replay", ".hasp/runs/held", "--episode", "1");
    expect(shown.out).toMatch(/wrong[^]*fixed[^]*right/);
  });

  it("are counted by hasp backtest, in words and in JSON", async () => {
    const told = await scene.hasp("backtest", "--skills", "skills", "--episodes", ".hasp/runs/held");
    expect(told.out).toContain(`drafts held back in the record, and revised: ${WORDS}`);
    expect(told.out).toContain(`  answer_confidence_guard: ${WORDS}`);
    const { out } = await scene.hasp(
      "backtest",
      "--skills",
      "skills",
      "--episodes",
      ".hasp/runs/held",
      "--json",
    );
    const report = JSON.parse(out) as { revisions: unknown; skills: { revisions: unknown }[] };
    const counts = {
      fixed: 5,
      broken: 2,
      sameRight: 2,
      sameWrong: 3,
      notMeasured: 0,
      p: expect.closeTo(58 / 128) as number,
    };
    expect(report.revisions).toEqual(counts);
    expect(report.skills[0]?.revisions).toEqual(counts);
  });

  it("are told to an assistant", async () => {
    const client = new Client({ name: "test", version: "1" });
    const cli = path.join(ROOT, "dist/hasp.cjs");
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [cli, "mcp", "--root", scene.at()],
      env: scene.env as Record<string, string>,
    });
    expect((await scene.hasp("mcp", "trust", scene.at(), "--yes")).code).toBe(0);
    await client.connect(transport);
    try {
      const answer = await client.callTool({
        name: "hasp_backtest_skill",
        arguments: { skill: "answer_confidence_guard", runs: [".hasp/runs/held"] },
      });
      const [first] = answer.content as { text: string }[];
      expect(first?.text).toContain(`Drafts that it held back in the record, and their revisions: ${WORDS}.`);
      expect(answer.structuredContent).toMatchObject({ revisions: { fixed: 5, broken: 2 } });
    } finally {
      await client.close();
    }
  });

  it("are evidence in a review of the skill", async () => {
    const evidence = await scene.hasp(
      "review",
      "skills/web-search/answer-confidence-guard",
      "--episodes",
      ".hasp/runs/held",
    );
    expect(evidence.out.replaceAll(/\s+/g, " ")).toContain(
      `drafts that it held back, and their revisions: ${WORDS}`,
    );
  });
});
