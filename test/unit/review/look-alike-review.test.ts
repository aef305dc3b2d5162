import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scriptedModel } from "../../../src/llm/scripted-model.ts";
import { DIMENSIONS, reviewSchema } from "../../../src/model/review.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { gatherEvidence, type ReviewEvidence } from "../../../src/review/evidence.ts";
import { readReply } from "../../../src/review/look-alike-review.ts";
import { reviewRequest, type ReviewRequest } from "../../../src/review/review-prompt.ts";
import { reviewSkill } from "../../../src/review/review.ts";
import { readSubject, type ReviewSubject } from "../../../src/review/review-subject.ts";
import { openCore, ROOT } from "../../support/core.ts";
import { CLOCK, copySkill, GOOD, replyOf } from "./support.ts";

const core = openCore();
const recorded = (name: string): string =>
  readFileSync(path.join(ROOT, "test/fixtures/model/roles", name), "utf8");
/** By a model of 1.5 B: five scores of 0.00, questions of the rubric as reasons, and ACCEPT. */
const ZEROS = recorded("review-zeros.txt");

let skill: Awaited<ReturnType<typeof copySkill>>;
let subject: ReviewSubject;
let evidence: ReviewEvidence;
let asked: ReviewRequest;

beforeAll(async () => {
  skill = await copySkill();
  const found = await readSubject(nodeFiles(), core.compiler, skill.folder);
  if (found.subject === undefined) throw new Error("the shipped skill cannot be read");
  subject = found.subject;
  evidence = await gatherEvidence(subject, core);
  asked = reviewRequest(subject, evidence);
});
afterAll(async () => {
  await Promise.all([core.host.close(), core.compiler.close(), skill.remove()]);
});

const whyOf = (reply: string): string | undefined =>
  readReply(reply, asked.request).diagnostics.find(({ code }) => code === "HASP858")?.message;
/** A review with these scores and these reasons. */
const reviewOf = (score: string, why: (name: string) => string, decision = "REJECT"): string =>
  [
    ...DIMENSIONS.flatMap((name) => [
      `${name.toUpperCase()}: ${score}`,
      `${name.toUpperCase()} WHY: ${why(name)}`,
    ]),
    `DECISION: ${decision}`,
  ].join("\n");

describe("a reply that only looks like a review", () => {
  it("has five zeros and accepts, as a small model wrote it", () => {
    expect(whyOf(ZEROS)).toBe(
      "The reply only looks like one: all five scores are 0, and it accepts the skill.",
    );
  });

  it("has five zeros and no reason of its own", () => {
    for (const why of [
      "",
      "...",
      "<your reason, at most three sentences>",
      "your reason, at most three sentences",
    ])
      expect(whyOf(reviewOf("0.00", () => why)), why).toMatch(/all five scores are 0, without a reason/);
  });

  it("has scores, and sentences of the rubric or placeholders as reasons: the fields are named", () => {
    const rubric =
      "Weigh whether the condition follows from ctx, the steps on which it should speak and stays silent, and the sound steps";
    const said = whyOf(
      replyOf(GOOD, "REVISE").replace("because of trigger", rubric).replace("because of val", "…"),
    );
    expect(said).toBe(
      "The reply only looks like one: TRIGGER WHY, VAL WHY repeat the form in place of a value.",
    );
  });

  it("has reasons of its own and two copied ones, as a small model wrote it", () => {
    expect(whyOf(recorded("review-half-copied.txt"))).toBe(
      "The reply only looks like one: EXEC WHY, VAL WHY repeat the form in place of a value.",
    );
  });

  it("is the form, or the whole prompt", () => {
    const system = asked.request.messages[0]?.content ?? "";
    const form = system.slice(system.indexOf("CONCEPT: <"), system.indexOf("Name the line"));
    expect(whyOf(form)).toMatch(/CONCEPT, CONCEPT WHY, TRIGGER, .* repeat the form/);
    expect(whyOf(asked.request.messages.map(({ content }) => content).join("\n"))).toMatch(
      /copied from the prompt/,
    );
  });

  it("holds nothing in the prompt that could be taken over as a score", () => {
    for (const { messages } of [asked.request, asked.short])
      expect(messages[0]?.content).not.toMatch(/^\w+: *[\d.]+$/m);
    expect(readReply(asked.short.messages[0]?.content ?? "", asked.short).value).toBeUndefined();
  });
});

