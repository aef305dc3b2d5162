import type { NamedText } from "../evaluation/run-inputs.ts";
import type { NodeFiles } from "../platform/files.ts";
import { CliError } from "./terminal.ts";

/** A larger file does not fit into memory with what is made of it. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** A file that a person named, read whole; CliError where there is none, or one over 256 MiB. */
export async function readNamed(file: string, files: NodeFiles): Promise<NamedText> {
  const found = await files.readText(file, MAX_FILE_BYTES);
  if (found.kind === "text") return { file, text: found.text };
  if (found.kind === "absent") throw new CliError(`There is no file ${file}.`, "Check the path.");
  const size = Math.round(found.size / 1024 / 1024);
  throw new CliError(`${file} has ${size} MiB; at most 256 are read.`, "Take a part of it.");
}
