import type { ChatMessage } from "../../llm/chat-model.ts";
import { formatAction } from "../../model/action.ts";
import type { Proposal } from "../../model/episode.ts";
import type { AgentPrompt, PromptInput, PromptSeen } from "../domain.ts";
import { rewordedEnd } from "../reworded-end.ts";
import { WEB_SEARCH_ACTIONS } from "./action-space.ts";
import { parseReply } from "./parse-reply.ts";

/** Goes into run.json. Raise it with every change of the texts below: runs with different prompts do not compare. */
const PROMPT_VERSION = "web-search/3";

/** Characters of one observation that the policy sees; about 2,000 tokens. */
const OBSERVATION_CHARS = 8_000;

/** What each action is for. READ is left out where the environment has none: there a search brings the text itself. */
function actionLines(hasRead: boolean): readonly string[] {
  return hasRead
    ? [
        "SEARCH[query]   lists documents, each with an id (doc_0, doc_1, …), its title and its first words. Keep queries short: names and the one fact you want.",
        "READ[doc_N]     opens a document of the latest search in full. A title works too.",
      ]
    : ["SEARCH[query]   brings one short text. Keep queries short: names and the one fact you want."];
}

function systemText(hasRead: boolean): string {
  return `You answer a question with the help of a small search engine. You work in steps. In each step you think briefly and then take exactly one action, and you are told what came of it.

Actions:
${actionLines(hasRead).join("\n")}
FINAL[answer]   gives your answer and ends the work. Give the shortest text that answers in full: a name, a date, a number, yes or no. No sentence around it.

Reply with two lines and nothing after them:
Thought: what you know and what is missing
Action: one of the actions above

Notes between <note> and </note> come from a checker that watches your steps. They are advice, not search results: weigh them, and do not quote them in an answer.`;
}

const FORMS: Readonly<Record<string, string>> = {
  SEARCH: "SEARCH[a few words]",
  READ: "READ[a document of the latest search]",
  FINAL: "FINAL[the answer]",
};

function notes(texts: readonly string[]): string {
  return texts.map((text) => `<note>\n${text}\n</note>`).join("\n");
}

function render({ thought, action }: Pick<Proposal, "thought" | "action">): string {
  const { type, arg, raw } = action;
  return type === "invalid" || type === "other"
    ? (raw ?? arg) || "(nothing)"
    : `Thought: ${thought}\nAction: ${type}[${arg}]`;
}

function cut(observation: string): string {
  if (observation.length <= OBSERVATION_CHARS) return observation;
  return `${observation.slice(0, OBSERVATION_CHARS)}\n[… cut after ${OBSERVATION_CHARS} of ${observation.length} characters]`;
}

function cameOf(seen: PromptSeen): string {
  if (seen.kind === "next-round") return seen.note;
  if (seen.kind === "held-back")
    return `Your answer has not been given yet. Read this, then answer again or take another action.\n${notes(seen.injected)}`;
  const { proposal, executed, observation, injected } = seen;
  const same = executed.type === proposal.action.type && executed.arg === proposal.action.arg;
  const lines = [
    same ? "" : `In place of your action this one ran: ${formatAction(executed)}`,
    `Observation: ${cut(observation)}`,
    notes(injected),
  ];
  return lines.filter((line) => line !== "").join("\n");
}

const CALL_NAMES: Readonly<Record<string, readonly [one: string, many: string]>> = {
  SEARCH: ["search", "searches"],
  READ: ["read", "reads"],
};

/** The budgets in words, such as "1 search and 3 reads left". */
function callsNote({ left = {}, actionTypes = WEB_SEARCH_ACTIONS }: PromptInput): string {
  const calls = Object.entries(left).flatMap(([type, count]) => {
    const [one, many] = CALL_NAMES[type] ?? [];
    if (one === undefined || many === undefined || !actionTypes.includes(type)) return [];
    return [`${count === 0 ? "no" : count} ${count === 1 ? one : many}`];
  });
  return calls.length === 0 ? "" : ` ${calls.join(" and ")} left.`;
}

function stepNote(input: PromptInput): string {
  const { t, maxSteps } = input;
  if (maxSteps - t <= 1) return "This is your last step: answer with FINAL.";
  return `Step ${t + 1} of ${maxSteps}.${callsNote(input)}`;
}

function list(heading: string, texts: readonly string[] = []): string {
  return texts.length === 0 ? "" : `\n\n${heading}\n${texts.map((text) => `- ${text}`).join("\n")}`;
}

/** Turns of one role that follow each other become one: some endpoints refuse them otherwise. */
function messages(input: PromptInput): ChatMessage[] {
  const hasRead = (input.actionTypes ?? WEB_SEARCH_ACTIONS).includes("READ");
  const system = `${systemText(hasRead)}${list("What has helped with such questions:", input.summaries)}`;
  const turns: ChatMessage[] = [{ role: "system", content: system }];
  let next = `Question: ${input.question}`;
  for (const seen of input.seen) {
    turns.push({ role: "user", content: next }, { role: "assistant", content: render(seen.proposal) });
    next = cameOf(seen);
  }
  const reminders = list("Keep in mind now:", input.instructions);
  return [...turns, { role: "user", content: `${next}${reminders}\n\n${stepNote(input)}` }];
}

function form({
  question,
  actionTypes = WEB_SEARCH_ACTIONS,
}: Pick<PromptInput, "question" | "actionTypes">): string {
  const forms = actionTypes.flatMap((type) => FORMS[type] ?? []).join(" or ");
  return `The question is still: ${question}\nGo on with one line "Thought: ..." and one line "Action: ", which is ${forms}.`;
}

export const webSearchPrompt: AgentPrompt = {
  version: PROMPT_VERSION,
  messages,
  render,
  form,
  stop: ["\nObservation:"],
  withoutContexts: (given, step) => rewordedEnd(given, cameOf(step), cameOf({ ...step, injected: [] })),
  parseReply,
};
