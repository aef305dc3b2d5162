import { KNOBS, surfacesOf, type Control, type KnobKey } from "../model/control.ts";
import type { LibrarySkill } from "../harness/select/select.ts";
import { START_OF_FILE, type Diagnostic, type Range, type Severity } from "../model/diagnostic.ts";
import { closest } from "../skill/suggest.ts";
import type { RetrieverKind } from "../domains/passages/retriever-kinds.ts";
import { PINNED, TEACHER_SITES } from "./config-keys.ts";
import type { ControlLayer, Place } from "./control-layer.ts";

type Places = ReadonlyMap<string, Place>;
/** Where something was set; without a file where it is a default. */
type MaybePlace = Place | { readonly range: Range };

/** Something that was said and comes to nothing. */
interface Conflict {
  /** The keys that contradict each other; the complaint stands at the first that somebody set. */
  readonly keys: readonly string[];
  readonly message: string;
  readonly next: string;
  readonly severity?: Severity;
}

/** An error where a person set both sides; a warning where one of them comes from the setting. Nothing where nobody set any. */
function told({ keys, message, next, severity }: Conflict, places: Places): Diagnostic[] {
  const set = keys.flatMap((key) => places.get(key) ?? []);
  const [place] = set;
  if (place === undefined) return [];
  const grave: Severity = set.length === keys.length ? "error" : "warning";
  return [{ code: "HASP416", severity: severity ?? grave, message, next, ...place }];
}

const nameOf = (key: KnobKey): string => KNOBS[key].name;

/** Switches that only matter while skills take part. */
const OF_SKILLS = ["enableProgramFunctions", "enableSkillHandlers", "enablePromptOnlySkills"] as const;

function switchConflicts(control: Control, places: Places): Conflict[] {
  const conflicts: Conflict[] = [];
  const { skillsEnabled, enableProgramFunctions, pfOnlyMode } = control;
  if (pfOnlyMode && (!enableProgramFunctions || !skillsEnabled)) {
    const off = skillsEnabled ? nameOf("enableProgramFunctions") : nameOf("skillsEnabled");
    conflicts.push({
      keys: [nameOf("pfOnlyMode"), off],
      message: `pf_only_mode is on and ${off} is off: no Program Function acts, and no teacher either.`,
      next: `Set ${off} to true, or pf_only_mode to false.`,
    });
  }
  if (!skillsEnabled)
    for (const key of OF_SKILLS)
      if (control[key] && places.has(nameOf(key)))
        conflicts.push({
          keys: [nameOf(key), nameOf("skillsEnabled")],
          message: `${nameOf(key)} is on, but skills_enabled is off: it has no effect.`,
          next: `Set skills_enabled to true, or leave ${nameOf(key)} out.`,
        });
  return conflicts;
}

/** Limits that leave nothing to what they limit. */
function idleConflicts(control: Control, places: Places): Conflict[] {
  const idle: readonly (readonly [isIdle: boolean, key: KnobKey, limit: KnobKey, why: string])[] = [
    [
      control.maxFinalOverrides === 0,
      "enableSkillHandlers",
      "maxFinalOverrides",
      "no vote can turn a FINAL into a SEARCH",
    ],
    [control.maxRounds === 1, "enableRetry", "maxRounds", "there is no round to retry in"],
    [
      control.difficultyThreshold === 1,
      "enableDifficultyGating",
      "difficultyThreshold",
      "no question scores below 1",
    ],
  ];
  const found: Conflict[] = idle.flatMap(([isIdle, key, limit, why]) =>
    isIdle && control[key] && (places.has(nameOf(limit)) || places.has(nameOf(key)))
      ? [
          {
            keys: [nameOf(limit), nameOf(key)],
            severity: "information",
            message: `${nameOf(key)} is on, but with ${nameOf(limit)} ${String(control[limit])} ${why}.`,
            next: `Raise ${nameOf(limit)}, or switch ${nameOf(key)} off.`,
          },
        ]
      : [],
  );
  const { preFinalStepThreshold, maxSteps } = control;
  if (preFinalStepThreshold >= maxSteps)
    found.push({
      keys: [nameOf("preFinalStepThreshold"), nameOf("maxSteps")],
      severity: "information",
      message: `pre_final instructions are shown after ${preFinalStepThreshold} steps, and an episode ends after ${maxSteps}: none is ever shown.`,
      next: "Lower pre_final_step_threshold, or raise max_steps.",
    });
  return found;
}

