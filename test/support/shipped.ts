import { cpSync, readdirSync } from "node:fs";
import path from "node:path";
import { SHIPPED_LISTS, shippedIn, type ShippedList } from "../../src/model/shipped-lists.ts";

const SKILLS = path.resolve(import.meta.dirname, "../../skills");

/** Folders of the repository that hold a skill, from `skills/`. */
const FOLDERS = readdirSync(SKILLS, { recursive: true, encoding: "utf8" })
  .map((file) => file.split(path.sep))
  .filter((parts) => parts.at(-1) === "SKILL.md")
  .map((parts) => parts.slice(0, -1).join("/"));

/** The web-search skills of a list, as folders of the repository, by name. */
export const shippedSkills = (list: ShippedList): readonly string[] =>
  [...shippedIn(FOLDERS, list)]
    .filter(([name]) => name.startsWith("web-search/"))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, folder]) => `skills/${folder}`);

/** The paper's 26, which reproductions use. */
export const PAPER = shippedSkills("paper");

/** Every form of every web-search skill that comes with HASP Studio. */
export const ALL_FORMS: readonly string[] = [...new Set(SHIPPED_LISTS.flatMap(shippedSkills))].toSorted();

/** The folder of one of the paper's, by its name. */
export function paperSkill(name: string): string {
  const folder = PAPER.find((one) => path.basename(one) === name);
  if (folder === undefined) throw new Error(`No skill of the paper is called ${name}.`);
  return folder;
}

/** Copies the paper's into a folder, which is then a library of its own. */
export function copyPaperSkills(to: string): void {
  for (const folder of PAPER)
    cpSync(path.resolve(SKILLS, "..", folder), path.join(to, path.basename(folder)), { recursive: true });
}
