import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { StudentKey } from "../jobs/ports.ts";
import { STUDENT_ADDRESS, STUDENT_KEY_FILE } from "../model/job.ts";
import type { ServedKey } from "../llm/keys.ts";
import type { Variables } from "./surroundings.ts";

/** A file without a key is none of ours, and nothing of it is sent. */
const KEY = /^[0-9a-f]{64}$/;
const KEY_BYTES = 64;

/** A new secret for a served student. */
export const newKey = (): string => randomBytes(32).toString("hex");

/** A new key, and its file in a temporary folder of this user alone. */
export function newStudentKey(): StudentKey {
  const value = newKey();
  const folder = fs.mkdtempSync(path.join(path.resolve(os.tmpdir()), "hasp-key-"));
  const file = path.join(folder, "key");
  fs.writeFileSync(file, value, { flag: "wx", mode: 0o600 });
  return { value, file, remove: () => fs.rmSync(folder, { recursive: true, force: true }) };
}

function keyIn(file: string): string | undefined {
  try {
    const found = fs.statSync(file);
    const isKey = found.isFile() && found.size === KEY_BYTES;
    return isKey ? KEY.exec(fs.readFileSync(file, "utf8"))?.[0] : undefined;
  } catch {
    return undefined;
  }
}

/** The student of the job that these variables belong to; undefined outside of one, and where its key is gone. */
export function studentOfJob(variables: Variables): ServedKey | undefined {
  const { [STUDENT_ADDRESS]: address, [STUDENT_KEY_FILE]: file } = variables;
  const key = address === undefined || file === undefined ? undefined : keyIn(file);
  return address === undefined || key === undefined ? undefined : { address, key };
}
