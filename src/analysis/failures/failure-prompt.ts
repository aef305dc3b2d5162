import { domainOfRecord } from "../../domains/registry.ts";
import { textsOf, type SummaryLengths } from "../../domains/texts.ts";
import type { ChatRequest } from "../../llm/chat-model.ts";
import { promptMessages, promptParts, withoutMarker } from "../../llm/prompt-file.ts";
import { formatAction } from "../../model/action.ts";
import { clip } from "../../model/clip.ts";
import type { Episode, Step } from "../../model/episode.ts";
import { FAILURE_CATEGORY } from "../../model/failure.ts";
import { testEvidenceOf, type FailedTest } from "../../model/test-evidence.ts";
import { hashText } from "../../trace/hash.ts";
import { correctionOf } from "../signals/evidence.ts";
import template from "./prompts/failure-2.md?text";

/** SPEC §7 B: how the model is asked, and how much of a question it reads; of the answer and the steps the domain decides. Lengths in characters. */
const SAMPLING = { temperature: 0.3, maxTokens: 400 } as const;
const LONGEST_QUESTION = 500;

const LONGEST_GOLD = 200;
const MOST_GOLD = 5;
const MOST_KNOWN = 100;
/** A shorter line of a trace would say nothing; an episode with more steps loses those in its middle. */
const SHORTEST_LINE = 60;
/** Part of a line that the action may take; what the thought leaves is for the observation. */
const ACTION_PART = 0.4;

function stepLine(step: Step, number: number, most: number, thoughtPart: number): string {
  const { executed, proposals, observation } = step;
  const change = correctionOf(step) === "modified" ? " (changed by a skill)" : "";
  const thought = clip(proposals.at(-1)?.thought ?? "", Math.floor(most * thoughtPart));
  const parts = [
    `${number}. ${clip(formatAction(executed), Math.floor(most * ACTION_PART))}${change}`,
    ...(thought === "" ? [] : [`thought: ${thought}`]),
    ...(observation.trim() === "" ? [] : [`observed: ${observation}`]),
  ];
  return clip(parts.join(" | "), most);
}

/** One line a step, together at most `trace` characters; of a long episode the first and the last steps. */
export function traceOf(
  steps: readonly Step[],
  { trace, thought }: Pick<SummaryLengths, "trace" | "thought">,
): string {
  const mostLines = Math.floor((trace + 1) / (SHORTEST_LINE + 1));
  const lines = Math.min(mostLines, Math.max(1, steps.length));
  // Each line but the last has a line break.
  const most = Math.floor((trace + 1) / lines) - 1;
  const lineOf = (step: Step, i: number): string => stepLine(step, i + 1, most, thought);
  if (steps.length <= mostLines) return steps.map(lineOf).join("\n");
  const before = Math.floor((lines - 1) / 2);
  const rest = steps.length - (lines - 1 - before);
  const first = steps.slice(0, before).map(lineOf);
  const last = steps.slice(rest).map((step, i) => lineOf(step, rest + i));
  return [...first, `… ${rest - before} steps are left out`, ...last].join("\n");
}

function shownAnswer(
  answer: string,
  { prediction, hasLines }: Pick<SummaryLengths, "prediction" | "hasLines">,
): string {
  if (hasLines !== true) return clip(answer, prediction);
  return answer.length <= prediction ? answer : `${answer.slice(0, prediction - 1).toWellFormed()}…`;
}

/** The test that an episode's answer failed first; undefined where no judge by tests says. Holds a right result, as accepted answers do. */
export function failedTestOf({ verdicts = [] }: Pick<Episode, "verdicts">): FailedTest | undefined {
  return verdicts.flatMap(({ evidence }) => testEvidenceOf(evidence)?.first ?? [])[0];
}

function acceptedText(episode: Pick<Episode, "gold" | "verdicts">): string {
  const listed = (episode.gold ?? []).slice(0, MOST_GOLD).map((one) => `- ${clip(one, LONGEST_GOLD)}`);
  if (listed.length > 0) return listed.join("\n");
  const test = failedTestOf(episode);
  if (test === undefined) return "(unknown)";
  const { input, expected, actual } = test;
  const rows = Object.entries({ input, expected, actual }).flatMap(([name, text]) =>
    text === undefined ? [] : [`${name}: ${clip(text, LONGEST_GOLD)}`],
  );
  return ["(whatever passes its tests; the first that the answer failed)", ...rows].join("\n");
}

/** A request, and the same material under a few lines of instructions for a model that gave the longer ones back. */
interface FailureRequests {
  readonly request: ChatRequest;
  readonly short: ChatRequest;
}

/**
 * The requests about one failed episode. The same for the same episode and known ids. Everything that stems from the episode is between
 * markers made from it, which it cannot contain.
 *
 * @param known ids of failures that the model may use again; those that are no ids are left out.
 */
export function failureRequest(episode: Episode, known: readonly string[]): FailureRequests {
  const { question, answer, stopReason, steps, facts } = episode;
  const { summary } = textsOf(domainOfRecord(facts));
  const texts = {
    question: clip(question, LONGEST_QUESTION),
    prediction: shownAnswer(answer ?? `(none: the episode ended with ${stopReason})`, summary),
    gold: acceptedText(episode),
    trace: traceOf(steps, summary),
  };
  const marker = `#~${hashText(JSON.stringify(texts))}`;
  const inside = Object.entries(texts).map(([name, text]) => [name, withoutMarker(text, marker)]);
  const ids = known.filter((id) => FAILURE_CATEGORY.test(id)).slice(0, MOST_KNOWN);
  const values: Readonly<Record<string, string>> = {
    ...Object.fromEntries(inside),
    marker,
    known: ids.join(", ") || "none",
  };
  const { system, user, short } = promptParts(template);
  const under = (instructions: string): ChatRequest => ({
    messages: promptMessages(instructions, user, values),
    ...SAMPLING,
  });
  return { request: under(system), short: under(short) };
}
