import { parseJson } from "../../../model/read-json.ts";
import type { Ledger } from "../ledger.ts";
import { readCutJson } from "./cut-json.ts";

/** What a person should know of the attributes of a file: which of them were cut, and what nobody knows in them. */
export interface Notes {
  readonly ledger: Ledger;
  /** Attributes whose JSON breaks off, with how many of each. */
  readonly cut: Map<string, number>;
  /** Lengths at which attributes were cut: a limit is one for all, so a plain text of that length was cut as well. */
  readonly limits: Set<number>;
}

export const openNotes = (ledger: Ledger): Notes => ({ ledger, cut: new Map(), limits: new Set() });

/** A value that exporters write as JSON text where they know only flat values. */
export interface Parsed {
  readonly value: unknown;
  /** It breaks off; the value is what stands before. */
  readonly cut: boolean;
}

/** The attribute as a value. A text that is no JSON, and no beginning of any, stays a text. */
export function parsedAttribute(given: unknown, name: string, notes: Notes): Parsed {
  if (typeof given !== "string") return { value: given, cut: false };
  const text = given.trimStart();
  if (!text.startsWith("[") && !text.startsWith("{"))
    return { value: given, cut: noteLimit(given, name, notes) };
  const value = parseJson(given);
  if (value !== undefined) return { value, cut: false };
  const rest = readCutJson(given);
  if (rest === undefined) return { value: given, cut: noteLimit(given, name, notes) };
  notes.limits.add(given.length);
  noteCut(name, notes);
  return { value: rest, cut: true };
}

function noteCut(name: string, { cut }: Notes): void {
  cut.set(name, (cut.get(name) ?? 0) + 1);
}

/** Notes a plain text that is as long as others were when they were cut, or that says itself that it was cut. */
export function noteLimit(text: string, name: string, notes: Notes): boolean {
  const isCut = notes.limits.has(text.length) || /\[truncated, original \d+ chars\]$/.test(text);
  if (isCut) noteCut(name, notes);
  return isCut;
}
