import { afterAll, describe, expect, it } from "vitest";
import { longestReply } from "../../src/llm/reply-text.ts";
import type { Behaviour } from "../support/loopback-model.ts";
import { act, executedIn, HOLDS_BACK, openPaperScene, type Asked } from "../support/paper-runs.ts";

/** Bad replies of models and servers, each in a whole run of the command. */
const scene = openPaperScene("bad-replies");
afterAll(() => scene.close());

const BARE = ["--setting", "ra-agent"];
const ANSWER = act("FINAL[Sam Walton]");
/** Tokens of the longest reply of a policy, as `hasp run` asks for it. */
const MOST_TOKENS = 512;

const overflow: Behaviour = {
  kind: "raw",
  status: 400,
  type: "application/json",
  body: JSON.stringify({
    error: { type: "exceed_context_size_error", message: "too long", n_prompt_tokens: 9000, n_ctx: 8192 },
  }),
};

const play = (...replies: Asked["replies"]) =>
  scene.run({ asked: { question: "Who ran the first store?", replies }, args: BARE });

describe("a run whose model replies with", () => {
  it("a megabyte keeps its beginning, and goes on", async () => {
    const { episode, prompt } = await play("no ".repeat(350_000), ANSWER);
    expect(episode.answer).toBe("Sam Walton");
    expect(episode.steps[0]?.executed.type).toBe("invalid");
    const recorded = episode.steps[0]?.proposals[0]?.action.raw ?? "";
    expect(recorded.length).toBeLessThanOrEqual(longestReply(MOST_TOKENS));
    expect((await prompt(1)).length).toBeLessThan(5_000);
  });

  it.each([
    ["nothing", ""],
    ["the end of a thought alone", "</think>"],
    ["blanks", " \n\n "],
  ])("%s has a step without an action, and goes on", async (_what, reply) => {
    const { episode, prompt } = await play(reply, ANSWER);
    expect(episode).toMatchObject({ answer: "Sam Walton", stopReason: "final", length: 2 });
    expect(episode.steps[0]?.executed.type).toBe("invalid");
    expect(await prompt(1)).toContain("The question is still: Who ran the first store?");
  });

  it("labels of another language is read", async () => {
    const { episode } = await play(
      "思考：先找。\n行动：SEARCH[Walmart]",
      "思考：知道了。\n行动：FINAL[Sam Walton]",
    );
    expect(executedIn(episode)).toEqual(["SEARCH[Walmart]", "FINAL[Sam Walton]"]);
    expect(episode.steps.flatMap(({ proposals }) => proposals.map(({ lenient }) => lenient))).toEqual([
      true,
      true,
    ]);
  });

  it("an observation of its own is cut off before it, whatever its server does with stop texts", async () => {
    const invented = "Action: SEARCH[Walmart]\nObservation: Ada ran it.\nAction: FINAL[Ada]";
    const { episode, prompt } = await play({ kind: "whole", text: invented }, ANSWER);
    expect(executedIn(episode)).toEqual(["SEARCH[Walmart]", "FINAL[Sam Walton]"]);
    expect(await prompt(1)).not.toContain("Ada");
  });
});

describe("a run whose server", () => {
  it("drops a connection goes on", async () => {
    let dropped = false;
    const once = (): Behaviour => {
      if (dropped) return { kind: "text", text: act("SEARCH[Walmart]") };
      dropped = true;
      return { kind: "drop", midway: true };
    };
    const { episode } = await play(once, ANSWER);
    expect(executedIn(episode)).toEqual(["SEARCH[Walmart]", "FINAL[Sam Walton]"]);
  });

  it("cannot read so long a prompt ends with both numbers", async () => {
    const { episode } = await scene.run({
      asked: { question: "Who ran the first store?", replies: [act("SEARCH[Walmart]"), overflow] },
      args: BARE,
      code: 1,
    });
    expect(episode).toMatchObject({ stopReason: "model_context_overflow", outcome: "halted" });
    expect(JSON.stringify(episode.extra)).toContain("the prompt has 9,000 tokens; the model reads 8,192");
  });

  it("cannot read the text that holds an answer back keeps the answer", async () => {
    const guard = scene.skill("wait-guard", HOLDS_BACK);
    let asked = 0;
    const replies = [() => (asked++ === 0 ? ({ kind: "text", text: ANSWER } as const) : overflow)];
    const { episode } = await scene.run({
      asked: { question: "Who ran the first store?", replies },
      args: ["--setting", "pf-only", "--skills", guard],
      code: 1,
    });
    expect(episode).toMatchObject({ stopReason: "model_context_overflow", answer: "Sam Walton" });
  });
});
