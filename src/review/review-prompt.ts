import type { CaseResult } from "../model/case-result.ts";
import type { ChatMessage, ChatRequest } from "../llm/chat-model.ts";
import { START_OF_FILE, type Diagnostic } from "../model/diagnostic.ts";
import type { BacktestEvidence, NotedHit, ReviewEvidence } from "./evidence.ts";
import { noteLabel } from "../model/note.ts";
import type { ReviewSubject } from "./review-subject.ts";
import template from "./prompts/review-1.md?text";

/** Name of the prompt file; a change of its wording gets a new number and a new file. */
export const REVIEW_PROMPT = "review-1";

/** Enough for five comments and a page of suggestions. */
const MAX_REPLY_TOKENS = 2000;
/** Characters of one block. More is paid for and not read. */
const LONGEST_BLOCK = 40_000;
const MOST_FINDINGS = 20;
const MOST_NOTES = 20;
/** Characters of a note's text. */
const LONGEST_NOTE = 500;

interface Block {
  readonly title: string;
  readonly text: string;
}

/** What the teacher is asked, and what it was not shown whole. */
export interface ReviewRequest {
  readonly request: ChatRequest;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The request for a first try. Everything that an author can write stands between lines with a marker made from the
 * content, which the content cannot contain. Equal skills with equal evidence give equal requests.
 */
export function reviewRequest(subject: ReviewSubject, evidence: ReviewEvidence): ReviewRequest {
  const blocks = blocksOf(subject, evidence);
  const marker = `#~${subject.fingerprint.hash.slice(0, 20)}`;
  const values = {
    actions: subject.domain.actionTypes.join(", "),
    marker,
    skillId: subject.skill.skillId,
    version: String(subject.skill.version),
    blocks: blocks.map((block) => framed(block, marker)).join("\n\n"),
  };
  const [system = "", user = ""] = template.replaceAll("\r\n", "\n").split("\n=== user ===\n");
  const messages: ChatMessage[] = [
    { role: "system", content: filled(system, values) },
    { role: "user", content: filled(user, values) },
  ];
  return {
    request: { messages, temperature: 0, maxTokens: MAX_REPLY_TOKENS },
    diagnostics: blocks.flatMap((block) => notShownWhole(block, subject.folder.folder)),
  };
}

/** The same request again, with the reply that could not be read and what was wrong with it. */
export function retryRequest(
  first: ChatRequest,
  reply: string,
  problems: readonly Diagnostic[],
  cutOff: boolean,
): ChatRequest {
  const wrong = problems.map(({ message }) => `- ${message}`).join("\n");
  const short = cutOff ? "Your reply was cut off at its longest allowed length, so be brief.\n" : "";
  const content =
    `Your review could not be read:\n${wrong}\n${short}` +
    "Write the whole review again, in exactly the form you were given. Do not change your judgement because of this.";
  return {
    ...first,
    messages: [...first.messages, { role: "assistant", content: reply }, { role: "user", content }],
  };
}

/** One pass, so that `{{…}}` in a skill stays what it is. */
function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole).trim();
}

/** A neighbour's description is no part of the hash, so its author could have put the marker into it. */
function framed({ title, text }: Block, marker: string): string {
  const inside = clipped(text.replaceAll(marker, "#~"));
  return `${marker} begin ${title}\n${inside}\n${marker} end ${title}`;
}

function clipped(text: string): string {
  if (text.length <= LONGEST_BLOCK) return text;
  return `${text.slice(0, LONGEST_BLOCK)}\n[${text.length - LONGEST_BLOCK} more characters are not shown]`;
}

function notShownWhole({ title, text }: Block, folder: string): Diagnostic[] {
  if (text.length <= LONGEST_BLOCK) return [];
  return [
    {
      code: "HASP706",
      severity: "warning",
      message: `The teacher is shown only the first ${LONGEST_BLOCK} of ${text.length} characters of ${title}.`,
      next: "Shorten it, or read the scores with that in mind.",
      file: folder,
      range: START_OF_FILE,
    },
  ];
}

