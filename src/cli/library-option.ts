import { HISTORY_FILE } from "../evolve/library-history.ts";
import { GENERATED_FOLDER } from "../model/domain-folder.ts";
import type { NodeFiles } from "../platform/files.ts";
import { text } from "./options.ts";
import { CliError } from "./terminal.ts";

export const LIBRARY = text(
  "--library <dir>",
  "the folder of generated skills (default: the only skills/<domain>/generated with a history)",
);

export const withoutSlash = (folder: string): string => folder.replace(/(?<=.)[/\\]+$/, "");

/** The folder as given; without one, the only library of generated skills below `skills`. */
export async function libraryAt(given: string | undefined, files: NodeFiles): Promise<string> {
  if (given !== undefined) {
    if (await files.exists(given)) return withoutSlash(given);
    throw new CliError(`There is no ${given}.`, "Name a folder such as skills/web-search/generated.");
  }
  const folders = (await files.list("skills")).map((domain) => `skills/${domain}/${GENERATED_FOLDER}`);
  const there = await Promise.all(folders.map((folder) => files.exists(`${folder}/${HISTORY_FILE}`)));
  const [only, ...more] = folders.filter((_, i) => there[i]);
  if (only === undefined)
    throw new CliError(
      "No library of generated skills has a history here.",
      "Run this in the folder that holds skills/, or name one with --library.",
    );
  if (more.length > 0)
    throw new CliError(
      `Several libraries of generated skills have a history: ${[only, ...more].join(", ")}.`,
      `Name one: --library ${only}`,
    );
  return only;
}

/** The folder of an evolution without a slash at its end. */
export async function evolutionAt(given: string, files: NodeFiles): Promise<string> {
  if (!(await files.exists(given)))
    throw new CliError(`There is no ${given}.`, "Name the folder that the evolution writes.");
  return withoutSlash(given);
}
