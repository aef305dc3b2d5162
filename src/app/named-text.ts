import { datasetsOf } from "../domains/registry.ts";
import { parseQuestions } from "../evaluation/questions.ts";
import type { NamedText } from "../evaluation/run-inputs.ts";
import type { Question } from "../harness/question.ts";
import type { Checked } from "../model/diagnostic.ts";
import type { SkillFiles } from "../skill/skill-files.ts";
import { failed } from "./refusal.ts";

export type { NamedText } from "../evaluation/run-inputs.ts";

/** A larger file does not fit into memory with what is made of it. */
const MOST_BYTES = 256 * 1024 * 1024;

export type TextFiles = Pick<SkillFiles, "readText">;

/** A file that a person named, read whole. HASP578 without one, and for one over 256 MiB. Rejects where it cannot be read. */
export async function readNamed(files: TextFiles, file: string): Promise<Checked<NamedText>> {
  const found = await files.readText(file, MOST_BYTES);
  if (found.kind === "text") return { value: { file, text: found.text }, diagnostics: [] };
  if (found.kind === "absent") return failed("HASP578", `There is no file ${file}.`, "Check the path.", file);
  const size = Math.round(found.size / 1024 / 1024);
  return failed("HASP578", `${file} has ${size} MiB; at most 256 are read.`, "Take a part of it.", file);
}

/** The questions of a file that a person named, in the domain of that name (undefined: in any); findings name what is left out. */
export async function readQuestions(
  files: TextFiles,
  file: string,
  domain: string | undefined,
): Promise<Checked<readonly Question[]>> {
  const { value, diagnostics } = await readNamed(files, file);
  return value === undefined ? { value, diagnostics } : parseQuestions(value.text, file, datasetsOf(domain));
}
