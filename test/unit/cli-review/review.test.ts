import { appendFile, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { reviewTarget, showReview, type ReviewTools } from "../../../src/cli/commands/review.ts";
import { printable } from "../../../src/model/printable.ts";
import type { Session } from "../../../src/cli/session.ts";
import { CliError, EXIT, type Terminal } from "../../../src/cli/terminal.ts";
import type { ChatModel } from "../../../src/llm/chat-model.ts";
import { scriptedModel } from "../../../src/llm/scripted-model.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { openCore, ROOT, SAMPLE_RUN } from "../../support/core.ts";
import { commandContext } from "../../support/cli-context.ts";
import { copySkill, GOOD, replyOf } from "../review/support.ts";

const core = openCore();
const { streams } = commandContext().context;
const session: Session = { files: nodeFiles(), ...core, streams, close: async () => undefined };
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));

let skill: Awaited<ReturnType<typeof copySkill>>;
let metadata: string;
let lines: string[];
let results: unknown[];
beforeEach(async () => {
  skill = await copySkill();
  metadata = `${skill.folder}/metadata.json`;
  lines = [];
  results = [];
});
afterEach(() => skill.remove());

const terminal: Terminal = {
  json: false,
  context: commandContext().context,
  line: (text = "") => void lines.push(text),
  result: (value) => void results.push(value),
  diagnostics: (list) => lines.push(...list.map((d) => `${d.code} ${d.message}`)),
  progress: () => undefined,
  endProgress: () => undefined,
};
const tools = (teacher: ChatModel, more: Partial<ReviewTools> = {}): ReviewTools => ({
  session,
  terminal,
  teacher,
  signal: new AbortController().signal,
  stream: undefined,
  ...more,
});
const reviews = async (): Promise<{ decision: string }[]> =>
  (JSON.parse(await readFile(metadata, "utf8")) as { reviews: { decision: string }[] }).reviews;
const exists = (file: string): Promise<boolean> => session.files.exists(file);

