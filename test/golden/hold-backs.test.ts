import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FRESH_STATE, type PfState, type PfVerdict } from "../../src/sandbox/pf-host.ts";
import type { StepContext } from "../../src/model/step-context.ts";
import { loadSkills, openCore } from "../support/core.ts";
import { question } from "../support/pf-fixtures.ts";

/** They hold an answer back with a text, and change no action. */
const MENDED = [
  "reasoning-error answer-confidence-guard unfinished-answer overfull-answer multi-hop-reasoning-failure",
  "question-echo answer-kind-mismatch unspecific-answer",
].flatMap((line) => line.split(" "));
const NEW = ["answer-in-parts", "answer-beside-thought", "guess-after-loop"];
const FOLDERS = [
  ...MENDED.map((name) => `skills/web-search/${name}`),
  ...NEW.map((name) => `skills/worth/web-search/${name}`),
];
const idOf = (folder: string): string => folder.slice(folder.lastIndexOf("/") + 1).replaceAll("-", "_");

const core = openCore();
beforeAll(async () => void (await loadSkills(core, ...FOLDERS)));
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));

async function judge(
  id: string,
  answer: string,
  context: Partial<StepContext>,
  state: PfState = FRESH_STATE,
): Promise<PfVerdict | undefined> {
  const [verdict] = await core.host.step(new Map([[id, state]]), question("FINAL", answer, context));
  return verdict;
}

const looped = ["mine owner", "owner of the mine", "mine owner shaft", "owner mine"].map((arg) => ({
  type: "SEARCH" as const,
  arg,
}));
const worked = { stepCount: 4, searchCount: 4, readCount: 1, hasRead: true, actionHistory: looped };

/** A draft that the skill holds back, and what it is held back in. */
const DRAFTS: Readonly<Record<string, readonly [string, Partial<StepContext>]>> = {
  reasoning_error: ["Ellis Corbett", { ...worked, allReadContents: ["Ellis Dunne wrote a poem."] }],
  answer_confidence_guard: ["Tarnby", { thought: "I am not sure, but it is probably Tarnby." }],
  unfinished_answer: ["I could not find it.", {}],
  overfull_answer: ["The painter of the mural is from Tarnby in the south", {}],
  multi_hop_reasoning_failure: [
    "Norburg\nTower",
    {
      question: "Where is the tower that was named after Ada Brennick?",
      thought: "The tower named after Ada Brennick is Norburg Tower.",
    },
  ],
  question_echo: ["mural", {}],
  answer_kind_mismatch: ["Tarnby", { question: "How many painters made the mural?" }],
  unspecific_answer: ["a town", {}],
  answer_in_parts: ["Tarnby, Osk", {}],
  answer_beside_thought: ["Tarnby", { thought: "The painter came from Lund, as the text says." }],
  guess_after_loop: ["Tarnby", worked],
};

const textOf = (verdict: PfVerdict | undefined): string | undefined =>
  verdict?.kind === "fired" && verdict.intervention.type === "INJECT_CONTEXT"
    ? verdict.intervention.contextText
    : undefined;

describe.each(FOLDERS.map(idOf))("%s", (id) => {
  const [draft, context] = DRAFTS[id] ?? ["", {}];

  it("holds its answer back with one statement that names what to do, and only once", async () => {
    const first = await judge(id, draft, context);
    const text = textOf(first);
    expect(text).toMatch(/^[^?\n]+\.$/);
    expect(text).toMatch(/^(?:Run SEARCH\[[^[\]]+\] next|Search |Give |Answer )/);
    expect(text?.split(/\s+/).length).toBeLessThanOrEqual(40);
    const again = await judge(id, draft, context, (first as { state: PfState }).state);
    expect(again?.kind).toBe("limited");
  });

  it("asks for no search on the last step", async () => {
    const text = textOf(await judge(id, draft, { ...context, stepCount: 9 })) ?? "";
    expect(text).not.toMatch(/search/i);
  });

  it("stands any text", async () => {
    const odd = [
      "",
      " \n\t",
      "?".repeat(5_000),
      "a ".repeat(20_000),
      "Tarnby, ".repeat(5_000),
      "🙂".repeat(3_000),
      "a]b[c] FINAL[x]",
      "\u001b[31mred\u0000",
      "\ud800 lone",
      "東京、大阪",
      "(((((((((((((((((((((((",
    ];
    for (const answer of odd)
      for (const asked of [context.question ?? "Which town?", "", answer]) {
        const verdict = await judge(id, answer, {
          ...context,
          question: asked,
          thought: answer,
          allReadContents: [answer, "Tarnby"],
        });
        expect(["fired", "skipped"], `${id}: ${answer.slice(0, 20)}`).toContain(verdict?.kind);
        expect(textOf(verdict) ?? "").not.toMatch(/\n/);
      }
  });
});
