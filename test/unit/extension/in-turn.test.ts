import { describe, expect, it } from "vitest";
import {
  type Answer,
  askInTurn,
  BACK,
  LEFT,
  type Place,
  step,
  type WizardStep,
} from "../../../src/extension/in-turn.ts";

interface Draft {
  readonly domain?: string;
  readonly name?: string;
  readonly reason?: string;
}

/** Answers the questions of a wizard, one after the other, and notes where each was asked. */
function person(...answers: readonly Answer<string>[]) {
  const left = [...answers];
  const asked: string[] = [];
  const question = (field: keyof Draft): WizardStep<Draft> =>
    step(
      async (draft: Draft, { title, step: number, total }: Place) => {
        asked.push(`${title} ${number}/${total} ${field} of ${JSON.stringify(draft)}`);
        return left.shift() ?? LEFT;
      },
      (text) => ({ [field]: text }),
    );
  return { asked, question };
}

describe("A wizard", () => {
  it("asks one question after the other, and gives what they made of the draft", async () => {
    const { asked, question } = person("web-search", "late-read");
    const draft = await askInTurn<Draft>("New Skill", {}, () => [question("domain"), question("name")]);
    expect(draft).toEqual({ domain: "web-search", name: "late-read" });
    expect(asked).toEqual(["New Skill 1/2 domain of {}", 'New Skill 2/2 name of {"domain":"web-search"}']);
  });

  it("goes back to the question before with the answers that it has, and not before the first one", async () => {
    const { question } = person(BACK, "web-search", BACK, "agent", "late-read");
    const draft = await askInTurn<Draft>("New Skill", {}, () => [question("domain"), question("name")]);
    expect(draft).toEqual({ domain: "agent", name: "late-read" });
  });

  it("ends without a draft where a person leaves", async () => {
    const { asked, question } = person("web-search", LEFT);
    const steps = [question("domain"), question("name"), question("reason")];
    expect(await askInTurn<Draft>("New Skill", {}, () => steps)).toBeUndefined();
    expect(asked).toHaveLength(2);
  });

  it("asks what an answer brings, and no more once another answer takes it back", async () => {
    const { asked, question } = person("agent", BACK, "web-search", "late-read");
    const draft = await askInTurn<Draft>("New Skill", {}, ({ domain }) => [
      question("domain"),
      ...(domain === "agent" ? [question("reason")] : []),
      question("name"),
    ]);
    expect(draft).toEqual({ domain: "web-search", name: "late-read" });
    expect(asked.map((text) => text.split(" ").slice(2, 4).join(" "))).toEqual([
      "1/2 domain",
      "2/3 reason",
      "1/3 domain",
      "2/2 name",
    ]);
  });
});
