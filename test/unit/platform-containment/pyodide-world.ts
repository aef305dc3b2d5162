import path from "node:path";
import { afterAll, beforeAll } from "vitest";
import { openBubblewrap } from "../../../src/platform/containment/bubblewrap.ts";
import type { ContainedLimits, ContainedProgram, Containment } from "../../../src/scoring/containment.ts";
import { isContainment } from "../../../src/scoring/containment.ts";
import { ROOT } from "../../support/core.ts";
import { openPyodideFor } from "../../support/open-pyodide.ts";

export const LIMITS: ContainedLimits = { wallMs: 60_000, memoryBytes: 256 << 20, outputBytes: 1 << 20 };
const NEVER = new AbortController().signal;

/** Milliseconds for what starts interpreters, on a machine with other work. */
export const PATIENCE = 120_000;

type End = Awaited<ContainedProgram["ended"]>;

/** A program that ran, with the lines of its results. */
export type Ran = End & { readonly results: readonly string[] };

export async function run(
  containment: Containment,
  program: string,
  input = "",
  limits: Partial<ContainedLimits> = {},
): Promise<Ran> {
  const started = containment.start({ program, input, limits: { ...LIMITS, ...limits } }, NEVER);
  const results: string[] = [];
  for await (const line of started.results) results.push(line);
  return { ...(await started.ended), results };
}

async function doesBubblewrapWork(): Promise<boolean> {
  const bubblewrap = await openBubblewrap(1);
  if (isContainment(bubblewrap)) await bubblewrap.close();
  return isContainment(bubblewrap);
}

/** Where the tests of all files and runs have their snapshot, which takes seconds to make. A changed one is made again. */
const SNAPSHOTS = path.join(ROOT, "node_modules/.cache/hasp-pyodide");

/** Pyodide for the tests of one file: alone, or in Bubblewrap. `undefined`: Bubblewrap does not work here. */
export function usePyodide(form: "alone" | "in bubblewrap"): () => Containment | undefined {
  let opened: Containment | undefined;
  beforeAll(async () => {
    const one = await openPyodideFor(form === "alone" ? "pyodide" : "pyodide in bubblewrap", SNAPSHOTS, 2);
    if (one === undefined) return;
    if (isContainment(one)) opened = one;
    else if (form === "alone" || (await doesBubblewrapWork())) throw new Error(one.why);
  }, PATIENCE);
  afterAll(async () => {
    await opened?.close();
  });
  return () => opened;
}
