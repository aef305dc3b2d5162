/**
 * Author and teacher of the closed loop, played by rules. The author knows one skill, for the fault that no shipped skill sees; the
 * teacher copies passages as snippets, describes every failure in the same words, and approves of what the checks let pass.
 */
import type { ChatRequest } from "./loopback.mts";

const SKILL = `---
name: half-way-answer
description: Use when an agent answers with what it read although its thought names somebody new whom it has not searched for.
metadata:
  hasp:
    skill_id: half_way_answer
    title: Search for the name that the thought brings in
    version: 1
    priority: 0.7
    error_category: half_way_answer
    applicable_modes: [web-search]
    applicable_phases: [answer]
    system_summary: A name that your thought brings in is a link. Search for it before you answer.
---

# Search for the name that the thought brings in

The question goes through somebody whom it does not name. The thought has found the name, and the answer is given
without a search for it: then it is a fact about somebody else.
`;

const PF = `import {
  modifyAction,
  noop,
  ProgramFunction,
  tellingWords,
  type ActionType,
  type Intervention,
  type StepContext,
} from "hasp";

/** Characters of a thought that are looked at. */
const LOOKED_AT = 600;
/** Words at the end of a question that say what it asks for. */
const ASKED_WORDS = 2;

export default class HalfWayAnswer extends ProgramFunction {
  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (actionType !== "FINAL" || ctx.stepCount + 1 >= ctx.maxSteps) return false;
    // An answer that nobody read is another mistake, and other skills look for it.
    return ctx.allReadContents.some((text) => text.includes(arg)) && newName(ctx) !== undefined;
  }

  intervene(ctx: StepContext, _actionType: ActionType, _arg: string): Intervention {
    const name = newName(ctx);
    if (name === undefined) return noop("every name of the thought was searched for");
    const asked = tellingWords(ctx.question).slice(-ASKED_WORDS);
    return modifyAction({
      type: "SEARCH",
      arg: [name, ...asked].join(" "),
      reason: "the thought names somebody new, and nothing was searched about them",
    });
  }
}

/** Two words with capitals that neither the question nor a search has. */
function newName(ctx: StepContext): string | undefined {
  const known = [ctx.question, ...ctx.actionHistory.map(({ arg }) => arg)].join(" ");
  const names = ctx.thought.slice(0, LOOKED_AT).match(/\\p{Lu}\\p{L}+ \\p{Lu}\\p{L}+/gu) ?? [];
  return names.find((name) => !known.includes(name));
}
`;

const CASES = `cases:
  - name: the link of the thought was not searched for
    context:
      question: The friend of the Keeper Ada is at home in which city?
      maxSteps: 5
      stepCount: 1
      searchCount: 1
      readCount: 1
      hasRead: true
      actionHistory: [{ type: SEARCH, arg: friend Keeper Ada }]
      allReadContents: ["Keeper Ada: friend Emil, home city Bern."]
      thought: The friend of the Keeper Ada is Keeper Emil.
    proposed: { type: FINAL, arg: Bern }
    expect: { fires: true, type: MODIFY_ACTION, newActionType: SEARCH, newActionArg: Keeper Emil home city }

  - name: it was
    context:
      question: The friend of the Keeper Ada is at home in which city?
      maxSteps: 5
      stepCount: 2
      searchCount: 2
      readCount: 2
      hasRead: true
      actionHistory: [{ type: SEARCH, arg: friend Keeper Ada }, { type: SEARCH, arg: Keeper Emil home city }]
      allReadContents: ["Keeper Ada: friend Emil, home city Bern.", "Keeper Emil: home city Chur."]
      thought: The friend of the Keeper Ada is Keeper Emil.
    proposed: { type: FINAL, arg: Bern }
    expect: { fires: false }
`;

const file = (name: string, kind: string, text: string): string =>
  `### ${name}\n\n\`\`\`\`${kind}\n${text}\`\`\`\`\n`;

const PROPOSAL = [
  "Here is the skill.\n",
  file("SKILL.md", "markdown", SKILL),
  file("pf.ts", "typescript", PF),
  file("cases.yaml", "yaml", CASES),
].join("\n");

const SUMMARY = JSON.stringify({
  category: "half_way_answer",
  abstraction: "The agent finds the name of the link and answers without searching for it.",
  trigger: "A FINAL is proposed while the thought names somebody whom no search has named.",
  intervention_hint: "Search for that name with the words that the question asks for.",
});

/** Q_skill 0.81, the same for every skill. */
const SCORES = { concept: 0.8, trigger: 0.7, intervene: 0.9, exec: 1, val: 0.6 };

const REVIEW = [
  ...Object.entries(SCORES).flatMap(([name, score]) => [
    `${name.toUpperCase()}: ${score}`,
    `${name.toUpperCase()} WHY: by rule, the same for every skill`,
  ]),
  "SUGGESTIONS:",
  "- none",
  "DECISION: ACCEPT",
].join("\n");

/** The first of the passages between the marked lines, in the form in which a search without a teacher would bring it. */
function snippet(prompt: string): string | undefined {
  const passages = /^---- passages (\w+) ----\n([\s\S]*?)\n---- passages \1 ----$/mu.exec(prompt)?.[2];
  const [title, text] = passages?.split("\n", 2) ?? [];
  return title === undefined || text === undefined ? undefined : `${title}: ${text}`;
}

function teacherReply({ messages }: ChatRequest): string {
  const system = messages[0]?.content ?? "";
  if (system.startsWith("You read the record of one episode")) return SUMMARY;
  if (system.startsWith("You review skills")) return REVIEW;
  return snippet(messages.at(-1)?.content ?? "") ?? "";
}

/** A reply in the role that the model's name says. */
export const replyAs = (request: ChatRequest): string =>
  request.model === "author" ? PROPOSAL : teacherReply(request);
