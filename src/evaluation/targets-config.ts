import { TARGET_NAME, targetSchema, type NamedTarget } from "../model/target.ts";
import { describe } from "../skill/fields.ts";
import type { Report } from "../skill/report.ts";
import { didYouMean } from "../skill/suggest.ts";
import { jsonOf, recordOf } from "../skill/yaml-json.ts";
import type { YamlEntry, YamlMap } from "../skill/yaml-tree.ts";
import { keysOf, TARGETS } from "./config-keys.ts";
import { groupAt } from "./control-config.ts";

const NEXT = "docs/jobs.md lists the keys of a target.";

/** Reports what is wrong with the keys of a target; whether something is. */
function refuseKeys(name: string, map: YamlMap, report: Report): boolean {
  const known = keysOf(TARGETS).map((key) => key.name);
  const unknown = [...map.entries.values()].filter(({ key }) => !known.includes(key));
  for (const { key, keyRange } of unknown)
    report.error(
      "HASP413",
      keyRange,
      `"${`${TARGETS}.${name}.${key}`.slice(0, 80)}" is no key of hasp.yaml and is not read.`,
      didYouMean(key, known),
    );
  return unknown.length > 0;
}

function readTarget({ key: name, keyRange, value }: YamlEntry, report: Report): NamedTarget | undefined {
  const refuse = (message: string, next: string, range = keyRange): undefined =>
    report.error("HASP796", range, `The target ${name}: ${message}.`, next) as undefined;
  if (!TARGET_NAME.test(name))
    return refuse("its name has other characters than letters, digits, `.`, `-` and `_`", "Rename it.");
  if (value.kind !== "map") return refuse(`it must be a mapping, not ${describe(value)}`, NEXT, value.range);
  if (refuseKeys(name, value, report)) return undefined;
  const read = targetSchema.safeParse(recordOf(value));
  for (const { path, message } of read.error?.issues ?? []) {
    const [key = ""] = path.map(String);
    const at = value.entries.get(key);
    const given = at === undefined ? "" : `, not ${JSON.stringify(jsonOf(at.value)).slice(0, 60)}`;
    refuse(`${key === "" ? "it" : key}: ${message}${given}`, NEXT, at?.value.range);
  }
  if (!read.success) return undefined;
  if (read.data.kind === "ssh" && read.data.host === undefined)
    return refuse("a target of the kind `ssh` needs a `host`", "Add `host:` as `ssh` takes it.");
  return { name, target: read.data };
}

/** Reads the group `targets`. A target that cannot be used is reported and left out. */
export function readTargetGroups(root: YamlMap, report: Report): readonly NamedTarget[] {
  const entries = groupAt(root, TARGETS, report)?.entries.values() ?? [];
  return [...entries].flatMap((entry) => readTarget(entry, report) ?? []);
}
