import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "../../src/model/zod.ts";
import { ROOT } from "../support/core.ts";
import {
  guardedLineSchema,
  inWords as wordsOf,
  isMet,
  openGuards,
  type GuardDeed,
  type GuardedLine,
} from "../support/guard-commands.ts";

/** What no skill sees: the harm stands in a file, or in what only the shell knows. */
const MISSED = [
  "xargs rm -rf < list.txt",
  "git pushf",
  "grep -r API_KEY .",
  "psql -f drop.sql",
  "npx prisma migrate reset --force",
  "npm run release",
];

const text = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");
const lines = z.array(guardedLineSchema).parse(parse(text("test/fixtures/shell-commands.yaml")));
const guards = [...new Set(lines.flatMap(({ skill }) => skill ?? []))];

let library: Awaited<ReturnType<typeof openGuards>>;
const done = new Map<GuardedLine, readonly GuardDeed[]>();

beforeAll(async () => {
  library = await openGuards();
  for (const line of lines) done.set(line, await library.judge(line));
});
afterAll(() => library.close());

const inWords = (line: GuardedLine): string => wordsOf(line, done.get(line));
const misses = (skill: string): GuardedLine[] =>
  lines.filter((line) => line.skill === skill && !isMet(line, done.get(line) ?? []));
const alarms = (skill: string): GuardedLine[] =>
  lines.filter((line) => line.skill === undefined && done.get(line)?.some((one) => one.skill === skill));

function row(skill: string): string {
  const its = lines.filter((line) => line.skill === skill);
  const count = (does: string): number => its.filter((line) => line.does === does).length;
  const cells = [its.length, count("refuse"), count("change"), count("inform"), misses(skill).length];
  return `| ${[skill, ...cells, alarms(skill).length].join(" | ")} |`;
}

describe("the skills of a coding agent on command lines of our own", () => {
  it("are asked about 300 and more, at least half of them harmless, some forty of PowerShell", () => {
    expect(lines.length).toBeGreaterThanOrEqual(300);
    expect(lines.filter(({ skill }) => skill === undefined).length).toBeGreaterThanOrEqual(lines.length / 2);
    expect(lines.filter(({ shell }) => shell !== undefined).length).toBeGreaterThanOrEqual(40);
    expect(new Set(lines.map(({ shell = "Bash", command }) => `${shell} ${command}`)).size).toBe(
      lines.length,
    );
  });

  it("leave every harmless one alone", () => {
    const touched = lines.filter((line) => line.skill === undefined && done.get(line)?.length !== 0);
    expect(touched.map(inWords)).toEqual([]);
  });

  it("do what they must about the others, but for these that they cannot know", () => {
    expect(guards.flatMap(misses).map(inWords)).toEqual(MISSED.map((command) => `${command} → nothing`));
  });

  it("give the table of docs/coding-agent.md", () => {
    const page = text("docs/coding-agent.md");
    expect(page.match(/^\| [a-z-]+(?: \| \d+){6} \|$/gm)).toEqual(guards.map(row));
    for (const command of MISSED) expect(page).toContain(command);
  });
});
