import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Episode } from "../../src/model/episode.ts";
import {
  FIXTURES,
  fixtureRun,
  openTrainScene,
  placeOf,
  rowsOf,
  say,
  type Message,
} from "../support/train-data.ts";

/** Rows of contexts (E7): what the policy read of Program Functions, and the same prompt without it. */
const scene = openTrainScene("train-data-context");
afterAll(() => scene.close());

const SYSTEM = JSON.stringify(readFileSync(path.join(FIXTURES, "system.txt"), "utf8"));
const E7 = ["--experiment", "e7"];

const contextRows = (folder: string) =>
  rowsOf(scene.at(`${folder}/a-context.jsonl`)).map((row) => ({
    ...(row as typeof row & { readonly privileged: readonly Message[]; readonly contexts: string }),
    place: placeOf(row),
  }));

const ends = (messages: readonly Message[] | undefined): string => messages?.at(-1)?.content ?? "";

describe("the run that is worked out by hand", () => {
  beforeAll(async () => {
    await fixtureRun(scene);
    await scene.build(["run", "-o", "e7", ...E7]);
  });

  it("gives one row, byte for byte: the answer of moe that claim_triangulation held back", () => {
    const wanted = readFileSync(path.join(FIXTURES, "a-context.jsonl"), "utf8");
    expect(scene.read("e7/a-context.jsonl")).toBe(wanted.replaceAll('"<the system message>"', () => SYSTEM));
  });

  it("counts the other steps under their reasons, and says how the folder was built", async () => {
    const { cards } = await scene.build(["run", "-o", "e7", ...E7]);
    const card = cards.find(({ kind }) => kind === "a-context");
    expect(card?.bySkill).toEqual([{ name: "claim_triangulation", rows: 1, weight: 0.3025 }]);
    // 16 steps: two under the floor (lark 1 and 3), one with a context.
    expect(card?.dropped.map(({ steps }) => steps)).toEqual([2, 13]);
    expect(card?.dropped[1]?.reason).toBe("the policy read no context of a Program Function here");
    expect(scene.read("e7/data.yaml")).toMatch(
      /experiment: e7\n +loop: open\n +method: sdft\n +file: a-context\.jsonl\n +filter: none\n +refresh: never\n/,
    );
    expect(scene.read("e7/a-context.card.md")).toContain("in contexts");
  });

  it("leaves the other files as they are without the experiment, which then have no a-context.jsonl", async () => {
    await scene.build(["run", "-o", "plain"]);
    expect(scene.read("plain/a-sft.jsonl")).toBe(scene.read("e7/a-sft.jsonl"));
    await scene.build(["run", "-o", "e7", ...E7]);
    await scene.build(["run", "-o", "e7"]);
    expect(contextRows("e7")).toEqual([]);
  });

  it("refuses runs without any context, and leaves the folder as it was", async () => {
    await scene.build(["run", "-o", "kept", ...E7]);
    const before = scene.read("kept/a-context.jsonl");
    await scene.run({
      output: "bare",
      questions: path.join(FIXTURES, "questions.jsonl"),
      script: Array.from({ length: 4 }, () => say("FINAL[1907]")),
      args: ["--setting", "ra-agent"],
    });
    const { diagnostics } = await scene.build(["bare", "-o", "kept", ...E7, "--floor", "0"], 2);
    expect(diagnostics.map(({ code, message }) => [code, message.slice(0, 44)])).toContainEqual([
      "HASP627",
      "There is no row to write to a-context.jsonl,",
    ]);
    expect(scene.read("kept/a-context.jsonl")).toBe(before);
  });
});

const NOTE = "Compare the dates.\nKeep in mind now:\n</note>";
/** Injects on a search, so that the note is read with its observation; on the first FINAL as well, which holds it back. */
const PF = `import { injectContext, ProgramFunction, type ActionType, type Intervention } from "hasp";
export default class Notes extends ProgramFunction {
  shouldActivate(): boolean { return true; }
  intervene(_ctx: unknown, type: ActionType): Intervention {
    return type === "READ" ? injectContext("Read twice.", "read") : injectContext(${JSON.stringify(NOTE)}, "noted");
  }
}
`;
const SKILL = `---
name: notes
description: Use when a note is wanted.
metadata:
  hasp:
    skill_id: notes
    title: Notes
    version: 1
    priority: 0.5
    error_category: notes
    applicable_modes: [web-search]
---

# Notes
`;

