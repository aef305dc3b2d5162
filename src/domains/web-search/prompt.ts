import type { ChatMessage } from "../../llm/chat-model.ts";
import { sameAction, type Action } from "../../model/action.ts";
import type { ReplyForm } from "../../model/sampling.ts";
import { conversation } from "../conversation.ts";
import type { AgentPrompt, PromptInput, PromptSeen } from "../domain.ts";
import { rewordedEnd } from "../reworded-end.ts";
import { rewrittenText } from "../rewritten-call.ts";
import { taskAgain } from "../task-again.ts";
import { WEB_SEARCH_ACTIONS, WEB_SEARCH_FINAL } from "./action-space.ts";
import { notationOf, type Notation, type Said } from "./notation.ts";
import { parseReply } from "./parse-reply.ts";
import { structuredReplies } from "./structured-reply.ts";
import { workedExample } from "./worked-example.ts";

/** Goes into run.json. Raise it with every change of the texts below: runs with different prompts do not compare. */
const PROMPT_VERSION = "web-search/8";

/** Characters of one observation that the policy sees; about 2,000 tokens. */
const OBSERVATION_CHARS = 8_000;
/** Characters of a reply without an action that the policy sees again: the reply shows it no form to keep. */
const UNREAD_CHARS = 300;
/** From here on the prompt says how many steps are left. */
const FEW_STEPS = 2;

interface ActionText {
  /** Its argument, described. A reply that copies it is no action (`parseReply`). */
  readonly arg: string;
  readonly use: string;
}

const ACTION_TEXTS: Readonly<Record<string, ActionText>> = {
  SEARCH: {
    arg: "a few words",
    use: "looks the words up and lists documents with their beginnings",
  },
  READ: { arg: "a document", use: "shows a document of the latest search in full" },
  FINAL: { arg: "the answer", use: "ends the work" },
};

const CALL_NAMES: Readonly<Record<string, readonly [one: string, many: string]>> = {
  SEARCH: ["search", "searches"],
  READ: ["read", "reads"],
};

type Known = Pick<PromptInput, "actionTypes">;

const actionIn = (notation: Notation, type: string): string =>
  notation.action(type, ACTION_TEXTS[type]?.arg ?? "…");

const typesOf = ({ actionTypes = WEB_SEARCH_ACTIONS }: Known): readonly string[] =>
  actionTypes.filter((type) => ACTION_TEXTS[type] !== undefined);

/** The budgets in words, such as "12 steps, 10 searches, 10 reads". */
function budgetsText({ most = {}, maxSteps, ...known }: PromptInput): string {
  const calls = typesOf(known).flatMap((type) => {
    const count = most[type];
    const [one, many] = CALL_NAMES[type] ?? [];
    return count === undefined || one === undefined ? [] : [`${count} ${count === 1 ? one : many}`];
  });
  return [`${maxSteps} steps`, ...calls].join(", ");
}

function systemText(input: PromptInput): string {
  const types = typesOf(input);
  const notation = notationOf(input.replies);
  const actions = types.map((type) => `${actionIn(notation, type)}: ${ACTION_TEXTS[type]?.use}`);
  const hasRead = types.includes("READ");
  return `Answer the question by searching. Each turn, write ${notation.turn}; the result comes back as an observation.

${actions.join("\n")}

Search first, with names and the one fact you need. ${hasRead ? "READ opens what a search has listed, so it never comes before one. " : ""}Give the shortest answer: a name, a date, a number, yes or no.
At most ${budgetsText(input)}.

An example, from the question to the answer:

${workedExample(hasRead, notation)}`;
}

/** Begins a text of a skill. */
const HINT = "Hint: ";

const hints = (texts: readonly string[]): string => texts.map((text) => `${HINT}${text}`).join("\n");

const isUnread = ({ type }: Pick<Action, "type">): boolean => type === "invalid" || type === "other";

/** A reply in which no action was found. */
const unread = ({ raw, arg }: Action): string => (raw ?? arg).trim() || "(nothing)";

function beginning(said: string): string {
  return said.length <= UNREAD_CHARS ? said : `${said.slice(0, UNREAD_CHARS)} …`;
}

function render(said: Said, replies?: ReplyForm): string {
  return isUnread(said.action) ? unread(said.action) : notationOf(replies).write(said);
}

/** The policy's turn. An action that was taken out of an unread reply is in the form of the prompt, so that the next reply keeps it. */
function turnOf(seen: PromptSeen, replies: ReplyForm | undefined): string {
  const { action } = seen.proposal;
  if (!isUnread(action)) return render(seen.proposal, replies);
  const said = beginning(unread(action));
  if (seen.kind !== "step" || isUnread(seen.executed)) return said;
  return render({ thought: said.replaceAll(/\s+/g, " "), action: seen.executed }, replies);
}

function cut(observation: string): string {
  if (observation.length <= OBSERVATION_CHARS) return observation;
  return `${observation.slice(0, OBSERVATION_CHARS)}\n[… cut after ${OBSERVATION_CHARS} of ${observation.length} characters]`;
}

