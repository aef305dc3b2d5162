import { textKey } from "../../harness/recorded-policy.ts";
import { DEFAULT_CONTROL, budgetsOf, surfacesOf, type Control } from "../../model/control.ts";
import type { Episode, Run } from "../../model/episode.ts";
import { INTERNALISED_RUN_WORDS, type InternalisedRun } from "../../model/internalised.ts";
import { recordedSettingsSchema } from "../../model/recorded-settings.ts";
import { sampleId } from "../../model/sample.ts";
import { runSamplingSchema } from "../../model/sampling.ts";
import { z } from "../../model/zod.ts";
import type { ReadEpisode } from "../../analysis/internalised/read-episode.ts";
import { refuse } from "../refusal.ts";

/** All of a run that must be as in the others for their answers to compare. */
export interface RunConditions {
  readonly name: InternalisedRun;
  readonly title: string;
  readonly folder: string;
  readonly domain: string;
  /** Skills with their hashes, sorted. */
  readonly library: readonly string[];
  /** Undefined where the record does not say, as in imports. */
  readonly control: Control | undefined;
  /** Other conditions that must be equal, by their names for people. */
  readonly settings: Readonly<Record<string, string>>;
}

const settingsSchema = z.looseObject({
  sampling: runSamplingSchema.optional(),
  corpus: z.looseObject({ hash: z.string() }).optional(),
  retriever: z.looseObject({ kind: z.string(), url: z.string().optional(), topK: z.number() }).optional(),
});

/** A server of this machine gets another port each time it starts. */
const withoutPort = (text: string): string => text.replaceAll(/(\/\/[^/:]+):\d+/g, "$1");

/** The conditions of a run: those of its `run.json`, else of its first episode. */
export function conditionsOf(
  { name, title, folder }: Pick<RunConditions, "name" | "title" | "folder">,
  run: Run | undefined,
  first: Episode,
): RunConditions {
  const known = run?.settings ?? first.settings;
  const { data: recorded } = recordedSettingsSchema.omit({ sampling: true }).safeParse(known);
  const { data: more } = settingsSchema.safeParse(known);
  const retriever = more?.retriever && { ...more.retriever, url: withoutPort(more.retriever.url ?? "") };
  const control = recorded?.control;
  return {
    name,
    title,
    folder,
    domain: first.facts.domain,
    library: first.library.map(({ skillId, hash }) => `${skillId} ${hash}`).toSorted(),
    control: control && { ...DEFAULT_CONTROL, ...control },
    settings: {
      prompt: recorded?.prompt ?? "",
      "sampling and seed": JSON.stringify(more?.sampling ?? first.settings?.sampling ?? {}),
      corpus: more?.corpus?.hash ?? "",
      retriever: JSON.stringify(retriever ?? {}),
      setting: recorded?.setting ?? "",
      teacher: withoutPort(recorded?.teacher ?? ""),
    },
  };
}

const isOn = (name: InternalisedRun): boolean => name === "beforeOn" || name === "afterOn";
const words = ({ name, title }: RunConditions): string => `${title} (${INTERNALISED_RUN_WORDS[name]})`;

/** Refuses a run whose Program Functions took part where they should not have, or the other way round (HASP743). */
export function refuseOtherRole(one: RunConditions): void {
  if (one.control === undefined) return;
  const on = surfacesOf(one.control).pfs;
  if (on === isOn(one.name)) return;
  refuse(
    "HASP743",
    `Program Functions ${on ? "took part" : "took no part"} in ${words(one)}.`,
    on
      ? "Name a run without them, e.g. of `hasp run --setting ra-agent`."
      : "Name a run with them, e.g. of `hasp run --setting pf-only`.",
    one.folder,
  );
}

const MOST_NAMED = 3;
const listed = (names: readonly string[]): string =>
  `${names.slice(0, MOST_NAMED).join(", ")}${names.length > MOST_NAMED ? " and others" : ""}`;

