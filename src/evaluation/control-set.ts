import type { Checked, Diagnostic, Range } from "../model/diagnostic.ts";
import { closest, didYouMean } from "../skill/suggest.ts";
import { SNAKE_CASE } from "../skill/vocabulary.ts";
import { CONFIG_KEYS, keysOf, PINNED, TEACHER_SITES, type ConfigShape } from "./config-keys.ts";
import {
  groupOf,
  knobKeyOf,
  KNOB_NAMES,
  newLayer,
  refusalOf,
  unknownSite,
  type ControlLayer,
  type LayerDraft,
} from "./control-layer.ts";

/** `--set key=value`, taken apart. */
interface Assignment {
  readonly key: string;
  readonly value: string;
  /** The whole argument, as messages name it. */
  readonly file: string;
  readonly keyRange: Range;
  readonly valueRange: Range;
}

const SITE_PREFIX = `${TEACHER_SITES}.`;
const DECIMAL = /^-?\d+(?:\.\d+)?$/;

const between = (start: number, end: number): Range => ({
  start: { line: 0, character: start },
  end: { line: 0, character: end },
});

const write = (name: string, value: string): string => `--set ${name}=${value}`;

type Found = Omit<Diagnostic, "file">;

const error = (code: string, range: Range, message: string, next: string): Found => ({
  code,
  severity: "error",
  message,
  next,
  range,
});

function taken(argument: string): Assignment | undefined {
  const equals = argument.indexOf("=");
  if (equals <= 0) return undefined;
  return {
    key: argument.slice(0, equals),
    value: argument.slice(equals + 1),
    file: `--set ${argument}`,
    keyRange: between(0, equals),
    valueRange: between(equals + 1, argument.length),
  };
}

/** A key that is no knob: where it is set in its place, else the likely one. */
function unknownKey(key: string): string {
  const [first = "", ...rest] = key.split(".");
  const last = rest.join(".");
  if (rest.length > 0 && KNOB_NAMES.includes(last)) return `Leave out the group: \`--set ${last}=…\`.`;
  if (key === "setting") return "Use `--setting`.";
  if (keysOf("tools").some(({ name }) => name === last || name === key))
    return "Use `--retriever`, `--corpus` and `--top-k`.";
  const site = unknownSite(key) === undefined ? key : undefined;
  if (site !== undefined) return `Did you mean \`--set ${SITE_PREFIX}${site}=…\`?`;
  const group = CONFIG_KEYS.find(({ name, shape }) => name === first && shape.kind === "group");
  if (closest(last || key, KNOB_NAMES) !== undefined) return didYouMean(last || key, KNOB_NAMES);
  const names = group === undefined ? [] : keysOf(group.name).map(({ name }) => name);
  return didYouMean(key, names.length > 0 ? names : KNOB_NAMES);
}

/** The text as YAML would read it, but stricter: `true`, `false` and plain decimals; all else is text. */
function typed(text: string): boolean | number | string {
  if (text === "true" || text === "false") return text === "true";
  return DECIMAL.test(text) ? Number(text) : text;
}

function flagOrNumber(
  { key, value, valueRange }: Assignment,
  shape: Extract<ConfigShape, { kind: "flag" | "number" }>,
): { readonly value: boolean | number } | Found {
  const read = typed(value);
  const refusal = refusalOf(key, shape, read, write);
  if (refusal === undefined) return { value: read as boolean | number };
  return error(refusal.kind === "type" ? "HASP412" : "HASP415", valueRange, refusal.message, refusal.next);
}

function setPinned({ value, valueRange }: Assignment, draft: LayerDraft): Found[] {
  const ids = value.split(",").map((id) => id.trim());
  const named = value.trim() === "" ? [] : ids;
  const bad = named.find((id) => !SNAKE_CASE.test(id));
  if (bad === undefined) {
    draft.pinnedSkills = named;
    return [];
  }
  const at = valueRange.start.character + Math.max(0, value.indexOf(bad));
  const message = `${JSON.stringify(bad.slice(0, 60))} is no skill_id: lower-case words joined by underscores.`;
  const example = `Write \`--set ${PINNED}=reasoning_error,repeated_action\`.`;
  return [error("HASP419", between(at, at + bad.length), message, example)];
}

function setSite(assignment: Assignment, draft: LayerDraft): Found[] {
  const { key, keyRange } = assignment;
  const site = key.slice(SITE_PREFIX.length);
  const next = unknownSite(site);
  if (next !== undefined)
    return [error("HASP413", keyRange, `The teacher is asked at no site "${site.slice(0, 80)}".`, next)];
  const read = flagOrNumber(assignment, { kind: "flag", fallback: true });
  if (!("value" in read)) return [read];
  draft.teacherSites.set(site, read.value === true);
  return [];
}

function setKnob(assignment: Assignment, draft: LayerDraft): Found[] {
  const { key: name, keyRange } = assignment;
  const key = knobKeyOf(name);
  const shape = keysOf(groupOf(name) ?? "").find((one) => one.name === name)?.shape;
  if (key === undefined || (shape?.kind !== "flag" && shape?.kind !== "number"))
    return [
      error("HASP413", keyRange, `"${name.slice(0, 80)}" is nothing that can be set.`, unknownKey(name)),
    ];
  const read = flagOrNumber(assignment, shape);
  if (!("value" in read)) return [read];
  draft.knobs[key] = read.value;
  return [];
}

function setOne(assignment: Assignment, draft: LayerDraft): Found[] {
  if (assignment.key === PINNED) return setPinned(assignment, draft);
  return assignment.key.startsWith(SITE_PREFIX) ? setSite(assignment, draft) : setKnob(assignment, draft);
}

const twice = ({ key, keyRange }: Assignment): Found => ({
  code: "HASP417",
  severity: "warning",
  message: `${key} is set twice; the last one counts.`,
  next: "Leave one of them out.",
  range: keyRange,
});

/** Reads the values of `--set`, in their order; the last of two with one key counts. Never throws. */
export function parseSets(sets: readonly string[]): Checked<ControlLayer> & { readonly value: ControlLayer } {
  const draft = newLayer();
  const diagnostics: Diagnostic[] = [];
  for (const argument of sets) {
    const assignment = taken(argument);
    const file = `--set ${argument}`;
    const add = (found: Found): void => void diagnostics.push({ ...found, file });
    if (assignment === undefined) {
      const whole = between(0, argument.length);
      add(error("HASP420", whole, "--set takes a name and a value.", "Write `--set pf_top_k=5`."));
      continue;
    }
    if (draft.places.has(assignment.key)) add(twice(assignment));
    const found = setOne(assignment, draft);
    found.forEach(add);
    if (found.length === 0) draft.places.set(assignment.key, { file, range: assignment.keyRange });
  }
  return { value: draft, diagnostics };
}
