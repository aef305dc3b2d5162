import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Library } from "../../../../src/analysis/library.ts";
import { codingAgent } from "../../../../src/domains/coding-agent/coding-agent.ts";
import { z } from "../../../../src/model/zod.ts";
import type { RecordedProposal } from "../../../../src/sandbox/pf-host.ts";
import { initialContext, withProposal, withPrompts } from "../../../../src/trace/context-at.ts";
import { CODING_FACTS } from "../../../support/coding-session.ts";
import { loadSkills, openCore, ROOT } from "../../../support/core.ts";
import { THOROUGH } from "../../../support/thorough.ts";

const callSchema = z.union([z.string(), z.looseObject({ tool: z.string(), path: z.string() })]);
type Call = z.infer<typeof callSchema>;
const rowSchema = z.strictObject({
  prompt: z.string().optional(),
  prompts: z.array(z.string()).optional(),
  branch: z.string().default("topic"),
  commands: z.array(callSchema).default([]),
  passes: z.array(callSchema).default([]),
  stays: z.array(callSchema).default([]),
});
type Row = z.infer<typeof rowSchema>;
const tableSchema = z.strictObject({
  mentions: z.array(rowSchema),
  asks: z.array(rowSchema),
  ordinary: z.array(rowSchema),
});

const table = tableSchema.parse(parse(readFileSync(path.join(ROOT, "test/fixtures/prompts.yaml"), "utf8")));
/** The skills that step aside for a wish; thousands of calls are tried, and the others have no part in it. */
const GUARDS = [
  "committing-secrets",
  "destructive-delete",
  "destructive-sql",
  "discarding-work",
  "force-push",
  "protected-files",
  "running-downloads",
  "secret-files",
];
const core = openCore();
let library: Library;
beforeAll(async () => {
  library = await loadSkills(core, ...GUARDS.map((name) => `skills/coding-agent/${name}`));
});
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));

const said = ({ prompt = "", prompts = [prompt] }: Row): readonly string[] => prompts;
const shown = (row: Row): string => said(row).join(" / ").replace(/\s+/g, " ").slice(0, 100);

/** A call after these prompts, as the guards are asked about it. */
function askedAbout(row: Row, call: Call): RecordedProposal {
  const { tool, ...input } = typeof call === "string" ? { tool: "Bash", command: call } : call;
  const [question = "", ...later] = said(row);
  const start = initialContext(
    question,
    { ...CODING_FACTS, cwd: "/home/anna/shop" },
    codingAgent.contextRules,
  );
  const action = { type: tool, arg: JSON.stringify(input) };
  const files = typeof call === "string" ? [] : [{ path: call.path, exists: true, occurrences: [1] }];
  const context = withProposal(
    withPrompts(start, later),
    { thought: "", action, world: { branch: row.branch, files } },
    codingAgent.contextRules,
  );
  const { actionTypes } = codingAgent;
  return { context, proposed: action, actionTypes, maxModifyFires: 100_000, replies: undefined };
}

/** The ids of the skills that act on each of these calls. */
async function actingOn(tried: readonly { row: Row; call: Call }[]): Promise<string[][]> {
  const ids = library.active.map(({ skill }) => skill.skillId);
  const steps = tried.map(({ row, call }) => askedAbout(row, call));
  const verdicts = await core.host.fold(ids, steps);
  return steps.map((_, i) =>
    ids.flatMap((id) => {
      const verdict = verdicts.get(id)?.[i];
      if (verdict === undefined || verdict.kind === "skipped") return [];
      return [verdict.kind === "fired" ? id : `${id}: ${JSON.stringify(verdict)}`];
    }),
  );
}

/** Every third row of a kind; all of them in the thorough form. */
const some = (rows: readonly Row[]): readonly Row[] => (THOROUGH ? rows : rows.filter((_, i) => i % 3 === 0));

const pairs = (rows: readonly Row[], of: (row: Row) => readonly Call[]): { row: Row; call: Call }[] =>
  rows.flatMap((row) => of(row).map((call) => ({ row, call })));

/** The pairs of which `isWrong` holds, in words. */
async function wrong(
  tried: readonly { row: Row; call: Call }[],
  isWrong: (acting: readonly string[]) => boolean,
): Promise<string[]> {
  const acting = await actingOn(tried);
  return tried.flatMap(({ row, call }, i) => {
    const ids = acting[i] ?? [];
    return isWrong(ids) ? [`${shown(row)} → ${JSON.stringify(call)} ${ids.join(", ")}`] : [];
  });
}

const isOpen = (acting: readonly string[]): boolean => acting.length === 0;
const isHeld = (acting: readonly string[]): boolean => acting.length > 0;

describe("the guards that come with HASP Studio, after 150 prompts and more", () => {
  it("has as many prompts of each kind as it claims", () => {
    expect(table.mentions.length).toBeGreaterThanOrEqual(60);
    expect(table.asks.length).toBeGreaterThanOrEqual(40);
    expect(table.ordinary.length).toBeGreaterThanOrEqual(50);
  });

  it("let nothing through that a prompt only mentions", async () => {
    expect(
      await wrong(
        pairs(some(table.mentions), ({ commands }) => commands),
        isOpen,
      ),
    ).toEqual([]);
  });

  it("let exactly that through which a prompt asks for", async () => {
    expect(
      await wrong(
        pairs(some(table.asks), ({ passes }) => passes),
        isHeld,
      ),
    ).toEqual([]);
    expect(
      await wrong(
        pairs(some(table.asks), ({ stays }) => stays),
        isOpen,
      ),
    ).toEqual([]);
  });

  it("act on at most one in a hundred of the commands that follow an ordinary prompt", async () => {
    const tried = pairs(table.ordinary, ({ commands }) => commands);
    const alarms = await wrong(tried, isHeld);
    expect(alarms.length / tried.length, alarms.join("\n")).toBeLessThanOrEqual(0.01);
  });

  it("act within their time limit, however long the prompt and the line", async () => {
    const many = Array.from({ length: 400 }, (_, i) => `rm -rf /home/u${i}`).join(" && ");
    for (const piece of ["<a>", "`a ", "- run rm -rf x\n", "delete a, ", "Run x. "]) {
      const row = rowSchema.parse({ prompt: piece.repeat(Math.ceil(100_000 / piece.length)) });
      const acting = await actingOn([
        { row, call: many },
        { row, call: "git reset --hard" },
      ]);
      expect(acting).toEqual([["destructive_delete"], ["discarding_work"]]);
    }
  });
});
