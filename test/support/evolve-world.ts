/**
 * Questions, a policy, an author and a teacher for tests of `hasp evolve`. The three models are played by rules: a reply depends on the
 * request alone. In each vault lies a dye; what the agent does wrong depends on the number of the vault.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { renderProposal } from "../../src/evolve/author/parse-proposal.ts";
import type { ReviewedFile, Said, Scores } from "../../src/model/review.ts";
import type { Behaviour, LoopbackCall, LoopbackRequest } from "./loopback-model.ts";

export type Role = "policy" | "author" | "teacher";

/** `unread`: answers after a search alone. `gives-up`: reads, and answers that it does not know. Both answer right once they are held back. */
export type Kind = "unread" | "gives-up" | "careful";

/** Of eight vaults in a row, four are `unread`, three `gives-up`. */
export const kindOf = (vault: number): Kind =>
  vault % 2 === 0 ? "unread" : vault % 8 === 7 ? "careful" : "gives-up";

const two = (vault: number): string => String(vault).padStart(2, "0");
export const dyeOf = (vault: number): string => `umber${two(vault)}`;
export const vaultOf = (text: string): number => Number(/[Vv]ault (\d+)/.exec(text)?.[1] ?? Number.NaN);

/** Longer than what a search shows of a passage. */
const FILLER =
  "This vault was dug long ago under the old town by people who kept their goods dry and who wrote down all that they had put into it.";

/** Writes `questions.jsonl` and `corpus.jsonl`. */
export function writeWorld(folder: string, count: number): void {
  const vaults = Array.from({ length: count }, (_, i) => i);
  const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  mkdirSync(folder, { recursive: true });
  const questions = vaults.map((n) => ({
    id: `q${two(n)}`,
    question: `Which dye is kept in vault ${two(n)}?`,
    answer: dyeOf(n),
  }));
  writeFileSync(path.join(folder, "questions.jsonl"), lines(questions));
  const passages = vaults.map((n) => ({
    title: `Vault ${two(n)}`,
    text: `${FILLER} Its dye is ${dyeOf(n)}.`,
  }));
  writeFileSync(path.join(folder, "corpus.jsonl"), lines(passages));
}

const HELD_BACK = "This answer has not been given yet";

/** The policy's next action. */
export function actionOf({ messages }: Pick<LoopbackRequest, "messages">): string {
  const said = messages.filter(({ role }) => role === "assistant").map(({ content }) => content);
  const turns = messages.filter(({ role }) => role === "user").map(({ content }) => content);
  const vault = vaultOf(turns[0] ?? "");
  const isHeldBack = turns.some((turn) => turn.startsWith(HELD_BACK));
  const hasRead = said.some((turn) => turn.includes("READ["));
  if (said.length === 0) return `SEARCH[Vault ${two(vault)}]`;
  if (!hasRead) return kindOf(vault) === "unread" && !isHeldBack ? "FINAL[nothing]" : "READ[doc_0]";
  return kindOf(vault) === "gives-up" && !isHeldBack ? "FINAL[unknown]" : `FINAL[${dyeOf(vault)}]`;
}

/** A skill as an author of this world writes it. */
export interface MadeSkill {
  readonly id: string;
  readonly category: string;
  /** TypeScript over `ctx`, `actionType` and `arg`. */
  readonly fires: string;
  readonly text: string;
  /** Context of a case in which it fires on `FINAL` of `arg`, and of one in which it does not. */
  readonly yes: string;
  readonly no: string;
  readonly arg?: string;
}

