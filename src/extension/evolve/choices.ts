import type { EstimatedCalls } from "../../evolve/estimate.ts";
import { dollars as inDollars } from "../../llm/budget.ts";
import { counted } from "../../model/counted.ts";
import { GATES, isOpen, needsReview, type EvolveMode, type Gate } from "../../model/evolution.ts";

/** Choices that decide which gates make sense. */
interface Reviewing {
  readonly mode: EvolveMode;
  readonly teacher: string | undefined;
}

/** The gates that can decide: those that need a review are left out where nobody reviews. */
export function offeredGates({ mode, teacher }: Reviewing): readonly Gate[] {
  const isReviewed = mode === "full" && teacher !== undefined;
  return GATES.filter((gate) => isReviewed || !needsReview(gate));
}

export const usualGate = (reviewing: Reviewing): Gate =>
  offeredGates(reviewing).includes("strict") ? "strict" : "exec-only";

/** Whether worth on held-out questions may decide, too. */
export const mayAskWorth = (gate: Gate): boolean => !isOpen(gate);

/** Of a thing whose folder has its name: letters, digits, `.`, `_` and `-`, without a dot in front. */
export function nameProblem(
  name: string,
  taken: ReadonlySet<string>,
  thing: "evolution" | "experiment" = "evolution",
): string | undefined {
  if (name === "") return `Name the ${thing}.`;
  if (!/^[\w-][\w.-]{0,79}$/.test(name)) return "Write letters, digits, `.`, `_` and `-`, at most 80.";
  // File systems may not tell cases apart.
  return taken.has(name.toLowerCase()) ? `An ${thing} of this name is there already.` : undefined;
}

/** The first free `<stem>-<n>`. */
export function freeName(stem: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n++) if (!taken.has(`${stem}-${n}`.toLowerCase())) return `${stem}-${n}`;
}

/** A whole number from 1. */
export const countProblem = (text: string): string | undefined =>
  /^[1-9]\d{0,3}$/.test(text) ? undefined : "Write a whole number of at least 1.";

/** Dollars above 0, or nothing for no limit. */
export const dollarProblem = (text: string): string | undefined =>
  text === "" || (/^\d{1,6}(\.\d{1,4})?$/.test(text) && Number(text) > 0)
    ? undefined
    : "Write dollars as in 2.50, or leave it empty for no limit.";

const grouped = (value: number): string => value.toLocaleString("en-US");

/** `at most about $1.20`, `at most about $1.20 as far as prices are known`, `costs nothing`. */
export function costWords(calls: readonly EstimatedCalls[]): string {
  const sum = calls.reduce((all, { dollars = 0 }) => all + dollars, 0);
  if (calls.some(({ dollars }) => dollars === undefined))
    return sum === 0 ? "cost unknown" : `at most about ${inDollars(sum)} as far as prices are known`;
  return sum === 0 ? "costs nothing" : `at most about ${inDollars(sum)}`;
}

/** `at most 15 calls · about $0.30`. */
export const callsWords = ({ calls, dollars }: EstimatedCalls): string =>
  `at most ${counted(calls, "call")} · ${dollars === undefined ? "cost unknown" : `about ${inDollars(dollars)}`}`;

export const tokensWords = ({ model, inputTokens, outputTokens }: EstimatedCalls): string =>
  `${model} · about ${grouped(inputTokens)} input and ${grouped(outputTokens)} output tokens`;
