import process from "node:process";
import type { LeftEvent, SessionState } from "../agents/hook/session-store.ts";
import { environmentSecrets } from "../llm/env-secrets.ts";
import { createRedactor, redactTexts } from "../llm/redact.ts";
import { parseJson } from "../model/read-json.ts";

const redactor = createRedactor(environmentSecrets(process.env));
/** A text without secrets. */
export const redact = (text: string): string => redactor.redact(text);

/** Most texts hold no secret, and are not parsed to find that out. */
const isClean = (json: string): boolean => redact(json) === json;

/** A line of a live file, without secrets. In JSON only the texts are changed, so that it stays JSON. */
export function cleanLine(line: string): string {
  if (isClean(line)) return line;
  const value = parseJson(line);
  return value === undefined ? redact(line) : JSON.stringify(redactTexts(value, redact));
}

/**
 * The memory of a session, as it may be written to the disk. An answer with a secret is forgotten: given again without it, the host would run
 * another command.
 */
export function cleanState(state: SessionState): string {
  const json = JSON.stringify(state);
  if (isClean(json)) return json;
  const answers = state.answers.filter((answer) => isClean(JSON.stringify(answer)));
  return JSON.stringify({ ...redactTexts(state, redact), answers });
}

/** An event that is recorded later, as it may be written to the disk; its text is JSON itself. */
export function cleanEvent(event: LeftEvent): string {
  const json = JSON.stringify(event);
  return isClean(json)
    ? json
    : JSON.stringify({ ...redactTexts(event, redact), text: cleanLine(event.text) });
}
