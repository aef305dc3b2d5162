import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";

/** One yes of a person: to this content of a workspace, then. */
export interface TrustEntry {
  /** SHA-256 of the skills and settings that it was given to (WorkspacePart.hash). */
  readonly libraryHash: string;
  /** ISO 8601. */
  readonly at: string;
}

/** Workspace path → what was trusted there. */
export type TrustFile = Readonly<Record<string, TrustEntry>>;

/** `trust.json` of this user, outside every workspace: no workspace can say yes to itself. */
export function trustFile(): string {
  const base = process.env["XDG_CONFIG_HOME"];
  const config = base !== undefined && path.isAbsolute(base) ? base : path.join(os.homedir(), ".config");
  return path.join(config, "hasp", "trust.json");
}

function isEntry(value: unknown): value is TrustEntry {
  return (
    typeof value === "object" &&
    value !== null &&
    "libraryHash" in value &&
    typeof value.libraryHash === "string"
  );
}

/** What was trusted; nothing where the file is missing or is none. */
export function readTrust(file = trustFile()): TrustFile {
  try {
    const value: unknown = JSON.parse(fs.readFileSync(file, "utf8"));
    if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
    return Object.fromEntries(
      Object.entries(value).filter((pair): pair is [string, TrustEntry] => isEntry(pair[1])),
    );
  } catch {
    return {};
  }
}

function pathOf(root: string): string {
  try {
    return fs.realpathSync(root);
  } catch {
    return path.resolve(root);
  }
}

/** Whether a person said yes to exactly this content of this workspace. */
export function isTrusted(root: string, libraryHash: string, file = trustFile()): boolean {
  const trust = readTrust(file);
  const real = pathOf(root);
  return Object.hasOwn(trust, real) && trust[real]?.libraryHash === libraryHash;
}

/** Keeps a yes, in place of an earlier one for this workspace; with no hash, takes it back. */
export function writeTrust(
  root: string,
  libraryHash: string | undefined,
  at: string,
  file = trustFile(),
): void {
  const { [pathOf(root)]: _before, ...others } = readTrust(file);
  const next = libraryHash === undefined ? others : { ...others, [pathOf(root)]: { libraryHash, at } };
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomUUID().slice(0, 8)}.tmp`;
  fs.writeFileSync(temporary, `${JSON.stringify(next, undefined, 2)}\n`, { mode: 0o600 });
  fs.renameSync(temporary, file);
}