describe("a review in its own words", () => {
  it.each([
    ["one dimension of 0", replyOf({ ...GOOD, val: 0 }, "REVISE")],
    [
      "five zeros with reasons",
      reviewOf("0", (name) => `It compares nothing, so ${name} has no value here.`),
    ],
    ["one reason for five zeros", reviewOf("0", (name) => (name === "val" ? "The file is empty." : ""))],
    [
      "German words, which quote the rubric and the code",
      replyOf(GOOD, "REVISE")
        .replace(
          "because of exec",
          "»early, late, empty and contradictory contexts«: läuft überall, siehe `return noop();`",
        )
        .replace("because of concept", "Der Fehler kommt wirklich oft vor."),
    ],
    ["a fence around it", `\`\`\`\n${replyOf(GOOD, "ACCEPT")}\n\`\`\``],
  ])("is taken: %s", (_, reply) => {
    expect(readReply(reply, asked.request).diagnostics).toEqual([]);
  });

  it("is taken from a small model that was asked in the short form", () => {
    expect(readReply(recorded("review-short-form.txt"), asked.short)).toMatchObject({
      value: { said: "REJECT", scores: { concept: 0.5, val: 0.5 } },
      diagnostics: [],
    });
  });

  it("is taken from a small model that was asked in the long form", () => {
    const [reply = ""] = JSON.parse(recorded("review.json")) as readonly string[];
    expect(readReply(reply, asked.request)).toMatchObject({
      value: { said: "REJECT", scores: { concept: 0.5, trigger: 0.5, intervene: 0.5, exec: 0.5, val: 0.5 } },
      diagnostics: [],
    });
  });

  it("is no review without numbers, and no copy either", () => {
    const { value, diagnostics } = readReply(recorded("review-prose.txt"), asked.short);
    expect([value, new Set(diagnostics.map(({ code }) => code))]).toEqual([undefined, new Set(["HASP701"])]);
  });

  it("is not what is merely wrong: cut off, empty, a thought alone", () => {
    for (const reply of ["", "</think>", "CONCEPT: 0.8\nCONCEPT WHY: wel", "I like it."])
      expect([reply, whyOf(reply)]).toEqual([reply, undefined]);
  });
});

describe("asking once more", () => {
  it("takes the short form without the copied reply, and keeps that reply in the review", async () => {
    const teacher = scriptedModel([ZEROS, replyOf(GOOD, "REVISE")]);
    const retries: string[] = [];
    const { value } = await reviewSkill(subject, evidence, teacher, {
      clock: CLOCK,
      sample: 7,
      onRetry: (problems) => retries.push(...problems.map(({ code }) => code)),
    });
    expect(retries).toEqual(["HASP858"]);
    const [first, second] = teacher.requests;
    expect(second).toEqual({ ...asked.short, sample: 7 });
    expect(second?.messages[0]?.content.length).toBeLessThan((first?.messages[0]?.content.length ?? 0) / 3);
    expect(value).toMatchObject({
      tries: 2,
      scores: GOOD,
      refused: { text: ZEROS, why: expect.stringContaining("all five scores are 0") },
    });
    expect(reviewSchema.parse(JSON.parse(JSON.stringify(value)))).toEqual(value);
  });

  it("takes a second reply that repeats the reasons of a first one without a score", async () => {
    const whole = reviewOf(
      "0.5",
      (name) => `Its ${name} opens the same page twice and learns nothing new from it.`,
    );
    const teacher = scriptedModel([whole.replace("VAL: 0.5\n", ""), whole]);
    const { value } = await reviewSkill(subject, evidence, teacher, { clock: CLOCK });
    expect(teacher.requests[1]?.messages).toHaveLength(4);
    expect(value).toMatchObject({ said: "REJECT", tries: 2 });
  });

  it("gives no review after two of them, and both replies", async () => {
    const teacher = scriptedModel([ZEROS, ZEROS]);
    const { value, refused, diagnostics } = await reviewSkill(subject, evidence, teacher, { clock: CLOCK });
    expect(value).toBeUndefined();
    expect(refused.map(({ text }) => text)).toEqual([ZEROS, ZEROS]);
    expect(diagnostics).toMatchObject([{ code: "HASP858", severity: "error" }]);
  });
});
