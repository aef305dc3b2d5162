import { explanationLines } from "../model/explained-text.ts";
import type { PfEvent } from "../model/intervention.ts";
import { PASS_WORDS } from "../model/pass-words.ts";
import type { JudgedPf } from "../protocol/replay.ts";

/** The decision of a PF with its reason: `today` as judged now, `recorded` as the run has it. */
export function eventWords(of: "today" | "recorded", { status, pass }: PfEvent, reason: string): string {
  return `${of} ${status}: ${pass === undefined ? "" : PASS_WORDS[pass]}${reason}`;
}

/** A decision of today in lines of text: what became of the PF and why, then its condition as code. */
export function decisionLines(
  { event, reason, explanation }: JudgedPf,
  shownFile: (file: string) => string = (file) => file,
): string[] {
  const said = eventWords("today", event, reason);
  if (explanation?.deciding === undefined) return [said];
  const { deciding, file } = explanation;
  const code = explanationLines(explanation).map((line) => `  ${line}`);
  return [said, `decided at ${shownFile(file)}:${deciding.line}`, ...code];
}
