import { sameAction } from "../../model/action.ts";
import { CODING_ACTIONS, CODING_FINAL, REFUSE } from "../../model/coding-tools.ts";
import type { Proposal } from "../../model/episode.ts";
import { conversation } from "../conversation.ts";
import type { AgentPrompt, PromptInput, PromptSeen } from "../domain.ts";
import { rewordedEnd } from "../reworded-end.ts";
import { rewrittenText } from "../rewritten-call.ts";
import { taskAgain } from "../task-again.ts";
import { parseReply, TOOL_ANSWER } from "./parse-reply.ts";
import { exampleFor, toolLines } from "./tool-texts.ts";

/** Goes into run.json. Raise it with every change of the texts below: runs with different prompts do not compare. */
const PROMPT_VERSION = "coding-agent/2";
/** Characters of one tool answer that the policy sees; about 4,000 tokens. */
const OBSERVATION_CHARS = 16_000;
/** Begins a text of a skill in a message. */
const CHECKER = "Checker:";
const REMINDERS = "For this step:";
/** Not JSON, so that a copy of it is no call. */
const CALL_FORM = '{"tool": NAME, "input": {KEY: VALUE}}';
const NO_CALL = "No tool ran.";

type SeenStep = Extract<PromptSeen, { kind: "step" }>;

function exampleText(actionTypes: readonly string[]): string {
  const example = exampleFor(actionTypes);
  if (example === undefined) return "";
  const turns = example.steps.flatMap(({ answer, ...said }) => [
    render(said),
    ...(answer === undefined ? [] : [`${TOOL_ANSWER} ${answer}`]),
  ]);
  return `\n\nAn example, in another project:\n${[`Task: ${example.task}`, ...turns].join("\n")}`;
}

function systemText(actionTypes: readonly string[]): string {
  return `You work on a software project for a person, step by step. Each step calls one tool, and its answer is in the next message.

Tools, with the keys of their input:
${toolLines(actionTypes)}

Order of the work: find the place, read it, change it, check the change, then ${CODING_FINAL}. Paths are relative to the folder of the project.

A reply is two lines: "Thought: " with one short sentence, and the call as JSON, ${CALL_FORM}. It ends there.
Lines that begin with "${CHECKER}" come from a program that checks the steps.${exampleText(actionTypes)}`;
}

function checked(texts: readonly string[]): string {
  return texts.map((text) => `${CHECKER} ${text}`).join("\n");
}

function callText({ type, arg, raw }: PromptSeen["proposal"]["action"]): string {
  if (type === "invalid" || type === "other") return (raw ?? arg) || "(nothing)";
  if (type === CODING_FINAL) return JSON.stringify({ tool: type, input: { text: arg } });
  return `{"tool":${JSON.stringify(type)},"input":${arg || "{}"}}`;
}

function render({ thought, action }: Pick<Proposal, "thought" | "action">): string {
  return thought === "" || action.type === "invalid" || action.type === "other"
    ? callText(action)
    : `Thought: ${thought}\n${callText(action)}`;
}

function cut(observation: string): string {
  if (observation.length <= OBSERVATION_CHARS) return observation;
  return `${observation.slice(0, OBSERVATION_CHARS)}\n[… cut after ${OBSERVATION_CHARS} of ${observation.length} characters]`;
}

/** Says of a reply without a call where its reading ended. One that repeats this very notice gets another one. */
function noCall({ raw = "" }: Pick<SeenStep["executed"], "raw">): string {
  if (raw.includes(NO_CALL)) return `${NO_CALL} The reply repeats a message instead of calling a tool.`;
  const at = raw.indexOf("{");
  const where =
    at === -1 ? "the reply has no JSON" : `the JSON at character ${at + 1} of the reply is no call`;
  return `${NO_CALL} Reason: ${where}.`;
}

const isRefused = ({ executed }: SeenStep): boolean => executed.type === REFUSE;
const isRewritten = ({ proposal, executed }: SeenStep): boolean => !sameAction(executed, proposal.action);