function toolConflicts(control: Control, retriever: RetrieverKind | undefined): Conflict[] {
  const conflicts: Conflict[] = [];
  if (control.maxSearchCalls === 0)
    conflicts.push({
      keys: retriever === undefined ? [nameOf("maxSearchCalls")] : [nameOf("maxSearchCalls"), "retriever"],
      severity: "warning",
      message: `max_search_calls is 0: no SEARCH runs${retriever === undefined ? "" : `, so the retriever "${retriever}" is never asked`}.`,
      next: "Set max_search_calls to 1 or more.",
    });
  if (retriever === "teacher-snippet" && control.teacherSitesOff.includes("search_snippet"))
    conflicts.push({
      keys: [`${TEACHER_SITES}.search_snippet`, "retriever"],
      message:
        'The retriever "teacher-snippet" is the teacher, and its site search_snippet is off: no search finds anything.',
      next: "Take search_snippet out of teacher_sites, or choose another retriever.",
    });
  if (retriever !== undefined && retriever !== "corpus" && retriever !== "teacher-snippet")
    conflicts.push({
      keys: ["corpus"],
      severity: "warning",
      message: `The corpus is not searched: the retriever is "${retriever}".`,
      next: "Leave corpus out, or set retriever to corpus.",
    });
  return conflicts;
}

/** Why the teacher is never asked; undefined where it may be. */
function teacherOff(control: Control): KnobKey | undefined {
  if (surfacesOf(control).teacher) return undefined;
  return control.pfOnlyMode ? "pfOnlyMode" : "enableTeacher";
}

/** A limit of the teacher's selection where nobody selects. */
function selectionConflicts(control: Control, places: Places): Conflict[] {
  const off = teacherOff(control);
  if (off === undefined || !places.has(nameOf("pfTopK"))) return [];
  return [
    {
      keys: [nameOf("pfTopK"), nameOf(off)],
      severity: "information",
      message: `${nameOf("pfTopK")} has no effect: without a teacher every Program Function is asked.`,
      next: `Leave it out, or set ${nameOf(off)} to ${String(!control[off])}.`,
    },
  ];
}

function siteConflicts(control: Control, layers: readonly ControlLayer[]): Conflict[] {
  const sites = new Map(layers.flatMap(({ teacherSites }) => [...teacherSites]));
  const off = teacherOff(control);
  return [...sites].flatMap(([site, isOn]): Conflict[] => {
    const key = `${TEACHER_SITES}.${site}`;
    // The snippet tool asks whatever the switches say (harness/control.ts).
    if (off !== undefined && site !== "search_snippet")
      return [
        {
          keys: [key, nameOf(off)],
          ...(!isOn && { severity: "information" as const }),
          message: `${key} has no effect: ${nameOf(off)} is ${String(control[off])}, so the teacher is never asked.`,
          next: `Leave it out, or set ${nameOf(off)} to ${String(!control[off])}.`,
        },
      ];
    const group = site.split(".", 1)[0] ?? site;
    if (!isOn || group === site || !control.teacherSitesOff.includes(group)) return [];
    return [
      {
        keys: [key, `${TEACHER_SITES}.${group}`],
        message: `${key} is on, but the whole group ${group} is off: the teacher is not asked there.`,
        next: `Name the sites of ${group} to switch off one by one.`,
      },
    ];
  });
}

