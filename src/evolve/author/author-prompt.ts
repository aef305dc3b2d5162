import { textsOf } from "../../domains/texts.ts";
import type { ChatMessage, ChatRequest } from "../../llm/chat-model.ts";
import { filled, followed, framed, promptMessages, promptParts, type Block } from "../../llm/prompt-file.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { DomainSpec } from "../../model/domain-spec.ts";
import type { Step } from "../../model/episode.ts";
import type { Review } from "../../model/review.ts";
import { DIMENSIONS } from "../../model/review.ts";
import { hashText } from "../../trace/hash.ts";
import type { AuthorExample, AuthorTask } from "./author-task.ts";
import { interfaceText } from "./interface-text.ts";
import { parseProposal, type ParsedProposal } from "./parse-proposal.ts";
import template from "./prompts/author-2.md?text";

/** Name of the prompt file; a change of its wording gets a new number and a new file. */
export const AUTHOR_PROMPT = "author-2";

const [BEFORE = "", EXAMPLE = "", AFTER = ""] = template
  .replaceAll("\r\n", "\n")
  .split(/\n=== (?:example|end of example) ===\n/);

/** What `intervene` may return in a domain. */
function returnsIn({ neverModifies }: Pick<DomainSpec, "neverModifies">): string {
  const others = "`injectContext(text, reason)` or `noop(reason)`";
  return neverModifies === true
    ? `${others}, since no action is changed in this domain`
    : `\`modifyAction({ type, arg, reason })\`, ${others}`;
}

/** Words of the prompt that depend on whether an answer is all that the agent can do. */
function stepWords(domain: Pick<DomainSpec, "actionTypes" | "finalAction">) {
  if (domain.actionTypes.length === 1 && domain.actionTypes[0] === domain.finalAction)
    return {
      lastStep: `\`${domain.finalAction}\` is the only action, and nothing can take its place: hold the answer back with \`injectContext\`.`,
      guard: "",
      state: "stepCount: 0, maxSteps: 1",
    };
  return {
    lastStep: `On the last step (\`ctx.stepCount + 1 === ctx.maxSteps\`) an action in place of \`${domain.finalAction}\` leaves the episode without an answer: stay silent there.`,
    guard: " || ctx.stepCount + 1 === ctx.maxSteps",
    state: "stepCount: 3, maxSteps: 8",
  };
}

/** The skill in the prompt that shows the form, for a domain of several steps; an author that repeats the prompt proposes it. */
export const exampleFiles = (): ParsedProposal["files"] => {
  const { guard, state } = stepWords({ actionTypes: [], finalAction: "" });
  return parseProposal(filled(EXAMPLE, { guard, state })).files;
};

export const exampleSkill = () => ({
  skillId: "the example in the author's prompt",
  texts: exampleFiles(),
});

/** In place of the example, for an author that gave it back. */
const WITHOUT_EXAMPLE = `
Three headings, \`### SKILL.md\`, \`### pf.ts\` and \`### cases.yaml\`, each with its block. SKILL.md begins with the frontmatter: \`name\`,
\`description\`, and below \`metadata: hasp:\` the fields that follow. pf.ts has one class that extends \`ProgramFunction\` as its default export.
cases.yaml has the key \`cases\` with a list of \`name\`, \`context\`, \`proposed\` and \`expect\`.
`;

/** SPEC §7 C. */
const TEMPERATURE = 0.7;
/** Enough for three files; the longest shipped skill has about 4,500 tokens. */
const MAX_REPLY_TOKENS = 6000;
const MOST_EXAMPLES = 3;
const MOST_NEIGHBOURS = 60;
const MOST_FINDINGS = 20;

/** Characters that are shown of each text; what is cut off is marked. */
const SHOWN = {
  question: 500,
  thought: 400,
  arg: 400,
  observation: 800,
  description: 300,
  cluster: 1_000,
  finding: 400,
  comment: 600,
} as const;

type Shown = keyof typeof SHOWN;

/**
 * The request for a first try. Equal tasks give equal requests: nothing in it varies with time or place. The short one is without the example, for an
 * author that gave it back.
 */
export function authorRequest(task: AuthorTask, form: "long" | "short" = "long"): ChatRequest {
  const { domain, sample } = task;
  const texts = blocksOf(task);
  const marker = markerOf(texts.map(({ text }) => text).join("\n"));
  const { context } = textsOf(domain);
  const { state, ...step } = stepWords(domain);
  const values = {
    ...step,
    state: `${state}${context.state}`,
    bears: context.bears,
    returns: returnsIn(domain),
    gathering: context.gathering,
    inCases: context.inCases,
    domain: domain.name,
    about: domain.about,
    actions: domain.actionTypes.length > 0 ? domain.actionTypes.join(", ") : "whatever tools the agent has",
    final: domain.finalAction,
    interface: interfaceText(domain, context.without),
    marker,
    blocks: texts.map((block) => framed(block, marker)).join("\n\n"),
  };
  const { system, user } = promptParts(`${BEFORE}\n${form === "long" ? EXAMPLE : WITHOUT_EXAMPLE}\n${AFTER}`);
  return asked(promptMessages(system, user, values), sample);
}

function asked(messages: readonly ChatMessage[], sample: number | undefined): ChatRequest {
  return {
    messages,
    temperature: TEMPERATURE,
    maxTokens: MAX_REPLY_TOKENS,
    ...(sample !== undefined && { sample }),
  };
}