function rewriteText({ proposal, executed, because }: Extract<PromptSeen, { kind: "step" }>): string {
  const { action } = proposal;
  if (isUnread(action) || sameAction(executed, action)) return "";
  return rewrittenText({ proposed: action, executed, because });
}

/** Stands for an observation that is in the prompt already, so that a policy which repeats itself does not fill it. */
const SAME = "the same as before";

/** True where an earlier step ran the same action and observed the same. */
function isRepeated(seen: PromptSeen, earlier: readonly PromptSeen[]): boolean {
  if (seen.kind !== "step" || seen.observation.length <= SAME.length) return false;
  return earlier.some(
    (one) =>
      one.kind === "step" && sameAction(one.executed, seen.executed) && one.observation === seen.observation,
  );
}

function cameOf(seen: PromptSeen, isSame = false): string {
  if (seen.kind === "next-round") return seen.note;
  if (seen.kind === "held-back") return `This answer has not been given yet.\n${hints(seen.injected)}`;
  const observed = isSame ? SAME : cut(seen.observation);
  const lines = [rewriteText(seen), `Observation: ${observed}`, hints(seen.injected)];
  return lines.filter((line) => line !== "").join("\n");
}

/** True where the text of a skill came with it, or no action was found: the question and the form are then said again. */
function needsForm(seen: PromptSeen): boolean {
  if (seen.kind !== "step") return true;
  const { injected, executed } = seen;
  return injected.length > 0 || rewriteText(seen) !== "" || executed.type === "invalid";
}

type FormAbout = Pick<PromptInput, "question" | "actionTypes" | "replies">;

/** The question and the form of an action; `isObserved`: at the end of an observation. */
function formAt(
  { question, actionTypes = WEB_SEARCH_ACTIONS, replies }: FormAbout,
  isObserved: boolean,
): string {
  return `${taskAgain(question, "question")}\n${notationOf(replies).ask(actionTypes, isObserved)}`;
}

const form = (about: FormAbout): string => formAt(about, true);

const LAST_STEP = "Last step: the answer is due.";

function stepsLeft(left: number): string {
  if (left > FEW_STEPS) return "";
  return left <= 1 ? LAST_STEP : `${left} steps left.`;
}

type End = Pick<PromptInput, "t" | "instructions">;

/** The end of the message before a proposal. It depends on the step alone, so that a message stays as it was sent. */
function endOf(input: PromptInput, { t, instructions = [] }: End, before: PromptSeen | undefined): string {
  const left = input.maxSteps - t;
  const isLast = left <= 1;
  const isSkill = instructions.length > 0 || (before !== undefined && needsForm(before));
  const asked = isLast ? { ...input, actionTypes: [WEB_SEARCH_FINAL] } : input;
  const parts = [
    hints(instructions),
    stepsLeft(left),
    isSkill || isLast ? formAt(asked, before?.kind === "step") : "",
  ];
  return parts
    .filter((part) => part !== "")
    .map((part) => `\n\n${part}`)
    .join("");
}

function list(heading: string, texts: readonly string[] = []): string {
  return texts.length === 0 ? "" : `\n\n${heading}\n${texts.map((text) => `- ${text}`).join("\n")}`;
}

const messages: AgentPrompt["messages"] = (input) =>
  conversation(input, {
    system: `${systemText(input)}${list("What has helped with such questions:", input.summaries)}`,
    question: `Question: ${input.question}`,
    replyOf: (seen) => turnOf(seen, input.replies),
    cameOf: (seen, at) => cameOf(seen, isRepeated(seen, input.seen.slice(0, at))),
    endOf: (step, before) => endOf(input, step, before),
  });

const FORM_AT_END = new RegExp(`\\n\\n${taskAgain("", "question")}[^\\n]*\\n[^\\n]*$`);

/** The message's end has the form for the contexts alone, unless a reminder or the last step asks for it. */
function withoutContexts(
  given: readonly ChatMessage[],
  step: Extract<PromptSeen, { kind: "step" }>,
): readonly ChatMessage[] | undefined {
  const bare = { ...step, injected: [] };
  const isSame = given.at(-1)?.content.startsWith(cameOf(step, true)) ?? false;
  const start = cameOf(bare, isSame);
  const reworded = rewordedEnd(given, cameOf(step, isSame), start);
  const last = reworded?.at(-1);
  if (reworded === undefined || last === undefined || needsForm(bare)) return reworded;
  const end = last.content.slice(start.length);
  if (end.startsWith(`\n\n${HINT}`) || end.startsWith(`\n\n${LAST_STEP}`)) return reworded;
  const content = start + end.replace(FORM_AT_END, "");
  return [...reworded.slice(0, -1), { ...last, content }];
}

export const webSearchPrompt: AgentPrompt = {
  version: PROMPT_VERSION,
  messages,
  render: (said) => render(said),
  form,
  structured: structuredReplies,
  stop: ["\nObservation:", "\nQuestion:"],
  withoutContexts,
  parseReply,
};
