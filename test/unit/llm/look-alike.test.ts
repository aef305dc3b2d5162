import { describe, expect, it } from "vitest";
import { copiedShare, emptyFields, lookAlike } from "../../../src/llm/look-alike.ts";

const SYSTEM = `You compare two garden plans and say which one a visitor would rather walk through on a wet day in March.
Look at the paths before you look at the beds, since a visitor who sinks into the mud sees no flowers at all.
Do the paths lead past a roof, and is the roof large enough for all who may come at the same time?
SCORE: <number from 0 to 1>
WHY: <one sentence, in your own words>`;
const MATERIAL =
  "Plan A has a gravel path of two metres that leads from the gate past the greenhouse to the old well, with a bench under each of the lime trees.";
const request = {
  messages: [
    { role: "system", content: SYSTEM },
    { role: "user", content: MATERIAL },
  ],
} as const;
const why = (reply: string, fields?: Record<string, string>): string | undefined =>
  lookAlike({ request, reply, ...(fields !== undefined && { fields }) });

describe("a reply that only looks like one", () => {
  it.each([
    "<one sentence, in your own words>",
    "one sentence, in your own words",
    "...",
    "…",
    "**<why>**",
    "{{why}}",
  ])("has the placeholder %s in the place of a value", (value) => {
    expect(why("", { WHY: value })).toBe(
      "The reply only looks like one: WHY repeats the form in place of a value.",
    );
  });

  it("has the value of a form in JSON in the place of its own", () => {
    const form = 'Answer with JSON alone: {"verdict": true or false, "reason": "a few words"}';
    expect(emptyFields({ reason: "A few words." }, form)).toEqual(["reason"]);
    expect(emptyFields({ reason: "few words were said" }, form)).toEqual([]);
  });

  it("has a sentence of the instructions in the place of a value, and names each such field", () => {
    const said = why("", {
      PATHS: "Do the paths lead past a roof, and is the roof large enough for all?",
      BEDS: "Look at the paths before you look at the beds.",
      WHY: "Gravel drains well.",
    });
    expect(said).toMatch(/: PATHS, BEDS repeat the form in place of a value; 71% of its words are copied/);
  });

  it("repeats its prompt, and says how much of it is copied", () => {
    expect(why(`${SYSTEM}\n${MATERIAL}`)).toMatch(/100% of its words are copied from the prompt/);
    expect(why("", { WHY: MATERIAL })).toMatch(/100% of its words/);
  });

  it("has a placeholder of its own making, where the form has no brackets", () => {
    const plain = { messages: [{ role: "system", content: "Reply with the keys score and why." }] } as const;
    const value = "<a short reason for the score that was given>";
    const said = lookAlike({ request: plain, reply: "", fields: { why: value } });
    expect(said).toMatch(/: why repeats the form/);
  });

  it("is the form itself, which nobody can read", () => {
    expect(why("SCORE: <number from 0 to 1>\nWHY: because")).toMatch(/: SCORE repeats the form/);
    expect(why('{"score": <number from 0 to 1>}')).toMatch(/: score repeats the form/);
    expect(why('{\n  "score": "…",\n  "why": "wet"\n}')).toMatch(/: score repeats the form/);
  });
});

describe("a reply in its own words", () => {
  it.each([
    "Gravel drains well.",
    "Sinks into the mud, sees no flowers at all.",
    "none",
    "",
    "Score",
    "0",
    "Der Kiesweg bleibt trocken: »Plan A has a gravel path of two metres that leads from the gate past the greenhouse«. Das reicht.",
    `Weil im Plan steht:\n> ${MATERIAL}\nDort bleibt der Weg trocken, auch im März.`,
    "`Do the paths lead past a roof, and is the roof large enough` — yes, the greenhouse is a roof for ten.",
    "Does a path lead past a roof? Plan A does lead past a roof, and the roof large enough would be the greenhouse.",
    "温室のそばを通る道は雨の日でも歩きやすいので、こちらの方がよい。",
  ])("is taken: %s", (value) => {
    expect(why(value, { WHY: value })).toBeUndefined();
  });

  it.each([
    "<Gravel drains well in any weather.>",
    "<Der Kies bleibt auch im März immer trocken.>",
    "<砾石路排水好>",
  ])("may be between the brackets of the form: %s", (value) => {
    expect(why(value, { WHY: value })).toBeUndefined();
    expect(why(`SCORE: <0.8>\nWHY: ${value}`)).toBeUndefined();
  });

  it("is no copy where it is empty, or holds only the end of a thought", () => {
    expect([why(""), why("</think>")]).toEqual([undefined, undefined]);
  });

  it("may repeat the model's own earlier reply, which the request holds", () => {
    const own =
      "Ein Kiesweg trocknet nach einem Regen schneller als ein Pfad aus Lehm, und unter dem Dach des Gewächshauses stehen " +
      "alle Besucher bequem nebeneinander, bis der Schauer vorüber ist.";
    const messages = [
      ...request.messages,
      { role: "assistant", content: `WHY: ${own}` },
      { role: "user", content: "The score is missing. Write all lines again." },
    ] as const;
    expect(lookAlike({ request: { messages }, reply: own, fields: { WHY: own } })).toBeUndefined();
    expect(lookAlike({ request: { messages }, reply: MATERIAL })).toMatch(/copied from the prompt/);
  });

  it("may answer with little and quote a sentence before", () => {
    expect(why('Look at the paths before you look at the beds. {"score": 1}')).toBeUndefined();
  });
});

it("takes time in proportion to a hostile reply of 1 MB", () => {
  for (const unit of ["```x\n", "„", '"', "`", "a: <", "<", "...\n", ">>\n", "word ", "1", "SCORE: …\n"]) {
    const reply = unit.repeat(1_000_000 / unit.length);
    expect(() => why(reply)).not.toThrow();
    expect(() => why(reply, { WHY: reply })).not.toThrow();
  }
});

it("counts words with the vowel signs of their letters", () => {
  expect(copiedShare("नदी के किनारे वाला रास्ता", "नदी के किनारे वाला रास्ता सूखा है")).toEqual({
    share: 1,
    runs: 1,
  });
});

it("counts runs of five words", () => {
  expect(copiedShare("one two three four", "one two three four")).toEqual({ share: 0, runs: 0 });
  expect(copiedShare("One, two three FOUR five six", "zero one two three four five")).toEqual({
    share: 0.5,
    runs: 2,
  });
});