/** The first request with a reply to it and what our checks found there. */
export function repairRequest(
  first: ChatRequest,
  reply: string,
  diagnostics: readonly Diagnostic[],
  cutOff: boolean,
): ChatRequest {
  const wrong = diagnostics.filter(({ severity }) => severity === "error" || severity === "warning");
  const told = [...new Set(wrong.map(findingLine))];
  const more = told.length - MOST_FINDINGS;
  const content = [
    "Your skill was checked, and it cannot be used yet. The findings:",
    ...told.slice(0, MOST_FINDINGS),
    ...(more > 0 ? [`- and ${more} more`] : []),
    "",
    ...(cutOff ? ["Your reply was cut off at its longest allowed length: be briefer."] : []),
    "Repair every error. Then write all three files again, whole, in the form you were given.",
  ].join("\n");
  return followed(first, reply, content);
}

/** The first request with the proposal that a teacher asks to revise, and the teacher's words. */
export function revisionRequest(first: ChatRequest, reply: string, review: Review): ChatRequest {
  const { comments, suggestions } = review;
  const words = [
    ...DIMENSIONS.flatMap((name) => {
      const text = comments[name];
      return text === undefined ? [] : [`${name}: ${clipped(text, "comment")}`];
    }),
    ...suggestions.map((text) => `suggestion: ${clipped(text, "comment")}`),
  ].join("\n");
  const marker = markerOf(words);
  const content = [
    "A reviewer read your skill and asks for another version.",
    framed({ title: "the review", text: words === "" ? "(the reviewer gave no words)" : words }, marker),
    "Follow what is right in it, keep the rules and the name, and write all three files again, whole, in the form you were given.",
  ].join("\n\n");
  return followed(first, reply, content);
}

/** The request that these messages came from. */
export function requestOf(messages: readonly ChatMessage[], sample?: number): ChatRequest {
  return asked(messages, sample);
}

/** `- error HASP210 in pf.ts, line 12: … Next: …`: a file's own name, never its path. */
function findingLine({ severity, code, file, range, message, next }: Diagnostic): string {
  const name = file?.split(/[\\/]/).at(-1);
  const where = name === undefined ? "" : ` in ${name}, line ${range.start.line + 1}`;
  const then = next === undefined ? "" : ` Next: ${next}`;
  return `- ${severity} ${code}${where}: ${clipped(`${message}${then}`, "finding")}`;
}

function blocksOf({ cluster, examples, library, domain }: AuthorTask): readonly Block[] {
  return [
    { title: "the failures", text: clusterText(cluster) },
    ...examples.slice(0, MOST_EXAMPLES).map((example, i) => ({
      title: `example ${i + 1}`,
      text: exampleText(example, domain),
    })),
    { title: "skills of the library", text: libraryText(library) },
  ];
}

function clusterText({ category, abstraction, trigger, hint, group, size }: AuthorTask["cluster"]): string {
  return [
    `category: ${clipped(category, "cluster")}`,
    `group: ${group}`,
    `episodes: ${size}`,
    `what goes wrong: ${clipped(abstraction, "cluster")}`,
    `when: ${clipped(trigger, "cluster")}`,
    `what might help: ${clipped(hint, "cluster")}`,
  ].join("\n");
}

function exampleText({ question, steps, at }: AuthorExample, domain: AuthorTask["domain"]): string {
  const showing = new Set(at);
  return [
    `question: ${clipped(question, "question")}`,
    ...steps.map((step) => stepText(step, showing.has(step.t), domain)),
  ].join("\n\n");
}

/** Without what came back on an answer: it may say whether the answer was right. */
function stepText(
  { t, proposals, executed, observation }: Step,
  shows: boolean,
  domain: AuthorTask["domain"],
): string {
  const [first] = proposals;
  const { summary } = textsOf(domain);
  // An answer of many lines, such as a program, says little by its first ones.
  const most = summary.hasLines === true ? summary.prediction : SHOWN.arg;
  const action = first?.action ?? executed;
  const lines = [
    `step ${t + 1}${shows ? " (shows the failure)" : ""}`,
    ...(first === undefined || first.thought.trim() === ""
      ? []
      : [`thought: ${clipped(first.thought, "thought")}`]),
    `proposed: ${action.type} ${JSON.stringify(clipped(action.arg, "arg", most))}`,
  ];
  const changed = executed.type !== action.type || executed.arg !== action.arg;
  if (changed)
    lines.push(`ran in its place: ${executed.type} ${JSON.stringify(clipped(executed.arg, "arg", most))}`);
  if (executed.type !== domain.finalAction && observation.trim() !== "")
    lines.push(`observation: ${clipped(observation, "observation")}`);
  return lines.join("\n");
}

function libraryText(library: AuthorTask["library"]): string {
  if (library.length === 0) return "none";
  const lines = library
    .slice(0, MOST_NEIGHBOURS)
    .map(({ skillId, description }) => `- ${skillId}: ${clipped(description, "description")}`);
  const more = library.length - lines.length;
  return [...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join("\n");
}

/** Not through the middle of a character. */
function clipped(text: string, kind: Shown, most: number = SHOWN[kind]): string {
  const whole = text.trim().toWellFormed();
  if (whole.length <= most) return whole;
  return `${whole.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")} […]`;
}

const markerOf = (content: string): string => `#~${hashText(content)}`;
