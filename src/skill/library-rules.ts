import { START_OF_FILE, type Diagnostic, type Fix, type Range } from "../model/diagnostic.ts";
import type { Skill } from "../model/skill.ts";
import type { SkillFolder } from "./read-skill.ts";
import { closest } from "./suggest.ts";

/** What the rules between skills read of one. */
export type LibraryMember = Pick<
  SkillFolder,
  "folder" | "skill" | "places" | "isForeign" | "isDisabled" | "isTemplate" | "isMisplaced"
>;

/** One whose SKILL.md could be read. */
type Usable<T extends LibraryMember = LibraryMember> = T & { readonly skill: Skill };

/** Which skills of a library act, and why others do not. */
export interface Acting<T extends LibraryMember> {
  readonly folders: readonly Usable<T>[];
  readonly diagnostics: readonly Diagnostic[];
}

const fileOf = ({ folder }: LibraryMember): string => `${folder}/SKILL.md`;
const idOf = ({ skill }: Usable): string => skill.skillId;

const supersedesAt = ({ places }: LibraryMember, id: string): Range =>
  places.supersedes.get(id) ?? START_OF_FILE;

function disabled({ folder, skill, places }: LibraryMember): Diagnostic {
  return {
    code: "HASP430",
    severity: "information",
    message: `${skill?.skillId ?? folder} does not act: \`disabled_skills\` of hasp.yaml names it.`,
    next: "Take it out of that list, or run `HASP: Enable Skill`.",
    file: `${folder}/SKILL.md`,
    range: places.skillId ?? START_OF_FILE,
  };
}

function stillTemplate({ folder, skill, places }: LibraryMember): Diagnostic {
  return {
    code: "HASP431",
    severity: "information",
    message: `${skill?.skillId ?? folder} does not act: its code or a prompt is still the template's text.`,
    next: "Write your own where `TODO(template)` stands, or take the mark away.",
    file: `${folder}/SKILL.md`,
    range: places.skillId ?? START_OF_FILE,
  };
}

function olderVersion(older: Usable, latest: Usable): Diagnostic {
  return {
    code: "HASP405",
    severity: "information",
    message: `${idOf(older)} version ${older.skill.version} does not act: ${latest.folder} has version ${latest.skill.version}.`,
    next: "Nothing has to be done; only the latest version of a skill acts.",
    file: fileOf(older),
    range: older.places.skillId ?? START_OF_FILE,
  };
}

function sameVersion(second: Usable, first: Usable): Diagnostic {
  return {
    code: "HASP401",
    severity: "error",
    message: `The skill_id "${idOf(second)}" is taken: ${first.folder} has it too, in the same version, and only the first is used.`,
    next: "Give one of the two another skill_id, or the newer one a higher version.",
    file: fileOf(second),
    range: second.places.skillId ?? START_OF_FILE,
    ...some(fixesOfTwins(second)),
  };
}

const some = (fixes: readonly Fix[]): { fixes?: readonly Fix[] } => (fixes.length === 0 ? {} : { fixes });

/** The id that follows from the name, where it has another one; else the next version. */
function fixesOfTwins({ skill, places }: Usable): readonly Fix[] {
  const id = skill.name.replaceAll("-", "_");
  const next = skill.version + 1;
  const rename: readonly Fix[] =
    id === skill.skillId || places.skillId === undefined
      ? []
      : [
          {
            title: `Write \`skill_id: ${id}\``,
            edits: [{ range: places.skillId, newText: id }],
            byHand: true,
          },
        ];
  const raise: readonly Fix[] =
    places.raisedVersion === undefined
      ? []
      : [{ title: `Make it version ${next}`, edits: [places.raisedVersion], byHand: true }];
  return [...rename, ...raise];
}

/** Without an entry of `supersedes`. */
function withoutEntry({ places }: LibraryMember, id: string): readonly Fix[] {
  const edit = places.withoutSuperseded?.get(id);
  return edit === undefined
    ? []
    : [{ title: `Take "${id}" out of \`supersedes\``, edits: [edit], byHand: true }];
}

/** Of the folders with one id the latest version acts (SPEC §7 F, `skill_ids_latest`); of several latest ones, the first. */
function latestOfEach<T extends LibraryMember>(folders: readonly Usable<T>[]): Acting<T> {
  const latest = new Map<string, Usable<T>>();
  for (const folder of folders) {
    const best = latest.get(idOf(folder));
    if (best === undefined || folder.skill.version > best.skill.version) latest.set(idOf(folder), folder);
  }
  const diagnostics = folders.flatMap((folder) => {
    const best = latest.get(idOf(folder));
    if (best === undefined || best === folder) return [];
    return [
      folder.skill.version === best.skill.version ? sameVersion(folder, best) : olderVersion(folder, best),
    ];
  });
  return { folders: [...latest.values()], diagnostics };
}

type Graph = ReadonlyMap<string, Usable>;

const namedBy = (id: string, graph: Graph): readonly string[] =>
  (graph.get(id)?.skill.supersedes ?? []).filter((other) => other !== id && graph.has(other));

/** The shortest way from one skill to another along `supersedes`, both ends included; undefined where there is none. */
function wayBetween(from: string, to: string, graph: Graph): readonly string[] | undefined {
  const before = new Map<string, string | undefined>([[from, undefined]]);
  // A Map yields what is added while it is walked.
  for (const [id] of before) {
    for (const next of namedBy(id, graph)) {
      if (next === to) return [...pathTo(id, before), to];
      if (!before.has(next)) before.set(next, id);
    }
  }
  return undefined;
}

