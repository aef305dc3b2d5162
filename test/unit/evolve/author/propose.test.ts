import { afterAll, expect, test } from "vitest";
import { proposeSkill, type AuthorTools } from "../../../../src/evolve/author/propose.ts";
import { scriptedModel } from "../../../../src/llm/scripted-model.ts";
import { openCore } from "../../../support/core.ts";
import { CLEAN, replyWith, TASK } from "./author-support.ts";

const core = openCore();
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));
const tools: AuthorTools = { ...core, folder: "/out/epoch_1/proposals", mode: "full" };

test("a clean reply is a proposal after one request", async () => {
  const author = scriptedModel([replyWith()]);
  const proposal = await proposeSkill(TASK, author, tools);
  expect(proposal.diagnostics.filter(({ severity }) => severity !== "hint")).toEqual([]);
  expect(proposal).toMatchObject({
    skillId: "unread_answer",
    name: "unread-answer",
    errorCategory: "unread_answer",
    folder: "/out/epoch_1/proposals/e1-c1/web-search/unread-answer",
    files: CLEAN,
  });
  expect(author.requests).toHaveLength(1);
});
