import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { stateFolder } from "./user-folders.ts";

/** One yes of a person: files may be written through this link, as long as it leads there. */
export interface AllowedLink {
  /** Absolute, without links on the way to it. */
  readonly link: string;
  /** Where it led when the person said yes: absolute, without links. */
  readonly target: string;
  /** ISO 8601. */
  readonly at: string;
}

const SCHEMA = "hasp.allowed-links/1";

/** `links.json` of this user. */
export const allowedLinksFile = (): string => path.join(stateFolder(), "links.json");

function isLink(value: unknown): value is AllowedLink {
  if (typeof value !== "object" || value === null) return false;
  const { link, target, at } = value as Record<string, unknown>;
  return [link, target, at].every((one) => typeof one === "string");
}

/** Nothing where the file is missing or is none of ours: then nothing is allowed. */
export function allowedLinks(file = allowedLinksFile()): readonly AllowedLink[] {
  try {
    const value = JSON.parse(fs.readFileSync(file, "utf8")) as { readonly links?: unknown };
    return Array.isArray(value.links) ? value.links.filter(isLink) : [];
  } catch {
    return [];
  }
}

function write(links: readonly AllowedLink[], file: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomUUID().slice(0, 8)}.tmp`;
  fs.writeFileSync(temporary, `${JSON.stringify({ schema: SCHEMA, links }, undefined, 2)}\n`, {
    mode: 0o600,
  });
  fs.renameSync(temporary, file);
}

/** A link as it is kept: no link on the way to it. */
export function canonicalLink(given: string): string {
  const absolute = path.resolve(given);
  return path.join(fs.realpathSync(path.dirname(absolute)), path.basename(absolute));
}

/** Keeps a yes. Rejects where nothing is there, or what is there is no link. */
export function allowLink(given: string, at: string, file = allowedLinksFile()): AllowedLink {
  const link = canonicalLink(given);
  if (!fs.lstatSync(link).isSymbolicLink()) throw new Error(`${link} is no link.`);
  const allowed = { link, target: fs.realpathSync(link), at };
  write([...allowedLinks(file).filter((one) => one.link !== link), allowed], file);
  return allowed;
}

/** Takes a yes back. False where there was none. */
export function forgetLink(given: string, file = allowedLinksFile()): boolean {
  const absolute = path.resolve(given);
  const before = allowedLinks(file);
  const after = before.filter(({ link }) => link !== absolute && link !== safeCanonical(absolute));
  if (after.length === before.length) return false;
  write(after, file);
  return true;
}

function safeCanonical(given: string): string | undefined {
  try {
    return canonicalLink(given);
  } catch {
    return undefined;
  }
}