describe("hasp review", () => {
  it("prints scores, Q_skill, decision, measurements and comments, stores the review, and ends with 0 on accept", async () => {
    const teacher = scriptedModel([replyOf(GOOD, "ACCEPT")], "teacher");
    expect(await reviewTarget(skill.folder, [], tools(teacher))).toBe(EXIT.fine);
    const out = lines.join("\n");
    for (const text of [
      "concept     0.80    0.25   0.200",
      "Q_skill             1.00   0.810",
      "✓ insufficient_exploration: accept (the teacher's DECISION)",
      "executable checks 4 of 4 (1.00)",
      "because of trigger",
      "- keep `names`",
    ])
      expect(out).toContain(text);
    expect(await reviews()).toMatchObject([{ decision: "accept" }]);
    expect(results).toMatchObject([{ review: { qSkill: 0.81, decision: "accept" }, diagnostics: [] }]);
  });

  it.each(["REVISE", "REJECT"] as const)("ends with 1 on %s, and stores it all the same", async (word) => {
    const teacher = scriptedModel([replyOf(GOOD, word)]);
    expect(await reviewTarget(`${skill.folder}/pf.ts`, [], tools(teacher))).toBe(EXIT.findings);
    expect(await reviews()).toMatchObject([{ decision: word.toLowerCase() }]);
  });

  it("shows the teacher what a backtest measured", async () => {
    const teacher = scriptedModel([replyOf(GOOD, "ACCEPT")]);
    await reviewTarget(skill.folder, [path.join(ROOT, SAMPLE_RUN)], tools(teacher));
    expect(teacher.requests[0]?.messages[1]?.content).toMatch(
      /- wrong: [1-9]\d* episodes; fired in \d+ of them/,
    );
  });

  it("streams the teacher's words, and says why it asks again", async () => {
    let shown = "";
    const teacher = scriptedModel(["no", replyOf(GOOD, "ACCEPT")]);
    await reviewTarget(skill.folder, [], tools(teacher, { stream: (text) => void (shown += text) }));
    expect(shown).toContain("no\n\n— asked once more: CONCEPT has no score.");
    expect(shown).toContain("DECISION: ACCEPT");
  });

  it("ends with 2 and writes nothing when the reply cannot be read twice", async () => {
    const replies = ["no", "CONCEPT: 0.8\nI would rather not."];
    expect(await reviewTarget(skill.folder, [], tools(scriptedModel(replies)))).toBe(EXIT.failed);
    const shown = lines.join("\n");
    expect(shown).toContain("HASP701 TRIGGER has no score.");
    expect(shown).not.toContain("CONCEPT has no score.");
    expect(shown).toContain("I would rather not.");
    expect(await exists(metadata)).toBe(false);
  });

  it("ends with the model's failure, in words", async () => {
    const review = reviewTarget(skill.folder, [], tools(scriptedModel([{ error: "unauthorised" }])));
    await expect(review).rejects.toBeInstanceOf(CliError);
    expect(await exists(metadata)).toBe(false);
  });

  it("writes nothing when it is cancelled, before, in or after the teacher's reply", async () => {
    for (const when of ["before", "in", "after"]) {
      const controller = new AbortController();
      if (when === "before") controller.abort(new Error("Interrupted"));
      const teacher: ChatModel = {
        id: "slow",
        async chat(request, options) {
          controller.abort(new Error("Interrupted"));
          if (when === "in") options?.signal?.throwIfAborted();
          return scriptedModel([replyOf(GOOD, "ACCEPT")]).chat(request);
        },
      };
      const review = reviewTarget(skill.folder, [], tools(teacher, { signal: controller.signal }));
      await expect(review).rejects.toThrow("Interrupted: nothing was written.");
      expect(await exists(metadata)).toBe(false);
    }
  });

  it("does not ask the teacher where the review could not be stored, or the skill not read", async () => {
    const teacher = scriptedModel([]);
    await writeFile(metadata, "{ broken");
    expect(await reviewTarget(skill.folder, [], tools(teacher))).toBe(EXIT.findings);
    expect(lines.join("\n")).toContain("HASP710");
    expect(await readFile(metadata, "utf8")).toBe("{ broken");
    await writeFile(metadata, "{}");
    await writeFile(`${skill.folder}/SKILL.md`, "---\nname: [\n---\n");
    expect(await reviewTarget(skill.folder, [], tools(teacher))).toBe(EXIT.findings);
    expect(teacher.requests).toEqual([]);
  });

  it("keeps both of two reviews that run at once", async () => {
    const other = openCore();
    const ask = (word: "ACCEPT" | "REVISE", more: Partial<ReviewTools> = {}) =>
      reviewTarget(skill.folder, [], tools(scriptedModel([replyOf(GOOD, word)]), more));
    // Two processes have a sandbox each; what they share is the file.
    await Promise.all([ask("ACCEPT"), ask("REVISE", { session: { ...session, ...other } })]);
    await Promise.all([other.host.close(), other.compiler.close()]);
    expect((await reviews()).map((review) => review.decision).toSorted()).toEqual(["accept", "revise"]);
  });

  it("reviews a skill that came with HASP Studio without storing anything", async () => {
    const teacher = scriptedModel([replyOf(GOOD, "ACCEPT")]);
    expect(await reviewTarget("builtin:web-search/repeated-action", [], tools(teacher))).toBe(EXIT.fine);
    expect(lines.at(-1)).toContain("Not stored");
    expect(teacher.requests[0]?.messages[1]?.content).toContain("- reasoning_error: ");
  });

  it("is of one skill", async () => {
    const review = reviewTarget("builtin:web-search", [], tools(scriptedModel([])));
    await expect(review).rejects.toThrow(/holds \d+ skills/);
  });
});

describe("hasp review --show", () => {
  it("tells of no review, of a current one, and of a stale one with the file that changed", async () => {
    expect(await showReview(skill.folder, { session, terminal })).toBe(EXIT.findings);
    expect(lines.at(-1)).toContain("has no review");
    await reviewTarget(skill.folder, [], tools(scriptedModel([replyOf(GOOD, "ACCEPT")])));
    expect(await showReview(skill.folder, { session, terminal })).toBe(EXIT.fine);
    expect(lines.at(-1)).toBe("current: nothing has changed since");
    await appendFile(`${skill.folder}/cases.yaml`, "\n");
    expect(await showReview(skill.folder, { session, terminal })).toBe(EXIT.findings);
    expect(lines.at(-1)).toBe("stale: cases.yaml changed since");
    expect(results.at(-1)).toMatchObject({ stale: true, changed: ["cases.yaml"], reviews: 1 });
  });
});

describe("a teacher's words on a terminal", () => {
  it("cannot move the cursor, rename the window or turn the text around", () => {
    expect(printable("a\u001b[2Jb\u001b]0;x\u0007c\u009b1md\u202ee\r\nf\tg")).toBe("a[2Jb]0;xc1mde\nf\tg");
  });
});