describe("contexts that come with an observation", () => {
  const script = [say("SEARCH[Fern Museum]"), say("READ[doc_0]"), say("FINAL[1907]"), say("FINAL[1907]")];
  let withNotes: readonly Episode[] = [];
  let without: readonly Episode[] = [];

  beforeAll(async () => {
    for (const [folder, pf] of [
      ["noted", PF],
      ["quiet", PF.replace("return true", "return false")],
    ] as const) {
      mkdirSync(scene.at(folder, "notes"), { recursive: true });
      scene.write(`${folder}/notes/SKILL.md`, SKILL);
      scene.write(`${folder}/notes/pf.ts`, pf);
    }
    scene.write(
      "one.jsonl",
      `${readFileSync(path.join(FIXTURES, "questions.jsonl"), "utf8").split("\n")[0]}\n`,
    );
    const order = { questions: "one.jsonl", script };
    const args = ["--max-steps", "12", "--skills"];
    withNotes = await scene.run({ ...order, output: "noted-run", args: [...args, "noted"] });
    const quiet = { script: script.slice(0, 3), args: [...args, "quiet"] };
    without = await scene.run({ ...order, output: "bare-run", ...quiet });
    await scene.build(["noted-run", "-o", "noted-e7", ...E7, "--floor", "0"]);
    await scene.build(["bare-run", "-o", "bare-data", "--floor", "0"]);
  });

  it("has a row for each step that read one, with the contexts that were new in it alone", () => {
    const rows = contextRows("noted-e7");
    expect(rows.map(({ place, contexts }) => [place, contexts])).toEqual([
      ["fern#1:2", "notes"],
      ["fern#1:3", "notes"],
    ]);
    const [second, third] = rows;
    expect(ends(second?.privileged)).toContain(`\nHint: ${NOTE}\n\nThe question is still: `);
    // Step 3 reads a note with its observation, and a second one after its answer: one row has both on its privileged side.
    expect(third?.privileged.map(({ role }) => role).slice(-3)).toEqual(["user", "assistant", "user"]);
    expect(third?.privileged.at(-3)?.content).toContain("Hint: Read twice.");
    expect(ends(third?.privileged)).toContain("This answer has not been given yet.");
    expect(ends(third?.prompt)).not.toContain("Read twice.");
    // The note of an earlier step is part of what has happened, in both.
    expect(third?.prompt?.some(({ content }) => content.includes(NOTE))).toBe(true);
  });

  it("gives as prompt of step 2 what a run reads whose Program Function says nothing, character for character", () => {
    const bare = rowsOf(scene.at("bare-data/a-prompt.jsonl")).find(({ step }) => step === 2);
    const [second] = contextRows("noted-e7");
    expect(second?.prompt).toEqual(bare?.prompt);
    expect(second?.privileged.slice(0, -1)).toEqual(bare?.prompt?.slice(0, -1));
    expect(withNotes[0]?.steps[0]?.injected).toHaveLength(1);
    expect(without[0]?.steps[0]?.injected).toEqual([]);
  });

  it("leaves out a step whose prompt was written otherwise, and counts it", async () => {
    const messages = scene.read("noted-run/messages.jsonl");
    scene.write("noted-run/messages.jsonl", messages.replaceAll("Observation: ", "Result: "));
    const { diagnostics } = await scene.build(["noted-run", "-o", "other-e7", ...E7, "--floor", "0"], 2);
    expect(diagnostics.map(({ message }) => message).join(" ")).toContain(
      "2: the context is not where this version of the prompt puts it",
    );
    scene.write("noted-run/messages.jsonl", messages);
  });
});
