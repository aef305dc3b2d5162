import { appendFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { compareCommand } from "../../../src/cli/commands/compare.ts";
import { configured } from "../../../src/cli/configured.ts";
import { noteCommand } from "../../../src/cli/commands/note.ts";
import type { ExitCode } from "../../../src/cli/terminal.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { commandContext } from "../../support/cli-context.ts";
import { appendEpisode } from "../../../src/trace/episode-file.ts";
import { episode, files, step, temporaryFolder } from "../trace/support.ts";

type Command = typeof noteCommand;

/** What a command printed, and its exit code. */
async function run(
  command: Command,
  ...args: string[]
): Promise<{ text: string; code: ExitCode | undefined }> {
  const { context, out, code } = commandContext(args);
  await configured(command(context), context.streams).parseAsync(args, { from: "user" });
  return { text: out(), code: code() };
}
const note = (...args: string[]) => run(noteCommand, ...args);
const compare = (...args: string[]) => run(compareCommand, ...args);
const json = async <T>(running: Promise<{ text: string }>): Promise<T> =>
  JSON.parse((await running).text) as T;

async function runOf(...episodes: Episode[]): Promise<string> {
  const folder = temporaryFolder();
  for (const one of episodes) await appendEpisode(files, `${folder}/episodes.jsonl`, one);
  return folder;
}

describe("hasp note", () => {
  it("labels a step, lists it, prints it as a case and removes it", async () => {
    const folder = await runOf(episode("e1"), episode("e2"));
    const { text, code } = await note(
      folder,
      "--episode",
      "2",
      "--step",
      "1",
      "--label",
      "Went wrong here",
      "--text",
      "too early",
    );
    expect(text).toMatch(/^[0-9a-f]{12} {2}went wrong here on step 1 of e2\n$/);
    expect(code).toBe(0);
    const id = text.slice(0, 12);
    expect((await note(folder)).text).toMatch(
      /e2 +step 1 +went wrong here +too early\n1 note on 1 of 2 episodes\n$/,
    );
    expect((await note(folder, "--label", "good")).text).toBe("0 notes on 0 of 2 episodes\n");
    expect((await note(folder, "--episode", "1")).text).toBe("0 notes on 0 of 2 episodes\n");
    expect((await note(folder, "--case", id)).text).toContain(
      "- name: went wrong here, episode e2, step 1\n",
    );
    expect((await note(folder, "--remove", id.slice(0, 5))).text).toBe(
      `removed ${id}: went wrong here on step 1 of e2\n`,
    );
    expect((await json<{ notes: unknown[] }>(note(folder, "--json"))).notes).toEqual([]);
  });

  it("says what is wrong with a call and what to do", async () => {
    const folder = await runOf(episode("e1"));
    await expect(note(folder, "--episode", "7", "--label", "good")).rejects.toThrow(
      "The run has no episode 7.",
    );
    await expect(note(folder, "--episode", "e1", "--step", "3", "--label", "good")).rejects.toThrow(
      "There is no step 3.",
    );
    await expect(note(folder, "--episode", "e1", "--label", "x".repeat(61))).rejects.toThrow("does not fit");
    await expect(note(folder, "--remove", "x")).rejects.toThrow("The run has no note x.");
    await expect(note(temporaryFolder())).rejects.toThrow("There is no run");
  });

  it("reports lines that are no notes, and prints nothing that a terminal would obey", async () => {
    const folder = await runOf(episode("e1"));
    await note(folder, "--episode", "e1", "--label", "a\u001b[31mb\u202ec", "--text", "two\nlines\u0007");
    await appendFile(`${folder}/notes.jsonl`, "{ torn");
    const { text, code } = await note(folder);
    expect(code).toBe(1);
    expect(text).toContain("Line 2: the line is not complete JSON");
    expect(text).toContain("two lines");
    expect(text).not.toMatch(/(?!\n)\p{Cc}|\p{Bidi_Control}/u);
  });
});

describe("hasp compare", () => {
  const cost = { inputTokens: 100, outputTokens: 20, cost: 0.002 };
  const wrong = episode("q1", {
    questionId: "q1",
    outcome: "wrong",
    answer: "no",
    cost,
    steps: [step(0, "SEARCH", "who", "somebody"), step(1, "FINAL", "no")],
  });
  const right = episode("q1", {
    questionId: "q1",
    answer: "somebody",
    cost,
    steps: [
      step(0, "SEARCH", "who", "somebody"),
      {
        ...step(1, "READ", "doc_0", "page"),
        proposals: [{ thought: "", action: { type: "FINAL", arg: "no" } }],
      },
      step(2, "FINAL", "somebody"),
    ],
  });
  const other = episode("q2", { questionId: "q2", question: "Where was it?" });

  it("tells what the second run won, in which outcomes, and what both took", async () => {
    const [a, b] = [await runOf(wrong, other), await runOf(right, other, episode("q3"))];
    const { text, code } = await compare(a, b);
    expect(code).toBe(0);
    expect(text).toContain("2 questions in both runs, 0 only in A, 1 only in B");
    expect(text).toContain("B won 1, lost 0; both right 1, both wrong 0; exact McNemar p = 1.0000");
    expect(text).toContain("A wrong            1\n");
    expect(text).toMatch(/steps +2 +4 +2\.5 +5\n/);
    expect(text).toMatch(/cost, \$ +0\.0020 +0\.0020/);
    expect(text).toMatch(/won +q1 +✗ wrong, 2 steps +✓ correct, 3 steps +Who was it\?/);
    expect((await compare(a, b, "--limit", "0")).text).toContain("… 1 more: --limit 1");
    expect((await compare(a, b, "--quick")).text).not.toContain("tokens");
  });

  it("shows two episodes of a question step beside step", async () => {
    const [a, b] = [await runOf(wrong), await runOf(right)];
    const { text } = await compare(a, b, "--question", "q1");
    const rows = text.split("\n").slice(5);
    expect(rows).toEqual([
      '=    1    1     SEARCH("who")',
      "▶ first divergence",
      '≠    2    2  A  FINAL("no")',
      '             B  READ("doc_0")  ▲ proposed FINAL("no")',
      '+    –    3  B  FINAL("somebody")',
      "= same  ~ same action, other observation  ≠ differs  - only in A  + only in B",
      "",
    ]);
    const { firstDivergence } = await json<{ firstDivergence: number }>(
      compare(a, b, "--question", "q1", "--json"),
    );
    expect(firstDivergence).toBe(1);
  });

  it("says what it cannot compare", async () => {
    const [a, b] = [await runOf(wrong), await runOf(other)];
    expect((await compare(a, b)).text).toContain("There is nothing to compare.");
    await expect(compare(a, b, "--question", "q1")).rejects.toThrow("has no episode of that question");
    await expect(compare(a, b, "--question", "q9")).rejects.toThrow("Neither run has a question q9.");
  });
});
