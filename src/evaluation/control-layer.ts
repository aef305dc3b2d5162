import { KNOBS, type Control, type Knob, type KnobKey } from "../model/control.ts";
import type { Range } from "../model/diagnostic.ts";
import { closest, didYouMean } from "../skill/suggest.ts";
import { CONFIG_KEYS, keysOf, PINNED, SKILL_SITE, TEACHER_SITES, type ConfigShape } from "./config-keys.ts";

/** Where something was said. */
export interface Place {
  /** `hasp.yaml`, or the argument itself, such as `--set pf_top_k=5`. */
  readonly file: string;
  readonly range: Range;
}

/** What one source, the settings file or the command line, says about control. What it leaves out, it leaves as it was. */
export interface ControlLayer {
  readonly knobs: Readonly<Partial<Record<KnobKey, boolean | number>>>;
  readonly pinnedSkills: readonly string[] | undefined;
  /** False: the teacher is not asked at this site. */
  readonly teacherSites: ReadonlyMap<string, boolean>;
  /** By the key's name: `pf_top_k`, `pinned_skills`, `teacher_sites.retry`. */
  readonly places: ReadonlyMap<string, Place>;
}

export const EMPTY_LAYER: ControlLayer = {
  knobs: {},
  pinnedSkills: undefined,
  teacherSites: new Map(),
  places: new Map(),
};

/** A layer while it is read. */
export interface LayerDraft {
  knobs: Partial<Record<KnobKey, boolean | number>>;
  pinnedSkills: readonly string[] | undefined;
  readonly teacherSites: Map<string, boolean>;
  readonly places: Map<string, Place>;
}

export function newLayer(): LayerDraft {
  return { knobs: {}, pinnedSkills: undefined, teacherSites: new Map(), places: new Map() };
}

const KEY_BY_NAME: ReadonlyMap<string, KnobKey> = new Map(
  (Object.entries(KNOBS) as [KnobKey, Knob][]).map(([key, { name }]) => [name, key]),
);

/** The field of `Control` that a knob's name stands for. */
export function knobKeyOf(name: string): KnobKey | undefined {
  return KEY_BY_NAME.get(name);
}

/** What a knob is called in `hasp.yaml` and in `--set`. */
export function nameOfKnob(key: keyof Control): string {
  if (key === "pinnedSkills") return PINNED;
  return key === "teacherSitesOff" ? TEACHER_SITES : KNOBS[key].name;
}

/** Names of all knobs, and `pinned_skills`. */
export const KNOB_NAMES: readonly string[] = [...KEY_BY_NAME.keys(), PINNED];

/** Why a value cannot be taken. */
interface Refusal {
  readonly kind: "type" | "range";
  readonly message: string;
  readonly next: string;
}

function described(value: unknown): string {
  if (value === null || value === "") return "empty";
  if (typeof value === "string") return `the text ${JSON.stringify(value.slice(0, 40))}`;
  return typeof value === "boolean" || typeof value === "number" ? String(value) : "a list or mapping";
}

const YES_NO: Readonly<Record<string, boolean>> = { yes: true, on: true, no: false, off: false };

function likelyFlag(value: unknown, fallback: boolean): boolean {
  const word = String(value).trim().toLowerCase();
  if (word === "true" || word === "1") return true;
  return word === "false" || word === "0" ? false : (YES_NO[word] ?? fallback);
}

function likelyNumber(value: unknown, shape: Extract<ConfigShape, { kind: "number" }>): number {
  const number = typeof value === "boolean" || value === null ? Number.NaN : Number(value);
  if (!Number.isFinite(number) || value === "") return shape.fallback;
  const inside = Math.min(shape.most, Math.max(shape.least, number));
  return shape.whole ? Math.round(inside) : inside;
}

/** Whether a flag or a number may stand behind its key; undefined where it may. @param write how the right form is written down */
export function refusalOf(
  name: string,
  shape: Extract<ConfigShape, { kind: "flag" | "number" }>,
  value: unknown,
  write: (name: string, value: string) => string,
): Refusal | undefined {
  const refuse = (kind: Refusal["kind"], message: string, likely: boolean | number): Refusal => ({
    kind,
    message,
    next: `Write \`${write(name, String(likely))}\`.`,
  });
  if (shape.kind === "flag") {
    if (typeof value === "boolean") return undefined;
    const message = `${name} must be true or false, not ${described(value)}.`;
    return refuse("type", message, likelyFlag(value, shape.fallback));
  }
  const likely = likelyNumber(value, shape);
  const wanted = shape.whole ? "a whole number" : "a number";
  if (typeof value !== "number" || !Number.isFinite(value) || (shape.whole && !Number.isInteger(value)))
    return refuse("type", `${name} must be ${wanted}, not ${described(value)}.`, likely);
  if (value >= shape.least && value <= shape.most) return undefined;
  return refuse(
    "range",
    `${name} must lie between ${shape.least} and ${shape.most}; ${value} does not.`,
    likely,
  );
}

/** What to do about a name that no site has; undefined for one that may be a site. */
export function unknownSite(site: string): string | undefined {
  const known = keysOf(TEACHER_SITES).map(({ name }) => name);
  if (known.includes(site) || SKILL_SITE.test(site)) return undefined;
  const match = closest(site, known);
  if (match !== undefined) return `Did you mean "${match}"?`;
  return `Use one of: ${known.join(", ")}, pf.<skill_id>, handler.<skill_id>.`;
}

/** The group that holds a key of this name, if it is one. */
export function groupOf(name: string): string | undefined {
  return CONFIG_KEYS.find(
    ({ shape }) => shape.kind === "group" && shape.keys.some((key) => key.name === name),
  )?.name;
}

/** What to do about an unknown key of a group, or of the whole file (no group): where it belongs, else the likely name. */
export function whereItBelongs(key: string, at: string | undefined): string {
  const here = (at === undefined ? CONFIG_KEYS : keysOf(at)).map(({ name }) => name);
  const home = groupOf(key);
  if (home !== undefined) return `It belongs under \`${home}:\`.`;
  if (at !== undefined && CONFIG_KEYS.some(({ name }) => name === key))
    return "It belongs at the top of the file.";
  if (closest(key, here) !== undefined) return didYouMean(key, here);
  const groups = CONFIG_KEYS.filter(({ shape }) => shape.kind === "group").map(({ name }) => name);
  const elsewhere = groups.flatMap((name) => keysOf(name).map((one) => one.name));
  const match = closest(key, elsewhere);
  return match === undefined
    ? didYouMean(key, here)
    : `Did you mean "${match}", under \`${groupOf(match) ?? ""}:\`?`;
}