function blocksOf({ texts }: ReviewSubject, evidence: ReviewEvidence): Block[] {
  const { backtest, neighbours = [] } = evidence;
  const blocks: Block[] = [
    { title: "SKILL.md", text: texts["SKILL.md"] ?? "" },
    { title: "pf.ts", text: texts["pf.ts"] ?? "(this skill has no Program Function)" },
    { title: "results of the executable checks", text: checksText(evidence) },
    { title: "cases and their results", text: casesText(evidence.cases) },
  ];
  if (backtest !== undefined) blocks.push({ title: "backtest", text: backtestText(backtest) });
  if (neighbours.length > 0) {
    const text = neighbours.map(({ skillId, description }) => `- ${skillId}: ${description}`).join("\n");
    blocks.push({ title: "other skills of the library", text });
  }
  return blocks;
}

function checksText({ executable, findings }: ReviewEvidence): string {
  if (executable === undefined) return "none: there is no code";
  const { checks, score } = executable;
  const lines = checks.map(({ name, outcome }) => `- ${name}: ${outcome}`);
  const found = [...new Set([...findings, ...checks.flatMap((check) => check.diagnostics)].map(oneFinding))];
  const more = found.length - MOST_FINDINGS;
  return [
    `${Math.round(score * checks.length)} of ${checks.length} passed`,
    ...lines,
    ...(found.length === 0 ? [] : ["Findings:", ...found.slice(0, MOST_FINDINGS)]),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ].join("\n");
}

function oneFinding({ severity, code, message, range }: Diagnostic): string {
  return `- ${severity} ${code}, line ${range.start.line + 1}: ${message}`;
}

function casesText(results: readonly CaseResult[]): string {
  if (results.length === 0) return "none were run";
  const held = results.filter((result) => result.passed).length;
  const one = ({ case: test, passed, expected, actual }: CaseResult): string => {
    const { context, proposed } = test;
    const state = `step ${context.stepCount + 1} of ${context.maxSteps}, ${context.searchCount} searches, ${context.readCount} reads`;
    return [
      `- ${passed ? "holds" : "DOES NOT HOLD"}: ${test.name}`,
      `  question: ${JSON.stringify(context.question)} (${state})`,
      `  proposed: ${proposed.type} ${JSON.stringify(proposed.arg)}`,
      `  expected: ${expected}${passed ? "" : `\n  actual:   ${actual}`}`,
    ].join("\n");
  };
  return [`${held} of ${results.length} hold`, ...results.map(one)].join("\n");
}

function backtestText({ skill, episodes, noted = [] }: BacktestEvidence): string {
  const outcomes = (["wrong", "halted", "correct", "unjudged"] as const).filter((o) => episodes[o] > 0);
  const lines = outcomes.map((outcome) => {
    const { fired, applied, steps } = skill.counts[outcome];
    return `- ${outcome}: ${episodes[outcome]} episodes; fired in ${fired} of them, on ${steps} steps; changed something in ${applied}`;
  });
  return [
    "The skill was folded over recorded episodes of an agent that did not have it. How these ended is known to us, not to the skill.",
    ...lines,
    `- errors: ${skill.errors}; fires after an episode had left its recorded path, counted nowhere above: ${skill.divergedSteps}`,
    ...notedText(noted),
  ].join("\n");
}

function notedText(noted: readonly NotedHit[]): string[] {
  if (noted.length === 0) return [];
  const more = noted.length - MOST_NOTES;
  const one = ({ note, hit }: NotedHit): string => {
    const place = note.t === undefined ? "an episode" : `step ${note.t + 1} of an episode`;
    const text = note.text === undefined ? "" : `: ${JSON.stringify(note.text.slice(0, LONGEST_NOTE))}`;
    return `- on ${place} that ended ${hit.outcome}, where the skill was ${hit.status} on step ${hit.t + 1}: ${JSON.stringify(noteLabel(note.kind))}${text}`;
  };
  return [
    "What people noted where the skill would have acted:",
    ...noted.slice(0, MOST_NOTES).map(one),
    ...(more > 0 ? [`- and ${more} more notes`] : []),
  ];
}
