import { describe } from "../skill/fields.ts";
import type { Report } from "../skill/report.ts";
import { didYouMean } from "../skill/suggest.ts";
import type { YamlEntry, YamlMap } from "../skill/yaml-tree.ts";
import { keysOf, type ConfigKey } from "./config-keys.ts";
import { groupAt, refuseKey, scalarAt } from "./control-config.ts";
import { HOOK_DEFAULTS, HOOK_KEYS, type HookSettings } from "./hook-settings.ts";

const GROUP = "hook";

function wordOf(entry: YamlEntry, words: readonly string[], report: Report): string | undefined {
  const { value } = entry;
  const text = value.kind === "scalar" && typeof value.value === "string" ? value.value : undefined;
  if (text !== undefined && words.includes(text)) return text;
  const what = text === undefined ? describe(value) : JSON.stringify(text.slice(0, 60));
  const code = text === undefined ? "HASP412" : "HASP419";
  report.error(code, value.range, `${entry.key} cannot be ${what}.`, didYouMean(text ?? "", words));
  return undefined;
}

function valueOf(entry: YamlEntry, { shape }: ConfigKey, report: Report): unknown {
  if (shape.kind === "choice")
    return wordOf(
      entry,
      shape.values.map(({ text }) => text),
      report,
    );
  return shape.kind === "flag" || shape.kind === "number" ? scalarAt(entry, shape, report) : undefined;
}

/** Reads the group `hook`: how `hasp hook` answers. What cannot be used is reported and left as it was. */
export function readHook(root: YamlMap, report: Report): HookSettings {
  const given: Record<string, unknown> = {};
  const keys = keysOf(GROUP);
  for (const entry of groupAt(root, GROUP, report)?.entries.values() ?? []) {
    const key = keys.find(({ name }) => name === entry.key);
    const value = key === undefined ? undefined : valueOf(entry, key, report);
    if (key === undefined) refuseKey(entry, GROUP, report);
    else if (value !== undefined) given[HOOK_KEYS[entry.key as keyof typeof HOOK_KEYS]] = value;
  }
  return { ...HOOK_DEFAULTS, ...given };
}
