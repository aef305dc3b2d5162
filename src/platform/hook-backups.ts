import fs from "node:fs";
import path from "node:path";
import { createSync, readableText } from "./sync-files.ts";

const BACKUP = ".hasp-backup-";
/** An ISO time without the characters that file names cannot have. */
const BACKUP_TIME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/;

/** Backups that are looked at: a stranger may have put any number there. */
const MOST = 50;

/** The content of a configuration file before our change, in a file beside it. */
export interface Backup {
  readonly file: string;
  readonly text: string;
}

/** The times in the names of a file's backups, the newest first. */
function timesOf(file: string): string[] {
  const folder = path.dirname(file);
  const prefix = `${path.basename(file)}${BACKUP}`;
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  const times = names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  return times
    .filter((time) => BACKUP_TIME.test(time))
    .toSorted()
    .toReversed();
}

/** When a file's backups were made, in milliseconds since 1970, the newest first. */
export function backupTimes(file: string): readonly number[] {
  return timesOf(file).map((time) => Date.parse(time.replace(/T(..)-(..)-(..)-(...)Z$/, "T$1:$2:$3.$4Z")));
}

/** The backups of a file, the newest first. What cannot be read is none of ours. */
export function backupsOf(file: string): readonly Backup[] {
  return timesOf(file)
    .slice(0, MOST)
    .flatMap((time) => {
      const backup = `${file}${BACKUP}${time}`;
      const text = readableText(backup);
      return text === undefined ? [] : [{ file: backup, text }];
    });
}

export const textsOf = (backups: readonly Backup[]): string[] => backups.map(({ text }) => text);

/** Its permissions, for what takes its place or is kept of it. */
export const modeOf = (file: string): number =>
  (fs.statSync(file, { throwIfNoEntry: false })?.mode ?? 0o644) & 0o777;

/** Keeps what stands there now, unless a backup holds it already. An earlier one is never written over. */
export function backUp(file: string, text: string, at: Date): string | undefined {
  if (textsOf(backupsOf(file)).includes(text)) return undefined;
  const time = at.toISOString().replaceAll(/[:.]/g, "-");
  const backup = `${file}${BACKUP}${time}`;
  if (!createSync(backup, text, modeOf(file))) throw new Error(`${backup} is there already.`);
  return backup;
}
