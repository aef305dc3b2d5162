import { describe, expect, it } from "vitest";
import { decisionsOf } from "../../../src/cli/evolve-order.ts";

describe("mode, gate and worth of a command line", () => {
  it.each([
    [{}, { mode: "full", gate: "strict", worth: true }],
    [{ mode: "lite" }, { mode: "lite", gate: "exec-only", worth: true }],
    [
      { mode: "lite", gate: "none" },
      { mode: "lite", gate: "none", worth: false },
    ],
    // Named, it is refused as a contradiction (HASP673), not replaced in silence.
    [
      { mode: "lite", gate: "strict" },
      { mode: "lite", gate: "strict", worth: true },
    ],
    [{ preset: "e4" }, { mode: "full", gate: "strict", worth: false }],
  ] as const)("%j gives %j", (options, decisions) => {
    expect(decisionsOf(options)).toEqual(decisions);
  });
});