function cameOfStep(seen: SeenStep): string {
  const { proposal, executed, observation, injected, because } = seen;
  const lines = [
    isRewritten(seen) && !isRefused(seen)
      ? rewrittenText({ proposed: proposal.action, executed, because })
      : "",
    executed.type === "invalid" ? noCall(executed) : "",
    isRefused(seen) ? `${CHECKER} the call did not run. ${executed.arg}` : "",
    isRefused(seen) || (executed.type === "invalid" && observation === "")
      ? ""
      : `${TOOL_ANSWER} ${cut(observation)}`,
    checked(injected),
  ];
  return lines.filter((line) => line !== "").join("\n");
}

function cameOf(seen: PromptSeen): string {
  if (seen.kind === "next-round") return `${CHECKER} the work goes on. ${seen.note}`;
  if (seen.kind === "held-back") return `${CHECKER} the work has not ended yet.\n${checked(seen.injected)}`;
  return cameOfStep(seen);
}

/** The message has a text that the model could answer in prose: the skills', or that its reply was no call. */
function needsForm(seen: PromptSeen): boolean {
  if (seen.kind !== "step") return true;
  return seen.injected.length > 0 || isRefused(seen) || isRewritten(seen) || seen.executed.type === "invalid";
}

function stepsLeft(left: number): string {
  return left <= 1 ? `Last step: end with ${CODING_FINAL}.` : `${left} steps left.`;
}

function list(heading: string, texts: readonly string[] = []): string {
  return texts.length === 0 ? "" : `${heading}\n${texts.map((text) => `- ${text}`).join("\n")}`;
}

function form({ question }: Pick<PromptInput, "question">): string {
  return `${taskAgain(question)}\nGo on with one line "Thought: " and one line ${CALL_FORM}.`;
}

/** The end of the message before a proposal: the steps left, the instructions, and the form where it carries a text of a skill. */
function endOf(
  input: PromptInput,
  { t, instructions = [] }: Pick<PromptInput, "t" | "instructions">,
  before: PromptSeen | undefined,
): string {
  const isSkill = instructions.length > 0 || (before !== undefined && needsForm(before));
  const parts = [stepsLeft(input.maxSteps - t), list(REMINDERS, instructions), isSkill ? form(input) : ""];
  return parts
    .filter((part) => part !== "")
    .map((part) => `\n\n${part}`)
    .join("");
}

const messages: AgentPrompt["messages"] = (input) =>
  conversation(input, {
    system: `${systemText(input.actionTypes ?? CODING_ACTIONS)}${list("\n\nAdvice for such work:", input.summaries)}`,
    question: `Task: ${input.question}`,
    replyOf: ({ proposal }) => render(proposal),
    cameOf,
    endOf: (step, before) => endOf(input, step, before),
  });

/** Without its contexts a message has no form at its end, unless something else in it asks for one. */
const withoutContexts: AgentPrompt["withoutContexts"] = (given, step) => {
  const bare = { ...step, injected: [] };
  const came = cameOf(bare);
  const messagesThen = rewordedEnd(given, cameOf(step), came);
  const last = messagesThen?.at(-1);
  if (messagesThen === undefined || last === undefined || needsForm(bare)) return messagesThen;
  const [, note = "", ...more] = last.content.slice(came.length).split("\n\n");
  const hasReminders = more[0]?.startsWith(REMINDERS) ?? false;
  return hasReminders
    ? messagesThen
    : [...messagesThen.slice(0, -1), { ...last, content: `${came}\n\n${note}` }];
};

export const codingAgentPrompt: AgentPrompt = {
  version: PROMPT_VERSION,
  messages,
  render,
  form,
  // The text after these is the tool's or the checker's.
  stop: [`\n${TOOL_ANSWER}`, `\n${CHECKER}`],
  withoutContexts,
  parseReply,
};