/** What was said and contradicts something else that was said, or comes to nothing. `tools`: undefined where nothing is searched. */
export function contradictions(
  control: Control,
  places: Places,
  layers: readonly ControlLayer[],
  tools: { readonly retriever: RetrieverKind | undefined } | undefined,
): readonly Diagnostic[] {
  return [
    ...switchConflicts(control, places),
    ...idleConflicts(control, places),
    ...selectionConflicts(control, places),
    ...siteConflicts(control, layers),
    ...(tools === undefined ? [] : toolConflicts(control, tools.retriever)),
  ].flatMap((conflict) => told(conflict, places));
}

function pinnedProblems(control: Control, place: MaybePlace, skills: readonly LibrarySkill[]): Diagnostic[] {
  const ids = skills.map(({ skill }) => skill.skillId);
  return control.pinnedSkills.flatMap((id): Diagnostic[] => {
    const found = skills.find(({ skill }) => skill.skillId === id);
    if (found?.program !== undefined) return [];
    const code = found === undefined ? "HASP419" : "HASP416";
    const match = closest(id, ids);
    const next = match === undefined ? "Check the libraries of this run." : `Did you mean "${match}"?`;
    return [
      {
        code,
        severity: found === undefined ? "warning" : "information",
        message:
          found === undefined
            ? `No skill of the library is called "${id}", so it cannot be pinned.`
            : `${id} has no Program Function that could be pinned.`,
        next: found === undefined ? next : `Leave it out of ${PINNED}.`,
        ...place,
      },
    ];
  });
}

/** Sites of skills that the library does not have. */
function siteProblems(places: Places, skills: readonly LibrarySkill[]): Diagnostic[] {
  const ids = skills.map(({ skill }) => skill.skillId);
  return [...places].flatMap(([key, place]): Diagnostic[] => {
    const [, kind = "", id = ""] = /^teacher_sites\.(pf|handler)\.(.+)$/.exec(key) ?? [];
    if (id === "" || ids.includes(id)) return [];
    const match = closest(id, ids);
    return [
      {
        code: "HASP419",
        severity: "warning",
        message: `No skill of the library is called "${id}", so ${kind}.${id} is no site of this run.`,
        next: match === undefined ? "Check the libraries of this run." : `Did you mean "${kind}.${match}"?`,
        ...place,
      },
    ];
  });
}

/** Skills whose handlers could vote. */
function voters(control: Control, skills: readonly LibrarySkill[]): readonly LibrarySkill[] {
  const { teacher } = surfacesOf(control);
  return skills.filter(({ skill: { handler }, program }) =>
    handler?.kind === "llm" ? teacher : handler !== undefined && program !== undefined,
  );
}

/** What a choice says that this library cannot fulfil. */
export function libraryConflicts(
  { control, places }: { readonly control: Control; readonly places: Places },
  skills: readonly LibrarySkill[],
): readonly Diagnostic[] {
  const nowhere: MaybePlace = { range: START_OF_FILE };
  const found = [
    ...pinnedProblems(control, places.get(PINNED) ?? nowhere, skills),
    ...siteProblems(places, skills),
  ];
  const voting = voters(control, skills);
  const most = voting.length;
  const threshold = control.handlerVoteThreshold;
  if (!surfacesOf(control).handlers || most === 0 || threshold < most) return found;
  const name = nameOf("handlerVoteThreshold");
  const handlers = nameOf("enableSkillHandlers");
  const place = places.get(name) ?? places.get(handlers);
  // A person who has set neither and has no voting skill of their own has nothing to change.
  if (place === undefined && voting.every(({ shipped }) => shipped)) return found;
  return [
    ...found,
    {
      code: "HASP416",
      severity: "information",
      message: `Handlers can never override a FINAL: it takes more than ${threshold} votes, and at most ${most} can vote.`,
      next: `Set ${name} below ${most}, or ${handlers} to false.`,
      ...(place ?? nowhere),
    },
  ];
}
