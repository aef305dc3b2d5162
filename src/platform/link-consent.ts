import fs from "node:fs";
import path from "node:path";
import { allowedLinks, allowedLinksFile, type AllowedLink } from "./allowed-links.ts";
import { FileError } from "./file-error.ts";
import { absolute, fromHere } from "./surroundings.ts";
import { makeFolderSync, replaceSync } from "./sync-files.ts";

const SCHEMA = "hasp.allowed-links/1";

function write(links: readonly AllowedLink[], file: string): void {
  makeFolderSync(path.dirname(file));
  replaceSync(file, `${JSON.stringify({ schema: SCHEMA, links }, undefined, 2)}\n`);
}

/** A link as it is kept: no link on the way to it. */
export function canonicalLink(given: string): string {
  const link = absolute(given);
  return path.join(fs.realpathSync(path.dirname(link)), path.basename(link));
}

/** The link with the target it has now. Throws FileError where `given` is no link, or leads to nothing. */
export function linkAt(given: string): Pick<AllowedLink, "link" | "target"> {
  const isLink = fs.lstatSync(fromHere(given), { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (!isLink)
    throw new FileError(`${given} is no link.`, {
      file: given,
      next: "Name the link itself: the message that refused to write names it.",
    });
  try {
    return { link: canonicalLink(given), target: fs.realpathSync(fromHere(given)) };
  } catch (cause) {
    const next = "Make its target, or remove the link.";
    throw new FileError(`${given} is a link that leads to nothing.`, { file: given, next, cause });
  }
}

/** Keeps a yes to a link that `linkAt` found, with the target that the person saw, in place of an earlier one. `at`: ISO 8601. */
export function allowLink(
  { link, target }: Pick<AllowedLink, "link" | "target">,
  at: string,
  file = allowedLinksFile(),
): void {
  write([...allowedLinks(file).filter((one) => one.link !== link), { link, target, at }], file);
}

/** Removes a yes. False where there was none. */
export function forgetLink(given: string, file = allowedLinksFile()): boolean {
  const named = absolute(given);
  const before = allowedLinks(file);
  const after = before.filter(({ link }) => link !== named && link !== safeCanonical(named));
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
