import fs from "node:fs";
import path from "node:path";
import { stateFolder } from "./user-folders.ts";

/** One yes of a person: files may be written through this link, as long as it leads there. */
export interface AllowedLink {
  /** Absolute, without links on the way to it. */
  readonly link: string;
  /** The target when the person said yes: absolute, without links. */
  readonly target: string;
  /** ISO 8601. */
  readonly at: string;
}

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
