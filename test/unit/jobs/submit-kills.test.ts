import { expect, it } from "vitest";
import { THOROUGH } from "../../support/thorough.ts";
import { openKillWorld } from "./kill-world.ts";

/** `submit` of several processes at once, each killed between any two of its steps, and the runners too. Thorough: HASP_KILLS multiplies the seeds. */

const SEEDS = THOROUGH ? 1_000 * Number(process.env["HASP_KILLS"] ?? 1) : 150;
const PATIENCE = 120_000;
const JOB = {
  schema: "hasp.job/1",
  id: "one",
  title: "One",
  cwd: ".",
  env: {},
  passEnv: [],
  commands: [
    { program: "hasp", args: [], about: "First." },
    { program: "hasp", args: [], about: "Second." },
  ],
};

/** Submits three times while processes are killed, then once in peace. */
async function played(seed: number, chance: { readonly submitter: number; readonly runner: number }) {
  const world = openKillWorld(seed, JOB);
  for (let i = 0; i < 3; i++) world.submit();
  await world.run(chance);
  world.submit();
  await world.run({ submitter: 0, runner: 0 });
  const lines = world.stateLines();
  const begun = lines.filter(({ kind }) => kind === "attempt").map(({ attempt }) => attempt);
  const ends = lines.filter(({ kind }) => kind === "end").map(({ status }) => status);
  // Whoever submits hears of runners that are killed one after the other.
  const isSilent = (error: unknown): boolean => String(error).endsWith("it ended without a word.");
  const failures = world.failures.filter((error) => chance.runner === 0 || !isSilent(error));
  return {
    faults: world.faults,
    failures,
    begun,
    succeeded: ends.filter((end) => end === "succeeded").length,
  };
}

it(
  "however submitters are killed, one attempt begins, and the job succeeds once",
  async () => {
    for (let seed = 0; seed < SEEDS; seed++) {
      const end = await played(seed, { submitter: 0.05, runner: 0 });
      expect({ seed, ...end }).toEqual({ seed, faults: [], failures: [], begun: [1], succeeded: 1 });
    }
  },
  PATIENCE,
);

it(
  "however runners are killed too, no two commands run at once, no attempt begins twice, and the job succeeds once",
  async () => {
    let most = 0;
    for (let seed = 0; seed < SEEDS; seed++) {
      const { begun, ...rest } = await played(seed, { submitter: 0.03, runner: 0.03 });
      expect({ seed, ...rest }).toEqual({ seed, faults: [], failures: [], succeeded: 1 });
      expect(begun).toEqual(begun.map((_, i) => i + 1));
      most = Math.max(most, begun.length);
    }
    // The seeds must reach what this is about.
    expect(most).toBeGreaterThan(1);
  },
  PATIENCE,
);
