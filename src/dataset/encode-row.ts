import { FAMILIES, SLOTS, type StepSignals } from "../model/signals.ts";

/** The names and JSON texts of the columns of a row, in order. */
export type Columns = Readonly<Record<string, string>>;

const DIGITS = 1e6;

/** A number with a fraction, such as `0.0`: a reader that infers types from the first rows would take `0` for a whole number. Six digits. */
export function float(value: number): string {
  const rounded = Math.round(value * DIGITS) / DIGITS;
  return Number.isInteger(rounded) ? `${Object.is(rounded, -0) ? 0 : rounded}.0` : String(rounded);
}

export const text = (value: string): string => JSON.stringify(value.toWellFormed());
export const whole = (value: number): string => String(value);

/** A message as chat templates take it. */
export interface Message {
  readonly role: string;
  readonly content: string;
}

/** Messages in the conversational form that TRL reads. */
export function conversation(messages: readonly Message[]): string {
  const items = messages.map(({ role, content }) => `{"role":${text(role)},"content":${text(content)}}`);
  return `[${items.join(",")}]`;
}

const object = (entries: readonly (readonly [string, string])[]): string =>
  `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(",")}}`;

/** The fifteen slots and the four families of a step: enough to weigh its row anew. */
export function signalColumns({ values, families }: StepSignals): Columns {
  return {
    signals: object(SLOTS.map((slot) => [slot, float(values[slot].value)])),
    families: object(FAMILIES.map((family) => [family, float(families[family])])),
  };
}

const encoder = new TextEncoder();

/** One line of JSONL. */
export function encodeRow(columns: Columns): Uint8Array {
  return encoder.encode(`${object(Object.entries(columns))}\n`);
}
