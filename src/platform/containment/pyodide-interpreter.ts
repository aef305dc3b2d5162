import { containedChild, pipeOf } from "./contained-child.ts";
import type { Interpreter } from "./interpreter-pool.ts";
import { startChild } from "./pyodide-child.ts";
import harness from "./pyodide-guest/harness.py?text";
import type { PyodideLaunch } from "./pyodide-launch.ts";

/** Starts an interpreter of one program, up to where it waits for its order. */
export function startPyodide(launch: PyodideLaunch): Interpreter {
  const { child, kill } = startChild(launch);
  const contained = containedChild(child, { kill, signal: () => undefined });
  return {
    ...contained,
    run({ program, input, limits }) {
      contained.begin(limits);
      pipeOf(child, 0).end(JSON.stringify({ harness, program, input }));
    },
  };
}
