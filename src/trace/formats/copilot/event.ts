import type { FormatProblem } from "../format-reader.ts";
import type { JsonRecord } from "../records.ts";
import { type Session, settle, type Talker, tell, type Words } from "./session.ts";

/** One event and its place. */
export interface Event {
  readonly type: string;
  readonly row: JsonRecord;
  readonly data: JsonRecord;
  readonly line: number;
  readonly at: number;
  readonly talker: Talker;
}

export type Handler = (session: Session, event: Event) => FormatProblem | undefined | void;

export function say({ ledger }: Session, { type, at, talker }: Event, text: string): void {
  ledger.mapped(`events ${type}`, "text that the agent read");
  addWords(talker, at, text, false);
}

export function addWords(talker: Talker, at: number, text: string, isPersons: boolean, asRead = text): void {
  settle(talker);
  const words: Words = { kind: "words", at, before: talker.said, text, isPersons };
  if (text !== "") talker.entries.push(words);
  tell(talker, "user", asRead);
}