const camel = (id: string): string =>
  id.replaceAll(/(?:^|_)([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());

/** Its three files. */
export function filesOf(skill: MadeSkill): Record<ReviewedFile, string> {
  const { id, category, fires, text, yes, no, arg = "Ada" } = skill;
  const name = id.replaceAll("_", "-");
  return {
    "SKILL.md": `---
name: ${name}
description: Use when an agent makes the mistake ${category} just before it answers.
metadata:
  hasp:
    skill_id: ${id}
    title: Hold back ${name}
    version: 1
    priority: 0.6
    error_category: ${category}
    applicable_modes: [web-search]
    applicable_phases: [answer]
    system_summary: ${text}
---

# Hold back ${name}

${text} An answer of this kind is often wrong.
`,
    "pf.ts": `import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

export default class ${camel(id)} extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    const isLastStep = ctx.stepCount + 1 === ctx.maxSteps;
    return actionType === "FINAL" && !isLastStep && arg !== "" && ${fires};
  }

  intervene(_ctx: StepContext, _actionType: ActionType, _arg: string): Intervention {
    return injectContext("${text}", "${category}");
  }
}
`,
    "cases.yaml": `cases:
  - name: it is held back
    context: { question: Who?, maxSteps: 8, ${yes} }
    proposed: { type: FINAL, arg: ${arg} }
    expect: { fires: true, type: INJECT_CONTEXT }

  - name: it passes
    context: { question: Who?, maxSteps: 8, ${no} }
    proposed: { type: FINAL, arg: ${arg} }
    expect: { fires: false }
`,
  };
}

export const UNREAD: MadeSkill = {
  id: "unread_answer",
  category: "unread_answer",
  fires: "!ctx.hasRead && ctx.searchCount > 0",
  text: "Nothing has been read yet. Open the best result before you answer.",
  yes: "searchCount: 1",
  no: "searchCount: 1, hasRead: true",
};

export const GIVES_UP: MadeSkill = {
  id: "gives_up_early",
  category: "gives_up_early",
  fires: "ctx.hasRead && /^(?:unknown|not known)$/i.test(arg)",
  text: "You have read a source, and say that you do not know. Look at it again, then answer.",
  yes: "hasRead: true, readCount: 1",
  no: "hasRead: false",
  arg: "unknown",
};

/** Speaks where `UNREAD` does and at the first step, too; the teacher rejects it. */
export const HASTY: MadeSkill = {
  id: "hasty_answer",
  category: "premature_final",
  fires: "ctx.stepCount < 2",
  text: "You have taken hardly a step. Think of one more source, then answer.",
  yes: "stepCount: 1",
  no: "stepCount: 4",
};

/** Its code is never loaded. */
export const CURIOUS: MadeSkill = { ...HASTY, id: "curious_answer", fires: "ctx.stepCount === 2" };

/** The reply of an author with this skill. */
export const proposalReply = (
  skill: MadeSkill,
  files: Readonly<Partial<Record<ReviewedFile, string>>> = {},
): string => `Here is the skill.\n\n${renderProposal({ ...filesOf(skill), ...files })}`;

const SUMMARIES = {
  unread: {
    category: "unread_answer",
    abstraction: "The agent answers from a list of snippets without opening any document.",
    trigger: "A FINAL is proposed after a search while nothing has been opened.",
    intervention_hint: "Hold the answer back and have it open the best result.",
  },
  "gives-up": {
    category: "gives_up_early",
    abstraction: "Having opened the right page, the agent says it does not know.",
    trigger: "The proposed FINAL says unknown although a page was read.",
    intervention_hint: "Have it look at the page once more.",
  },
} as const;

/** Scores whose weighted sum is 0.25·0.8 + 0.2·0.7 + 0.2·0.9 + 0.2·1 + 0.15·0.6 = 0.81. */
export const GOOD_SCORES: Scores = { concept: 0.8, trigger: 0.7, intervene: 0.9, exec: 1, val: 0.6 };
/** 0.25·0.4 + 0.2·0.5 + 0.2·0.5 + 0.2·1 + 0.15·0.4 = 0.56. */
export const MIDDLING_SCORES: Scores = { concept: 0.4, trigger: 0.5, intervene: 0.5, exec: 1, val: 0.4 };

/** The task of a request to the teacher. */
export const teacherTask = ({
  messages,
}: Pick<LoopbackRequest, "messages">): "summary" | "review" | "other" => {
  const system = messages[0]?.content ?? "";
  if (system.startsWith("You read the record of one episode")) return "summary";
  return system.startsWith("You review skills") ? "review" : "other";
};

/** The text of the reviewed skill has this after a revision. */
export const REVISED_WORDS = "Open the best result, and read it to its end, before you answer.";

/** A review in the form that the teacher's prompt asks for. */
export function review(scores: Scores, said: Said): string {
  const lines = Object.entries(scores).flatMap(([name, score]) => [
    `${name.toUpperCase()}: ${score}`,
    `${name.toUpperCase()} WHY: because of ${name}`,
  ]);
  return [...lines, "SUGGESTIONS:", "- say what to read", `DECISION: ${said}`].join("\n");
}

function reviewReply(text: string): string {
  if (text.includes("Review the skill `hasty_answer`")) return review(MIDDLING_SCORES, "REJECT");
  if (text.includes("Review the skill `unread_answer`") && !text.includes(REVISED_WORDS))
    return review(MIDDLING_SCORES, "REVISE");
  return review(GOOD_SCORES, "ACCEPT");
}

/** The teacher's reply. */
export function teacherReply(request: LoopbackRequest): string {
  const text = request.messages.map(({ content }) => content).join("\n");
  switch (teacherTask(request)) {
    case "summary": {
      const kind = kindOf(vaultOf(request.messages.at(-1)?.content ?? ""));
      return JSON.stringify(kind === "careful" ? SUMMARIES.unread : SUMMARIES[kind]);
    }
    case "review":
      return reviewReply(text);
    case "other":
      return "{}";
  }
}

/** The category of the cluster that an author is asked about. */
export const categoryIn = ({ messages }: Pick<LoopbackRequest, "messages">): string =>
  /^category: (.*)$/m.exec(messages[1]?.content ?? "")?.[1] ?? "";

/** A skill whose code asks for a module of the host. */
export const withHostModule = (skill: MadeSkill): string => {
  const pf = filesOf(skill)["pf.ts"];
  return proposalReply(skill, { "pf.ts": `import { readFileSync } from "node:fs";\nreadFileSync;\n${pf}` });
};

/** The author's reply. Its first try at `UNREAD` asks for a module of the host, and is repaired; `CURIOUS` is never repaired. */
export function authorReply(request: LoopbackRequest): string {
  const last = request.messages.at(-1)?.content ?? "";
  switch (categoryIn(request)) {
    case "no_read_before_final":
      if (last.startsWith("A reviewer read your skill"))
        return proposalReply({ ...UNREAD, text: REVISED_WORDS });
      return last.startsWith("Your skill was checked") ? proposalReply(UNREAD) : withHostModule(UNREAD);
    case "gives_up_early":
      return proposalReply(GIVES_UP);
    case "wrong_entity_focus":
      return withHostModule(CURIOUS);
    default:
      return proposalReply(HASTY);
  }
}

/** The role that a request is for, by what it says. */
export function roleOf({ messages }: Pick<LoopbackRequest, "messages">): Role {
  const system = messages[0]?.content ?? "";
  if (system.startsWith("Answer the question by searching")) return "policy";
  return system.startsWith("You write skills") ? "author" : "teacher";
}

const REPLIES: Readonly<Record<Role, (request: LoopbackRequest) => string>> = {
  policy: (request) => `Thought: vaults\nAction: ${actionOf(request)}`,
  author: authorReply,
  teacher: teacherReply,
};

/** Answers in the role that the request is for. */
export const play = ({ request }: Pick<LoopbackCall, "request">): Behaviour => ({
  kind: "text",
  text: REPLIES[roleOf(request)](request),
});
