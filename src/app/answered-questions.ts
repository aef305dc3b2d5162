import type { DatasetEntry } from "../domains/dataset-entry.ts";
import { parseQuestions } from "../evaluation/questions.ts";
import type { Question } from "../harness/question.ts";
import type { Checked } from "../model/diagnostic.ts";
import { isRecord } from "../trace/formats/records.ts";
import { jsonEntries } from "../trace/json-entries.ts";
import { readNamed, type TextFiles } from "./named-text.ts";

/**
 * The questions of a file that recorded answers name by id: of plain questions, of one of these data sets, or of coding tasks, whose rows have
 * `task_id` and `prompt`. Codes as `parseQuestions`; HASP578 without a file.
 */
export async function readAnsweredQuestions(
  files: TextFiles,
  file: string,
  datasets: readonly DatasetEntry[],
): Promise<Checked<readonly Question[]>> {
  const { value, diagnostics } = await readNamed(files, file);
  if (value === undefined) return { value, diagnostics };
  const read = parseQuestions(value.text, file, datasets);
  if (read.value !== undefined) return read;
  const plain = asPlainQuestions(value.text);
  return plain === undefined ? read : parseQuestions(plain, file, datasets);
}

/** Rows of coding tasks as plain questions, each in its line; undefined where the text has none. */
function asPlainQuestions(text: string): string | undefined {
  let tasks = 0;
  const lines: string[] = [];
  for (const { line, value } of jsonEntries(text)) {
    while (lines.length < line) lines.push("");
    const isTask = isRecord(value) && value["task_id"] !== undefined && value["prompt"] !== undefined;
    if (isTask) tasks++;
    const row = isTask ? { ...value, id: value["task_id"], question: value["prompt"] } : value;
    lines.push(JSON.stringify(row ?? null));
  }
  return tasks === 0 ? undefined : lines.join("\n");
}