/** Skills that one library has in another version than the other, or alone. */
function otherSkills(a: RunConditions, b: RunConditions): readonly string[] {
  const [inA, inB] = [new Set(a.library), new Set(b.library)];
  const alone = [...a.library.filter((one) => !inB.has(one)), ...b.library.filter((one) => !inA.has(one))];
  return [...new Set(alone.map((one) => one.split(" ", 1)[0] ?? one))].toSorted();
}

/** Names of the settings in which two runs differ; between PFs on and off only what is no matter of Program Functions counts. */
function otherSettings(a: RunConditions, b: RunConditions): readonly string[] {
  const sameRole = isOn(a.name) === isOn(b.name);
  const apart = sameRole ? [] : ["setting", "teacher"];
  const names = Object.keys(a.settings).filter(
    (name) => !apart.includes(name) && a.settings[name] !== b.settings[name],
  );
  const controls = [a.control, b.control].map((one) =>
    JSON.stringify(one && (sameRole ? sortedControl(one) : budgetsOf(one))),
  );
  return [
    ...(a.domain === b.domain ? [] : ["domain"]),
    ...names,
    ...(controls[0] === controls[1] ? [] : [sameRole ? controlNames(a, b) : "budgets"]),
  ];
}

const sortedControl = (control: Control): readonly unknown[] =>
  Object.entries(control).toSorted(([a], [b]) => (a < b ? -1 : 1));

function controlNames({ control: a }: RunConditions, { control: b }: RunConditions): string {
  const keys = Object.keys(DEFAULT_CONTROL) as (keyof Control)[];
  const names = keys.filter((key) => JSON.stringify(a?.[key]) !== JSON.stringify(b?.[key]));
  return names.length === 0 ? "switches" : names.join(", ");
}

/** Refuses two runs of other libraries (HASP741) or other settings (HASP742). */
export function refuseOtherConditions(a: RunConditions, b: RunConditions): void {
  const skills = isOn(a.name) && isOn(b.name) ? otherSkills(a, b) : [];
  if (skills.length > 0)
    refuse(
      "HASP741",
      `The libraries of ${words(a)} and ${words(b)} differ in ${listed(skills)}.`,
      "Run the questions again with one library: a skill that changed is another skill.",
      b.folder,
    );
  const settings = otherSettings(a, b);
  if (settings.length > 0)
    refuse(
      "HASP742",
      `${words(a)} and ${words(b)} differ in ${settings.join(", ")}.`,
      "Run the questions again, with nothing but the policy changed.",
      b.folder,
    );
}

const asked = (episodes: readonly ReadEpisode[]): ReadonlyMap<string, string> =>
  new Map(
    episodes.map(({ questionId, sample, question }) => [sampleId(questionId, sample), textKey(question)]),
  );

/** Refuses runs that ask other questions, other samples of them, or name two texts alike (HASP740). */
export function refuseOtherQuestions(
  a: RunConditions & { readonly episodes: readonly ReadEpisode[] },
  b: RunConditions & { readonly episodes: readonly ReadEpisode[] },
): void {
  const [inA, inB] = [asked(a.episodes), asked(b.episodes)];
  const alone = [
    ...[...inA.keys()].filter((key) => !inB.has(key)),
    ...[...inB.keys()].filter((key) => !inA.has(key)),
  ];
  const reworded = [...inA].flatMap(([key, text]) => (inB.has(key) && inB.get(key) !== text ? [key] : []));
  if (alone.length === 0 && reworded.length === 0) return;
  const which = alone.length > 0 ? alone : reworded;
  const how = alone.length > 0 ? "only one of them has" : "they word differently:";
  refuse(
    "HASP740",
    `${words(a)} and ${words(b)} ask other questions: ${which.length} that ${how} ${listed(which)}.`,
    "Name runs of the same questions with as many samples; `hasp run --resume` finishes a run.",
    b.folder,
  );
}
