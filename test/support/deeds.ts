import { writeFile } from "node:fs/promises";

/** The end of a sitting that is killed: from then on none of its deeds comes to pass, also none that would tidy up. */
export class Killed extends Error {}

/** A moment at which a sitting may be killed: just before a deed, or when it was done and nobody has heard of it. */
export interface Boundary {
  readonly side: "before" | "after";
  /** The deed and what it is done to; equal deeds of several sittings have equal names. */
  readonly deed: string;
}

/** What a process does to the world outside of it, with a kill at the first boundary that `isEnd` names. */
export interface Deeds {
  readonly killedAt: Boundary | undefined;
  /** `torn`: what is left where it is killed before the deed is done, as if it had begun. */
  do<T>(deed: string, work: () => Promise<T>, torn?: () => Promise<void>): Promise<T>;
  /** For what changes nothing: a dead process reads nothing, either. */
  look<T>(work: () => Promise<T>): Promise<T>;
}

export function deedsUntil(isEnd: (boundary: Boundary) => boolean): Deeds {
  let killedAt: Boundary | undefined;
  const live = (): void => {
    if (killedAt !== undefined) throw new Killed();
  };
  return {
    get killedAt() {
      return killedAt;
    },
    async do(deed, work, torn) {
      live();
      if (isEnd({ side: "before", deed })) {
        killedAt = { side: "before", deed };
        await torn?.();
        throw new Killed();
      }
      const value = await work();
      live();
      if (isEnd({ side: "after", deed })) killedAt = { side: "after", deed };
      live();
      return value;
    },
    async look(work) {
      live();
      const value = await work();
      live();
      return value;
    },
  };
}

type Method = (...args: never[]) => Promise<unknown>;

/** Leaves a half of what was to be renamed to this path. */
async function tear(file: string): Promise<void> {
  await writeFile(`${file}.0123abcd.tmp`, "{");
}

export interface MortalOptions<Port> {
  /** Methods that are deeds, on the path that is their first argument; all others are looks. */
  readonly deeds: readonly (keyof Port & string)[];
  readonly nameOf: (path: string) => string;
  /** Whether a kill at its write leaves a temporary file beside it, by its name. */
  readonly isTorn?: (name: string) => boolean;
}

/** The port in the hands of a process that may be killed. */
export function mortal<Port extends object>(
  port: Port,
  deeds: Deeds,
  { deeds: names, nameOf, isTorn = () => false }: MortalOptions<Port>,
): Port {
  const isDeed = new Set<string>(names);
  const guarded = (method: string, work: Method): Method => {
    if (!isDeed.has(method)) return (...args) => deeds.look(() => work(...args));
    return (...args) => {
      const file = String(args[0]);
      const name = nameOf(file);
      const torn = method === "writeAtomic" && isTorn(name) ? () => tear(file) : undefined;
      return deeds.do(`${method} ${name}`, () => work(...args), torn);
    };
  };
  const entries = Object.entries(port).map(([name, method]) => [
    name,
    // Not a promise, but what an iteration begins with.
    name === "chunks" ? method : guarded(name, method as Method),
  ]);
  return Object.fromEntries(entries) as Port;
}
