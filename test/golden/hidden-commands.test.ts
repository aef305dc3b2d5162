import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "../../src/model/zod.ts";
import { ROOT } from "../support/core.ts";
import {
  guardedLineSchema,
  inWords,
  isMet,
  openGuards,
  type GuardDeed,
  type GuardedLine,
} from "../support/guard-commands.ts";

const FIXTURE = path.join(ROOT, "test/fixtures/hidden-commands.yaml");
const lines = z.array(guardedLineSchema).parse(parse(readFileSync(FIXTURE, "utf8")));
const harmful = lines.filter(({ skill }) => skill !== undefined);
const harmless = lines.filter(({ skill }) => skill === undefined);

let library: Awaited<ReturnType<typeof openGuards>>;
const done = new Map<GuardedLine, readonly GuardDeed[]>();
beforeAll(async () => {
  library = await openGuards();
  for (const line of lines) done.set(line, await library.judge(line));
}, 120_000);
afterAll(() => library.close());

const shown = (line: GuardedLine): string => inWords(line, done.get(line));

describe("Commands that are spelled in another way, and those that only look like them", () => {
  it("are some hundreds of each, none twice", () => {
    expect(harmful.length).toBeGreaterThanOrEqual(300);
    expect(harmless.length).toBeGreaterThanOrEqual(400);
    expect(new Set(lines.map(({ shell, command }) => `${shell} ${command}`)).size).toBe(lines.length);
  });

  it("get what they deserve, whatever hides them", () => {
    expect(harmful.filter((line) => !isMet(line, done.get(line) ?? [])).map(shown)).toEqual([]);
  });

  it("pass where they are harmless", () => {
    expect(harmless.filter((line) => done.get(line)?.length !== 0).map(shown)).toEqual([]);
  });

  const FILLERS: readonly [string, string][] = [
    ["a comment", `#${" x".repeat(100_000)}\n`],
    ["many comments", "# nothing to see\n".repeat(12_000)],
    ["blanks", " ".repeat(200_000)],
    ["an echo", `echo '${"x y ".repeat(50_000)}'; `],
    ["a here-document", `cat > notes <<'E'\n${"x y\n".repeat(50_000)}E\n`],
    ["many programs", "true;".repeat(40_000)],
  ];
  it.each(FILLERS)("are refused behind 200,000 characters: %s", async (_, filler) => {
    const deeds = await library.judge({ command: `${filler}rm -rf /opt` });
    expect(deeds).toContainEqual({ skill: "destructive-delete", does: "refuse" });
  });

  it("pass behind a long here-document where they are harmless", async () => {
    const deeds = await library.judge({
      command: `cat > notes <<'E'\n${"x y\n".repeat(50_000)}E\nrm -rf dist`,
    });
    expect(deeds).toEqual([]);
  });
});
