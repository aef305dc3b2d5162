import { contentWords } from "../model/content-words.ts";
import { START_OF_FILE, type Diagnostic } from "../model/diagnostic.ts";
import { isGenerated } from "../model/domain-folder.ts";
import { jaccard } from "../model/words.ts";
import { readFrontmatter } from "../skill/frontmatter.ts";
import type { SkillFolder } from "../skill/read-skill.ts";
import { reportOn } from "../skill/report.ts";
import { sourceText } from "../skill/source-text.ts";
import type { Proposal } from "./author/author-task.ts";

/** Share of the words of both descriptions from which on two skills have one aim. */
const SAME_AIM_FROM = 0.3;
/** Characters of an id that are kept, so that a number fits behind it. */
const KEPT_OF_ID = 50;

/** The description in the frontmatter, in whatever form of YAML; empty where it cannot be read. */
function descriptionIn(skillMd: string): string {
  const source = sourceText(skillMd);
  const { root } = readFrontmatter(source, reportOn("SKILL.md", source)) ?? {};
  const value = root?.entries.get("description")?.value;
  return value?.kind === "scalar" ? String(value.value ?? "") : "";
}

/** A skill that people wrote and that has the proposal's id for another aim: the proposal is no new version of it. */
function otherOwner({ skillId, files }: Proposal, skills: readonly SkillFolder[]): SkillFolder | undefined {
  const aim = contentWords(descriptionIn(files?.["SKILL.md"] ?? ""));
  return skills.find(
    ({ folder, skill }) =>
      skill?.skillId === skillId &&
      !isGenerated(folder) &&
      jaccard(aim, contentWords(skill?.description ?? "")) < SAME_AIM_FROM,
  );
}

/** A proposal under an id of its own. */
interface Renamed {
  readonly proposal: Proposal;
  /** The id that the author gave; undefined where the proposal keeps it. */
  readonly renamedFrom: string | undefined;
}

/**
 * The proposal under the first free id `<id>_<n>` where its author gave it the id of a skill that people wrote for another aim; else as it is. An author is
 * asked for new skills alone, so that is no revision. `skills`: of all domains. `taken`: further ids that are not free.
 */
export function withFreeId(
  proposal: Proposal,
  skills: readonly SkillFolder[],
  taken: readonly string[],
): Renamed {
  const { skillId, name, files, folder } = proposal;
  if (skillId === undefined || name === undefined || files === undefined || folder === undefined)
    return { proposal, renamedFrom: undefined };
  if (otherOwner(proposal, skills) === undefined) return { proposal, renamedFrom: undefined };
  const ids = new Set([...taken, ...skills.flatMap(({ skill }) => skill?.skillId ?? [])]);
  const stem = skillId.slice(0, KEPT_OF_ID).replace(/_+$/, "");
  let n = 2;
  while (ids.has(`${stem}_${n}`)) n++;
  const free = { skillId: `${stem}_${n}`, name: `${stem.replaceAll("_", "-")}-${n}` };
  const skillMd = files["SKILL.md"]
    .replace(/(\bskill_id:[^\S\n]*["']?)\w+/, `$1${free.skillId}`)
    .replace(/^name:.*$/m, `name: ${free.name}`);
  const place = `${folder.slice(0, folder.lastIndexOf("/"))}/${free.name}`;
  return {
    proposal: { ...proposal, ...free, files: { ...files, "SKILL.md": skillMd }, folder: place },
    renamedFrom: skillId,
  };
}

/** HASP859, for the record of the evolution. */
export const renamedFinding = (id: string, from: string, to: string): Diagnostic => ({
  code: "HASP859",
  severity: "information",
  message: `The author gave ${id} the id ${from} of a skill with another aim; it is kept as ${to}.`,
  next: "Rename it where another id says more.",
  range: START_OF_FILE,
});
