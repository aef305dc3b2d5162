import type { ToolResult } from "../../model/coding-context.ts";
import { parseJson } from "../../model/read-json.ts";
import { contentOf } from "./chat-messages.ts";
import { resultOf } from "./coding-turns.ts";
import { exitCodeOf } from "./counts.ts";
import { exitCodeIn } from "./exit-code.ts";
import { asRecord, isRecord, type JsonRecord } from "./records.ts";

/** What a call of Codex gave back. */
export interface CodexOutput {
  readonly text: string;
  readonly result: ToolResult | undefined;
}

/** The line with the code stands before the output, after a few others about the run. */
const CODE_BEFORE_OUTPUT = /^(?:[^\n]*\n){0,4}?(?:Process exited with|Exit) code:? (-?\d{1,10})\n/;

/**
 * The output of a call, which comes as a text, as JSON in a text with `metadata.exit_code`, or as parts with `success`. The text of
 * a command may begin with lines about the run, up to `Output:`.
 */
export function codexOutput(output: unknown): CodexOutput {
  const given = typeof output === "string" ? (recordIn(output) ?? output) : output;
  if (isRecord(given)) return ofRecord(given);
  const { text } = contentOf(given);
  const head = text.slice(0, 500);
  const before = head.includes("\nOutput:") ? CODE_BEFORE_OUTPUT.exec(head)?.[1] : undefined;
  const code = before === undefined ? exitCodeIn(text) : Number(before);
  return { text, result: resultOf(code, undefined) };
}

function ofRecord(given: JsonRecord): CodexOutput {
  const { text } = contentOf(given["output"] ?? given["content"]);
  const code = asRecord(given["metadata"])["exit_code"];
  const ok = typeof given["success"] === "boolean" ? given["success"] : undefined;
  return {
    text,
    result: resultOf(exitCodeOf(code), ok),
  };
}

/** The wrapper that Codex writes as text; JSON that a program printed is no such wrapper. */
function recordIn(text: string): JsonRecord | undefined {
  if (!text.startsWith("{")) return undefined;
  const value = parseJson(text);
  return isRecord(value) && "output" in value && isRecord(value["metadata"]) ? value : undefined;
}
