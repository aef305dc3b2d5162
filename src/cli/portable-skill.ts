import { allDomains } from "../domains/registry.ts";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { isClean, type Checked } from "../model/diagnostic.ts";
import { nodeFiles } from "../platform/files.ts";
import { absolute, fromHere } from "../platform/surroundings.ts";
import { fromPortable, toPortable } from "../skill/portable.ts";
import { CliError, EXIT, type ExitCode, type Terminal } from "./terminal.ts";

/** Files of a skill are read by people: what is larger is data that does not belong there. In bytes. */
const MAX_FILE = 10_000_000;
const SKILL_MD = "SKILL.md";

/** Files at and below the folder, by their path from it with `/`. Hidden ones, links and installed packages stay where they are. */
async function filesOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(fromHere(folder), { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      path.relative(fromHere(folder), path.join(entry.parentPath, entry.name)).split(path.sep).join("/"),
    )
    .filter((name) => name.split("/").every((part) => !part.startsWith(".") && part !== "node_modules"))
    .toSorted();
}

async function copy(skill: string, names: readonly string[], target: string, skillMd: string): Promise<void> {
  const files = nodeFiles();
  for (const name of names) {
    const bytes = await readFile(fromHere(path.join(skill, name)));
    if (bytes.length > MAX_FILE)
      throw new CliError(`${name} has more than ${MAX_FILE / 1_000_000} MB.`, "Keep data out of the skill.");
    await files.create(path.join(target, name), name === SKILL_MD ? skillMd : bytes);
  }
}

type Form = (text: string, where: { readonly file: string; readonly folder: string }) => Checked<string>;

const FORMS: Readonly<Record<"portable" | "hasp", Form>> = {
  portable: (text, where) => toPortable(text, where, allDomains()),
  hasp: (text, { file }) => fromPortable(text, file),
};

/** Copies one skill to `<output>/<name>`, its SKILL.md in the other form. Nothing is written where that cannot be done whole. */
export async function convertSkill(
  skill: string,
  output: string,
  form: keyof typeof FORMS,
  terminal: Terminal,
): Promise<ExitCode> {
  const name = path.basename(absolute(skill));
  const file = path.join(skill, SKILL_MD);
  const text = await readFile(fromHere(file), "utf8").catch(() => {
    throw new CliError(`There is no skill at ${skill}.`, "Name a skill folder: it holds a SKILL.md.");
  });
  const { value, diagnostics } = FORMS[form](text, { file, folder: name });
  terminal.diagnostics(diagnostics);
  if (value === undefined || !isClean(diagnostics)) {
    terminal.result({ written: [], diagnostics });
    terminal.line("Nothing was written.");
    return EXIT.findings;
  }
  const target = path.join(output, name);
  if (await nodeFiles().exists(target))
    throw new CliError(`${target} is there already.`, "Remove it, or name another folder with -o.");
  const names = await filesOf(skill);
  await copy(skill, names, target, value);
  terminal.result({ folder: target, written: names, diagnostics });
  terminal.line(`${names.join(", ")} written to ${target}`);
  return EXIT.fine;
}
