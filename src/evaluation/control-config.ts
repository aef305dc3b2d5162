import { KNOB_GROUPS } from "../model/control.ts";
import { describe } from "../skill/fields.ts";
import type { Report } from "../skill/report.ts";
import type { YamlEntry, YamlMap, YamlValue } from "../skill/yaml-tree.ts";
import { SNAKE_CASE } from "../skill/vocabulary.ts";
import { keysOf, PINNED, TEACHER_SITES, type ConfigKey } from "./config-keys.ts";
import {
  knobKeyOf,
  newLayer,
  refusalOf,
  unknownSite,
  whereItBelongs,
  type ControlLayer,
  type LayerDraft,
} from "./control-layer.ts";

const yaml = (name: string, value: string): string => `${name}: ${value}`;

const plain = (value: YamlValue): unknown => (value.kind === "scalar" ? value.value : {});

/** A mapping under a key. Undefined where it is missing; a key without a value counts as an empty mapping. */
export function groupAt(root: YamlMap, name: string, report: Report): YamlMap | undefined {
  const value = root.entries.get(name)?.value;
  if (value === undefined || value.kind === "map") return value;
  // Its keys may all be commented out.
  if (value.kind === "scalar" && value.value === null) return undefined;
  report.error(
    "HASP412",
    value.range,
    `${name} must be a mapping, not ${describe(value)}.`,
    `Write \`${name}:\` and its keys below it, indented.`,
  );
  return undefined;
}

/** Undefined, with a complaint, where the value is none that this key takes. */
export function scalarAt(
  { key, value }: YamlEntry,
  shape: Parameters<typeof refusalOf>[1],
  report: Report,
): boolean | number | undefined {
  const read = plain(value);
  const refusal = refusalOf(key, shape, read, yaml);
  if (refusal === undefined) return read as boolean | number;
  report.error(refusal.kind === "type" ? "HASP412" : "HASP415", value.range, refusal.message, refusal.next);
  return undefined;
}

/** An unknown key is an error: a switch that is not read would leave the run other than its author thinks. */
export function refuseKey({ key, keyRange }: YamlEntry, at: string | undefined, report: Report): void {
  const path = at === undefined ? key : `${at}.${key}`;
  report.error(
    "HASP413",
    keyRange,
    `"${path.slice(0, 80)}" is no key of hasp.yaml and is not read.`,
    whereItBelongs(key, at),
  );
}

/** A list of skill_ids; entries that are none are reported and left out. Undefined where it is no list of texts. */
export function readSkillIds({ key, value }: YamlEntry, report: Report): readonly string[] | undefined {
  const refuse = (bad: YamlValue): undefined =>
    report.error(
      "HASP412",
      bad.range,
      `${key} must be a list of skill_ids, not ${describe(bad)}.`,
      `Write \`${key}: [reasoning_error]\`.`,
    ) as undefined;
  if (value.kind !== "list") return refuse(value);
  return value.items.flatMap((item) => {
    const given = plain(item);
    if (typeof given !== "string") return refuse(item) ?? [];
    const id = given.trim();
    if (SNAKE_CASE.test(id)) return [id];
    report.error(
      "HASP419",
      item.range,
      `${JSON.stringify(id.slice(0, 60))} is no skill_id: lower-case words joined by underscores.`,
      `Write \`${id
        .slice(0, 60)
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, "_")
        .replaceAll(/^_|_$/g, "")}\`.`,
    );
    return [];
  });
}

function readKnob(entry: YamlEntry, { shape }: ConfigKey, draft: LayerDraft, report: Report): void {
  const place = { file: report.file, range: entry.keyRange };
  if (entry.key === PINNED) {
    draft.pinnedSkills = readSkillIds(entry, report);
    if (draft.pinnedSkills !== undefined) draft.places.set(PINNED, place);
    return;
  }
  const key = knobKeyOf(entry.key);
  if (key === undefined || (shape.kind !== "flag" && shape.kind !== "number")) return;
  const value = scalarAt(entry, shape, report);
  if (value === undefined) return;
  draft.knobs[key] = value;
  draft.places.set(entry.key, place);
}

function readSite(entry: YamlEntry, draft: LayerDraft, report: Report): void {
  const { key, keyRange } = entry;
  const next = unknownSite(key);
  if (next !== undefined) {
    report.error("HASP413", keyRange, `The teacher is asked at no site "${key.slice(0, 80)}".`, next);
    return;
  }
  const value = scalarAt(entry, { kind: "flag", fallback: true }, report);
  if (typeof value !== "boolean") return;
  draft.teacherSites.set(key, value);
  draft.places.set(`${TEACHER_SITES}.${key}`, { file: report.file, range: keyRange });
}

/** Reads the groups of knobs and the teacher's sites. Whatever cannot be used is reported and left as it was. */
export function readControl(root: YamlMap, report: Report): ControlLayer {
  const draft = newLayer();
  for (const name of KNOB_GROUPS) {
    const keys = keysOf(name);
    for (const entry of groupAt(root, name, report)?.entries.values() ?? []) {
      const key = keys.find((one) => one.name === entry.key);
      if (key === undefined) refuseKey(entry, name, report);
      else readKnob(entry, key, draft, report);
    }
  }
  for (const entry of groupAt(root, TEACHER_SITES, report)?.entries.values() ?? [])
    readSite(entry, draft, report);
  return draft;
}
