import type { Checked } from "../../model/diagnostic.ts";
import {
  DEFAULT_WEIGHTS,
  FAMILIES,
  familyWeights,
  SLOTS,
  type FamilyNumbers,
  type SignalPart,
  type SignalWeights,
  type SlotNumbers,
} from "../../model/signals.ts";
import { describe } from "../../skill/fields.ts";
import { reportOn, type Report } from "../../skill/report.ts";
import { sourceText } from "../../skill/source-text.ts";
import { didYouMean } from "../../skill/suggest.ts";
import { readYaml, type YamlEntry, type YamlMap } from "../../skill/yaml-tree.ts";

const PARTS: readonly SignalPart[] = [...FAMILIES, ...SLOTS];
const KEYS = ["families", "slots", "drop"] as const;
/** The sum of larger numbers could overflow, and a reward would be no number. */
const LARGEST = 1e6;
const EXAMPLE = "Write a mapping such as `families: { timing: 0.2 }` and `drop: [s1.phase]`.";

function unknown(word: string, entry: Pick<YamlEntry, "keyRange">, known: readonly string[], report: Report) {
  report.error(
    "HASP620",
    entry.keyRange,
    `Unknown key \`${word.slice(0, 60)}\` in the weights.`,
    didYouMean(word, known),
  );
}

/** The numbers of one mapping; a key that is none of `names` is an error. */
function readNumbers<Name extends string>(
  entry: YamlEntry | undefined,
  names: readonly Name[],
  least: number,
  report: Report,
): Partial<Record<Name, number>> {
  if (entry === undefined) return {};
  const { value: map } = entry;
  if (map.kind !== "map") {
    report.error("HASP621", map.range, `${entry.key} cannot be ${describe(map)}.`, EXAMPLE);
    return {};
  }
  const rule =
    least === 0
      ? "Write a number from 0 to 1,000,000."
      : "Write a number whose size is at most 1,000,000; a penalty is negative.";
  const found: Partial<Record<Name, number>> = {};
  for (const one of map.entries.values()) {
    const name = names.find((known) => known === one.key);
    const given = one.value.kind === "scalar" ? one.value.value : undefined;
    if (name === undefined) unknown(one.key, one, names, report);
    else if (typeof given === "number" && given >= least && Math.abs(given) <= LARGEST) found[name] = given;
    else report.error("HASP621", one.value.range, `${name} cannot be ${describe(one.value)}.`, rule);
  }
  return found;
}

function readDropped(entry: YamlEntry | undefined, report: Report): readonly SignalPart[] {
  if (entry === undefined) return [];
  const { value } = entry;
  if (value.kind === "scalar" && value.value === null) return [];
  const items = value.kind === "list" ? value.items : [value];
  return items.flatMap((item) => {
    const word = item.kind === "scalar" ? String(item.value) : "";
    const part = PARTS.find((one) => one === word);
    if (part !== undefined) return part;
    unknown(word, { keyRange: item.range }, PARTS, report);
    return [];
  });
}

function rootOf(text: string, report: Report): YamlMap | undefined {
  const { root, problems } = readYaml(text, report.source, 0);
  for (const { message, range } of problems)
    report.error("HASP621", range, `These weights cannot be read: ${message}.`, EXAMPLE);
  if (root?.kind === "map") return root;
  if (problems.length === 0)
    report.error("HASP621", report.source.firstLine(), "The file holds no weights.", EXAMPLE);
  return undefined;
}

/** Weights of which some family that is not dropped counts; else no value (HASP622). */
export function checkedWeights(weights: SignalWeights, report: Report): Checked<SignalWeights> {
  const { diagnostics } = report;
  if (diagnostics.some(({ severity }) => severity === "error")) return { value: undefined, diagnostics };
  const by = familyWeights(weights);
  if (FAMILIES.some((family) => by[family] > 0)) return { value: weights, diagnostics };
  report.error(
    "HASP622",
    report.source.firstLine(),
    "No signal is left: every family is dropped or has the weight 0.",
    "Keep at least one family with a weight over 0.",
  );
  return { value: undefined, diagnostics };
}

/**
 * Weights of signals from a YAML or JSON file: `families`, `slots` and `drop`, all optional; the rest is as in the paper. Families are
 * scaled to a sum of 1. No value for a misspelt key (HASP620), a value that is no number (HASP621), or weights that leave no
 * signal (HASP622). `dropped` adds parts to those of the file.
 */
export function readWeights(
  text: string,
  file: string,
  dropped: readonly SignalPart[] = [],
): Checked<SignalWeights> {
  const report = reportOn(file, sourceText(text));
  const root = rootOf(text, report);
  if (root === undefined) return { value: undefined, diagnostics: report.diagnostics };
  for (const entry of root.entries.values())
    if (!KEYS.some((key) => key === entry.key)) unknown(entry.key, entry, KEYS, report);
  const { families, slots } = DEFAULT_WEIGHTS;
  const weights: SignalWeights = {
    families: {
      ...families,
      ...readNumbers(root.entries.get("families"), FAMILIES, 0, report),
    } satisfies FamilyNumbers,
    slots: {
      ...slots,
      ...readNumbers(root.entries.get("slots"), SLOTS, -Infinity, report),
    } satisfies SlotNumbers,
    dropped: [...new Set([...readDropped(root.entries.get("drop"), report), ...dropped])],
  };
  return checkedWeights(weights, report);
}

/** The weights of the paper without these families and slots, as a person names them; no value for an unknown name (HASP620). */
export function weightsWithout(names: readonly string[]): Checked<SignalWeights> {
  const report = reportOn("--drop", sourceText(names.join(" ")));
  const dropped = names.flatMap((name) => {
    const part = PARTS.find((one) => one === name);
    if (part !== undefined) return part;
    unknown(name, { keyRange: report.source.firstLine() }, PARTS, report);
    return [];
  });
  return checkedWeights({ ...DEFAULT_WEIGHTS, dropped }, report);
}
