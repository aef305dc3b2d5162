import { createHash } from "node:crypto";
import path from "node:path";
import type { Target } from "../../model/target.ts";
import { parseJson } from "../../model/read-json.ts";
import { makeFolderSync, readTextSync, replaceSync } from "../sync-files.ts";
import { configFolder } from "../user-folders.ts";

/** Targets that a person said yes to, outside every workspace: no workspace can say yes to itself. */
const consentFile = (): string => path.join(configFolder(), "targets.json");

/** A target by all that decides what is started, and where. */
const hashOf = (target: Target): string =>
  createHash("sha256")
    .update(JSON.stringify(Object.entries(target).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    .digest("hex");

function readAllowed(file: string): readonly string[] {
  const value = parseJson(readTextSync(file) ?? "");
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}

/** Whether a person has allowed jobs on this very target. */
export const isTargetAllowed = (target: Target, file = consentFile()): boolean =>
  readAllowed(file).includes(hashOf(target));

/** Keeps a person's yes to a target. Throws where the file cannot be written. */
export function allowTarget(target: Target, file = consentFile()): void {
  if (isTargetAllowed(target, file)) return;
  makeFolderSync(path.dirname(file));
  replaceSync(file, `${JSON.stringify([...readAllowed(file), hashOf(target)], null, 2)}\n`);
}
