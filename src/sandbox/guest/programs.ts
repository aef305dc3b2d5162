import type { PfTraits } from "../../model/skill.ts";
import type { Fault } from "../wire.ts";
import { deepFreeze, isObject } from "./data.ts";
import { PfMistake, describe } from "./fault.ts";
import { ProgramFunction } from "./hasp-module.ts";

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

/** A PF's method. Throws PfMistake where there is none. */
export function method(pf: Instance, name: "shouldActivate" | "intervene"): (...args: unknown[]) => unknown {
  const found = pf[name];
  if (typeof found !== "function") throw new PfMistake(`The class has no method ${name}.`);
  return (...args) => Reflect.apply(found, pf, args);
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
  return { needsTeacher, maxFires };
}

function loadClass(skillId: string, exported: unknown): LoadedProgram {
  if (!isPfClass(exported)) {
    throw new PfMistake('The default export must be a class that extends ProgramFunction of "hasp".');
  }
  freezeClass(exported);
  const create = (): Instance => deepFreeze(new exported());
  const sample = create();
  method(sample, "shouldActivate");
  method(sample, "intervene");
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
