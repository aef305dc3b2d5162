import { FINAL } from "../../model/action-types.ts";
import type { PfTraits } from "../../model/skill.ts";
import type { Fault } from "../wire.ts";
import { deepFreeze, isObject } from "./data.ts";
import { PfMistake, describe } from "./fault.ts";
import { NOTHING, ProgramFunction } from "./hasp-module.ts";

/** A PF as its class: an instance lives for one call, so that nothing can be kept in it. */
export interface LoadedProgram {
  readonly skillId: string;
  readonly traits: PfTraits;
  create(): Instance;
}

/** What a PF's instance offers. Nothing about the types is certain. */
export interface Instance {
  readonly needsTeacher?: unknown;
  readonly maxFires?: unknown;
  readonly after?: unknown;
  readonly vote?: unknown;
  readonly shouldActivate?: unknown;
  readonly intervene?: unknown;
}

type PfClass = new () => Instance;

function isPfClass(value: unknown): value is PfClass {
  return (
    typeof value === "function" && isObject(value.prototype) && value.prototype instanceof ProgramFunction
  );
}

function freezeClass(pf: PfClass): void {
  for (
    let at: unknown = pf;
    isObject(at) && at !== ProgramFunction && !Object.isFrozen(at);
    at = Object.getPrototypeOf(at)
  ) {
    deepFreeze(at);
  }
}

type Method = "shouldActivate" | "intervene" | "vote";

function methodOf(pf: Instance, name: Method): (...args: never[]) => unknown {
  const found = pf[name];
  if (typeof found !== "function") throw new PfMistake(`The class has no method ${name}.`);
  return found as (...args: never[]) => unknown;
}

/** Calls a PF's method. Throws PfMistake where there is none. */
export function call(pf: Instance, name: Method, args: readonly unknown[]): unknown {
  return Reflect.apply(methodOf(pf, name), pf, args);
}

function readAfter(after: unknown): string[] {
  if (!Array.isArray(after) || !after.every((type) => typeof type === "string"))
    throw new PfMistake('after must be a list of action types, such as ["READ"], or left out.');
  if (after.includes(FINAL))
    throw new PfMistake(
      `after must not name ${FINAL}: nothing comes after an answer that a PF could look at.`,
    );
  return [...new Set<string>(after)];
}

function readVotes(vote: unknown): boolean {
  if (vote === undefined || typeof vote === "function") return vote !== undefined;
  throw new PfMistake("vote must be a method, or left out.");
}

function readTraits(pf: Instance): PfTraits {
  const { needsTeacher, maxFires } = pf;
  if (typeof needsTeacher !== "boolean") throw new PfMistake("needsTeacher must be true or false.");
  if (
    maxFires !== undefined &&
    !(typeof maxFires === "number" && Number.isInteger(maxFires) && maxFires >= 1)
  ) {
    throw new PfMistake("maxFires must be a whole number from 1, or left out.");
  }
  return { needsTeacher, maxFires, after: readAfter(pf.after), votes: readVotes(pf.vote) };
}

/** Its own fields hold nothing that could be changed, so that freezing the instance itself is enough. */
function isFlat(sample: Instance): boolean {
  return Reflect.ownKeys(sample).every((key) => {
    const property = Reflect.getOwnPropertyDescriptor(sample, key);
    if (property === undefined || !("value" in property)) return false;
    return !isObject(property.value) || property.value === NOTHING;
  });
}

function loadClass(skillId: string, exported: unknown): LoadedProgram {
  if (!isPfClass(exported)) {
    throw new PfMistake('The default export must be a class that extends ProgramFunction of "hasp".');
  }
  freezeClass(exported);
  const sample = deepFreeze(new exported());
  methodOf(sample, "shouldActivate");
  methodOf(sample, "intervene");
  // One is made for every PF and step: a walk through its fields each time would cost more than most PFs do.
  const create = isFlat(sample) ? () => Object.freeze(new exported()) : () => deepFreeze(new exported());
  return { skillId, traits: readTraits(sample), create };
}

const programs = new Map<string, LoadedProgram>();

/** Takes in a PF's module, or says what is wrong with it. Replaces a program of the same id. */
export function register(
  skillId: string,
  namespace: { default?: unknown },
): { traits: PfTraits } | { fault: Fault } {
  try {
    const program = loadClass(skillId, namespace.default);
    programs.set(skillId, program);
    return { traits: program.traits };
  } catch (thrown) {
    return { fault: describe(thrown, skillId) };
  }
}

export function programOf(skillId: string): LoadedProgram {
  const program = programs.get(skillId);
  if (program === undefined) throw new Error(`The PF ${skillId} is not loaded.`);
  return program;
}
