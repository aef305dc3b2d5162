import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hasp } from "../support/cli.ts";

/** What a person took back is in the run, and in no figure: those of a run with abandoned branches are those of the run without them. */
const place = mkdtempSync(path.join(tmpdir(), "hasp-abandoned-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const SESSIONS = 6;

/** A session of Claude Code: a command that failed, or one that passed after the person went back before the failed one. */
function session(n: number, isWhole: boolean): string {
  const id = (name: string): string => `${name}-${n}`;
  const node = (uuid: string, parent: string | null, type: string, message: object): string =>
    JSON.stringify({
      type,
      uuid: id(uuid),
      parentUuid: parent === null ? null : id(parent),
      sessionId: id("s"),
      timestamp: `2026-11-01T10:0${n}:00.000Z`,
      version: "2.1.332",
      cwd: "/w",
      message,
    });
  const call = (uuid: string, parent: string, command: string): string =>
    node(uuid, parent, "assistant", {
      id: `msg-${uuid}-${n}`,
      role: "assistant",
      content: [{ type: "tool_use", id: id(`call-${uuid}`), name: "Bash", input: { command } }],
    });
  const result = (uuid: string, parent: string, text: string): string =>
    node(uuid, parent, "user", {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: id(`call-${parent}`), content: text }],
    });
  const branch = [call("wrong", "ask", "git push --force"), result("failed", "wrong", "rejected")];
  const rows = [
    node("ask", null, "user", { role: "user", content: `Publish number ${n}.` }),
    ...(isWhole ? branch : []),
    call("right", "ask", "git push"),
    result("done", "right", "ok"),
    node("end", "done", "assistant", {
      id: id("last"),
      role: "assistant",
      content: [{ type: "text", text: "Done." }],
      stop_reason: "end_turn",
    }),
  ];
  return `${rows.join("\n")}\n`;
}

const write = (name: string, text: string): void => writeFileSync(path.join(place, name), text);
const run = (...args: readonly string[]) => hasp(args, { cwd: place });

beforeAll(async () => {
  const numbers = Array.from({ length: SESSIONS }, (_, n) => n);
  write("verdicts.csv", `id,correct\n${numbers.map((n) => `s-${n},${String(n % 2 === 0)}`).join("\n")}\n`);
  for (const [name, isWhole] of [
    ["whole", true],
    ["standing", false],
  ] as const) {
    const files = numbers.map((n) => `${name}-${n}.jsonl`);
    numbers.forEach((n) => write(`${name}-${n}.jsonl`, session(n, isWhole)));
    const imported = await run("import", ...files, "--verdicts", "verdicts.csv", "-o", name);
    expect(imported.err).toBe("");
  }
});

/** The note that branches are left out, and the time that it took. */
const OTHER_LINES =
  /HASP518|→ Nothing to do; the replay shows them|^0 errors, 0 warnings$|^$| PF evaluations in /;

/** The lines of an output, under one name for all runs. */
const figures = (out: string, name: string): readonly string[] =>
  out
    .replaceAll(name, "RUN")
    .split("\n")
    .filter((line) => !OTHER_LINES.test(line));

it("the run holds the branches, and the commands say that they leave them out", async () => {
  const { out } = await run("import", "--report", "whole");
  expect(out).toContain(`${SESSIONS} abandoned branches with ${SESSIONS} steps`);
  expect((await run("signals", "whole")).out).toContain("HASP518");
});

it.each([["score"], ["signals"], ["failures"], ["backtest", "--episodes"]] as const)(
  "hasp %s gives the same figures",
  async (...command) => {
    const [whole, standing] = [await run(...command, "whole"), await run(...command, "standing")];
    expect(whole.code).toBe(standing.code);
    expect(standing.out).not.toBe("");
    expect(figures(whole.out, "whole")).toEqual(figures(standing.out, "standing"));
  },
);