function pathTo(id: string, before: ReadonlyMap<string, string | undefined>): readonly string[] {
  const path: string[] = [];
  for (let at: string | undefined = id; at !== undefined; at = before.get(at)) path.unshift(at);
  return path;
}

function cycleDiagnostic(way: readonly string[], graph: Graph): Diagnostic[] {
  const [first = "", second = ""] = way;
  const folder = graph.get(first);
  if (folder === undefined) return [];
  const where = way.slice(0, -1).map((id, i) => {
    const one = graph.get(id);
    const line = one === undefined ? 0 : supersedesAt(one, way[i + 1] ?? "").start.line;
    return `${one === undefined ? id : fileOf(one)}:${line + 1}`;
  });
  return [
    {
      code: "HASP407",
      severity: "error",
      message: `Skills supersede each other in a circle: ${way.join(" → ")} (${where.join(", ")}). None of them is left out for it.`,
      next: "Delete one of these `supersedes` entries.",
      file: fileOf(folder),
      range: supersedesAt(folder, second),
      ...some(withoutEntry(folder, second)),
    },
  ];
}

function supersededDiagnostic(folder: Usable, by: Usable): Diagnostic {
  return {
    code: "HASP406",
    severity: "information",
    message: `${idOf(folder)} does not act: ${idOf(by)} supersedes it (${fileOf(by)}:${supersedesAt(by, idOf(folder)).start.line + 1}).`,
    next: `To use it, take it out of \`supersedes\` of ${idOf(by)}.`,
    file: fileOf(folder),
    range: folder.places.skillId ?? START_OF_FILE,
  };
}

/** Superseded skills do not act, whether or not the one that supersedes them does; those of a circle all act. */
function withoutSuperseded<T extends LibraryMember>(folders: readonly Usable<T>[]): Acting<T> {
  const graph: Graph = new Map(folders.map((folder) => [idOf(folder), folder]));
  const diagnostics: Diagnostic[] = [];
  const inCircle = new Map<string, ReadonlySet<string>>();
  const replacedBy = new Map<string, Usable>();
  for (const folder of folders) {
    const id = idOf(folder);
    for (const other of namedBy(id, graph)) {
      const back = wayBetween(other, id, graph);
      if (back === undefined) replacedBy.set(other, folder);
      else if (!(inCircle.get(id)?.has(other) ?? false)) {
        const circle = new Set(back);
        for (const member of circle) inCircle.set(member, circle);
        diagnostics.push(...cycleDiagnostic([id, ...back], graph));
      }
    }
  }
  const acting = folders.filter((folder) => {
    const by = replacedBy.get(idOf(folder));
    if (by !== undefined) diagnostics.push(supersededDiagnostic(folder, by));
    return by === undefined;
  });
  return { folders: acting, diagnostics };
}

const isUsable = <T extends LibraryMember>(folder: T): folder is Usable<T> =>
  folder.skill !== undefined && !folder.isForeign && folder.isMisplaced !== true;

/**
 * Which of these skills act. One bad skill takes no other down: what cannot be decided, acts. One that is switched off, or still the
 * template's, supersedes nothing, and an older version of it acts no more than it does.
 */
export function actingSkills<T extends LibraryMember>(folders: readonly T[]): Acting<T> {
  const off = folders.filter(({ isDisabled }) => isDisabled === true);
  const on = folders.filter(({ isDisabled }) => isDisabled !== true);
  const templates = on.filter((one) => one.isTemplate === true);
  const latest = latestOfEach(on.filter((one) => one.isTemplate !== true).filter(isUsable<T>));
  const acting = withoutSuperseded(latest.folders);
  return {
    folders: acting.folders,
    diagnostics: [
      ...off.map(disabled),
      ...templates.map(stillTemplate),
      ...latest.diagnostics,
      ...acting.diagnostics,
    ],
  };
}

const meant = (folder: LibraryMember, id: string, match: string): Fix => ({
  title: `Write "${match}"`,
  edits: [{ range: supersedesAt(folder, id), newText: match }],
});

/** Ids in `supersedes` that no skill here has; a slip of the hand, or a skill that is gone. */
function unknownSuperseded(folders: readonly LibraryMember[]): Diagnostic[] {
  const ids = folders.flatMap(({ skill }) => skill?.skillId ?? []);
  return folders.flatMap((folder) =>
    (folder.skill?.supersedes ?? [])
      .filter((id) => !ids.includes(id))
      .map((id): Diagnostic => {
        const match = closest(
          id,
          ids.filter((one) => one !== folder.skill?.skillId),
        );
        return {
          code: "HASP408",
          severity: "information",
          message: `No skill here is called "${id}", so there is nothing to supersede.`,
          next:
            match === undefined
              ? "Delete the entry, unless the skill is in another library."
              : `Did you mean "${match}"?`,
          file: fileOf(folder),
          range: supersedesAt(folder, id),
          ...some([...(match === undefined ? [] : [meant(folder, id, match)]), ...withoutEntry(folder, id)]),
        };
      }),
  );
}

/** What is wrong, or worth knowing, between the skills of one library. */
export function libraryDiagnostics(folders: readonly LibraryMember[]): readonly Diagnostic[] {
  return [...actingSkills(folders).diagnostics, ...unknownSuperseded(folders)];
}
