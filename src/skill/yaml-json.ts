import type { Json } from "../model/step-context.ts";
import type { YamlMap, YamlValue } from "./yaml-tree.ts";

/** A YAML value without its places. */
export function jsonOf(value: YamlValue): Json {
  if (value.kind === "scalar") return value.value;
  return value.kind === "list" ? value.items.map(jsonOf) : recordOf(value);
}

export function recordOf(map: YamlMap): { [key: string]: Json } {
  return Object.fromEntries([...map.entries.values()].map((entry) => [entry.key, jsonOf(entry.value)]));
}
