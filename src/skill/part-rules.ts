import { READ, SEARCH } from "../model/action-types.ts";
import { START_OF_FILE, type Diagnostic, type Fix, type Range } from "../model/diagnostic.ts";
import { scopeOf, type DomainSpec } from "../model/domain-spec.ts";
import { readFrontmatter } from "./frontmatter.ts";
import type { PfPart } from "./prompt-effects.ts";
import type { SkillFolder } from "./read-skill.ts";
import { reportOn } from "./report.ts";
import { sourceText } from "./source-text.ts";
import { hasType, type TypeSet } from "./type-set.ts";
import { addEntry, removeEntry, setValue } from "./yaml-edits.ts";
import type { YamlEntry, YamlMap } from "./yaml-tree.ts";

/** The places in SKILL.md that say in which parts of an episode a skill acts. */
interface Sheet {
  readonly file: string;
  readonly map: YamlMap | undefined;
  readonly source: ReturnType<typeof sourceText>;
}

/** Parsed for a finding alone: most checks have none, and they run in the extension host. */
function sheetOf({ folder }: SkillFolder, skillMd: string): Sheet {
  const source = sourceText(skillMd);
  const root = readFrontmatter(source, reportOn("SKILL.md", source))?.root;
  const metadata = root?.entries.get("metadata")?.value;
  const hasp = metadata?.kind === "map" ? metadata.entries.get("hasp")?.value : undefined;
  return { file: `${folder}/SKILL.md`, map: hasp?.kind === "map" ? hasp : root, source };
}

const entryOf = ({ map }: Sheet, key: string): YamlEntry | undefined => map?.entries.get(key);

function placeOf(entry: YamlEntry | undefined): Range {
  return entry?.value.range ?? START_OF_FILE;
}

/** HASP122: `handler` and the `vote` of the class belong together (SPEC §2). */
function handlerRule(folder: SkillFolder, skillMd: string, part: PfPart): Diagnostic[] {
  const kind = folder.skill?.handler?.kind;
  const lacks = kind === "code" && !part.votes;
  if (!lacks && !(part.votes && (kind === undefined || kind === "llm"))) return [];
  const sheet = sheetOf(folder, skillMd);
  const entry = entryOf(sheet, "handler");
  const { file, map, source } = sheet;
  const at = { code: "HASP122", file, range: placeOf(entry) };
  const fixes = (title: string, edits: Fix["edits"]): { readonly fixes?: readonly Fix[] } =>
    map === undefined ? {} : { fixes: [{ title, edits, byHand: true }] };
  if (lacks)
    return [
      {
        ...at,
        severity: "error",
        message: "`handler: code` has no code to vote with: the class in pf.ts has no method `vote`.",
        next: "Write `override vote(ctx, answer)`, which returns undefined or `{ reason, query? }`; or delete `handler`.",
        ...(map !== undefined && fixes("Delete `handler`", [removeEntry(map, "handler", source)])),
      },
    ];
  return [
    {
      ...at,
      severity: "warning",
      message: `Nobody asks for the \`vote\` of pf.ts: ${kind === undefined ? "SKILL.md has no `handler`" : "with `handler: llm` the teacher votes"}.`,
      next: "Write `handler: code`, or delete the method.",
      ...(map !== undefined &&
        fixes("Write `handler: code`", [
          entry === undefined ? addEntry(map, "handler: code") : setValue(entry, "code", source),
        ])),
    },
  ];
}

type Searches = (type: string) => boolean;

/** A type that the trigger looks for and that no phase asks about. */
function unasked(
  types: TypeSet,
  phases: readonly string[],
  final: string,
  searches: Searches,
): string | undefined {
  if (phases.includes("think") || !types.only) return undefined;
  return types.names.find(
    (type) => !phases.includes(type === final ? "answer" : searches(type) ? "search" : "think"),
  );
}

/** The phases that such a trigger needs. */
function needed(types: TypeSet, final: string, searches: Searches): string[] {
  if (!types.only || types.names.some((type) => type !== final && !searches(type))) return ["think"];
  return [
    ...(types.names.some(searches) ? ["search"] : []),
    ...(types.names.includes(final) ? ["answer"] : []),
  ];
}

/** Phases in which the PF is asked and never acts. */
function idle(
  types: TypeSet,
  phases: readonly string[],
  final: string,
  searching: readonly string[],
): string[] {
  const looks = {
    answer: hasType(types, final),
    search: searching.some((type) => hasType(types, type)),
    think: !(types.only && types.names.every((type) => type === final || searching.includes(type))),
  };
  return phases.filter((phase) => phase in looks && !looks[phase as keyof typeof looks]);
}

/** The domain of a skill whose folder names none and that declares one mode. */
function onlyMode({ skill }: SkillFolder, domains: readonly DomainSpec[]): DomainSpec | undefined {
  const [mode, ...others] = skill?.applicableModes ?? [];
  return others.length > 0 ? undefined : domains.find(({ name }) => name === mode);
}

/** HASP123: `applicable_phases` leaves out what the trigger looks for, or names what it never acts on. Only where the code is certain. */
function phasesRule(
  folder: SkillFolder,
  skillMd: string,
  part: PfPart,
  domains: readonly DomainSpec[],
): Diagnostic[] {
  const own = scopeOf(`${folder.folder}/pf.ts`, domains).own ?? onlyMode(folder, domains);
  const phases = folder.skill?.applicablePhases ?? [];
  const { types } = part;
  if (own === undefined || types === undefined || phases.length === 0) return [];
  const searching = [SEARCH, READ].filter((type) => own.actionTypes.includes(type));
  if (searching.length === 0) return [];
  const searches: Searches = (type) => searching.includes(type);
  const missed = unasked(types, phases, own.finalAction, searches);
  const [useless] = part.remembers ? [] : idle(types, phases, own.finalAction, searching);
  const fit = needed(types, own.finalAction, searches);
  if (missed === undefined && (useless === undefined || !types.only || fit.length === 0)) return [];
  const sheet = sheetOf(folder, skillMd);
  const entry = entryOf(sheet, "applicable_phases");
  if (entry === undefined) return [];
  return [
    {
      code: "HASP123",
      severity: "warning",
      file: sheet.file,
      range: placeOf(entry),
      message:
        missed === undefined
          ? `The PF is asked in the phase ${useless} and never acts there: its trigger looks for ${types.names.join(" and ")} alone.`
          : `The PF is not asked about ${missed}, which its trigger looks for: \`applicable_phases\` leaves it out.`,
      next: `Write \`applicable_phases: [${fit.join(", ")}]\`, or change the trigger.`,
      fixes: [
        {
          title: `Write \`applicable_phases: [${fit.join(", ")}]\``,
          edits: [setValue(entry, `[${fit.join(", ")}]`, sheet.source)],
          byHand: true,
        },
      ],
    },
  ];
}

/** Compares the part in an episode that SKILL.md declares with the code of the PF. No finding where the code cannot be read. */
export function partRules(
  folder: SkillFolder,
  skillMd: string,
  part: PfPart,
  domains: readonly DomainSpec[],
): readonly Diagnostic[] {
  return [...handlerRule(folder, skillMd, part), ...phasesRule(folder, skillMd, part, domains)];
}
