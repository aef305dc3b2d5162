import { AsyncLocalStorage } from "node:async_hooks";
import os from "node:os";
import path from "node:path";
import process from "node:process";

/** Variables of an environment. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The folder that relative paths start from, and the variables: what every process has once, and a command line once for itself. */
export interface Surroundings {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Variables;
}

/**
 * Every file that is written depends on them, deep below each port (write-path.ts): handed from function to function they would be in all
 * signatures. Several command lines can run in one process, each in its own.
 */
const own = new AsyncLocalStorage<Surroundings>();

/** Runs work in surroundings of its own. Outside of it, those of the process hold. */
export const inSurroundings = <T>(surroundings: Surroundings, work: () => T): T =>
  own.run(surroundings, work);

/** The variables of the current surroundings. */
export const variables = (): Variables => own.getStore()?.env ?? process.env;

/** The current folder; undefined if it was removed. */
export function currentFolder(): string | undefined {
  const { cwd } = own.getStore() ?? {};
  if (cwd !== undefined) return cwd;
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** A path as Node takes it: as it was given, or from the folder of these surroundings. */
export function fromHere(given: string): string {
  const { cwd } = own.getStore() ?? {};
  return cwd === undefined ? given : path.resolve(cwd, given);
}

/** The absolute path. */
export const absolute = (given: string): string => path.resolve(fromHere(given));

/** The home folder of the user. */
export const homeFolder = (): string => own.getStore()?.env["HOME"] ?? os.homedir();
