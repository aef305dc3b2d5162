import fs from "node:fs";
import type { JobLog } from "../jobs/run-job.ts";
import type { Redactor } from "../llm/redact.ts";
import { APPEND_FLAGS, checkOwnFile, writePath } from "./write-path.ts";
import { asFileError } from "./file-error.ts";

/**
 * A log whose secrets are hidden. What a full disk does not take is left out: the job continues without it, and says in its log that
 * lines are missing as soon as it can.
 */
export function openJobLog(path: string, { redact, learn }: Pick<Redactor, "redact" | "learn">): JobLog {
  const file = opened(path);
  let lost = 0;
  const append = (text: string): void => {
    const bytes = Buffer.from(text, "utf8");
    for (let at = 0; at < bytes.length;) at += fs.writeSync(file, bytes, at);
  };
  return {
    write(text) {
      const clean = redact(text);
      try {
        if (lost > 0) append(`\n[${lost} bytes are missing: the disk was full]\n`);
        lost = 0;
        append(clean);
      } catch {
        lost += Buffer.byteLength(clean);
      }
      return clean;
    },
    hide: learn,
    close() {
      try {
        fs.fsyncSync(file);
      } catch {
        // Its lines are as safe as the disk makes them.
      }
      fs.closeSync(file);
    },
  };
}

function opened(path: string): number {
  try {
    const file = fs.openSync(writePath(path), APPEND_FLAGS);
    checkOwnFile(path, fs.fstatSync(file));
    return file;
  } catch (error) {
    throw asFileError(error, path, "written");
  }
}
