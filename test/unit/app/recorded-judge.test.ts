import { expect, it } from "vitest";
import { openRunAt } from "../../../src/app/open-run.ts";
import { judgeOfBoth } from "../../../src/app/recorded-judge.ts";
import type { OpenedRunFolder } from "../../../src/trace/run-folder.ts";
import { encodeEpisode } from "../../../src/trace/episode-file.ts";
import { runPaths } from "../../../src/trace/run-paths.ts";
import { episode, files, temporaryFolder } from "../trace/support.ts";

/** A run whose only episode has a verdict of each judge. */
async function judgedRun(...judges: readonly string[]): Promise<OpenedRunFolder> {
  const folder = temporaryFolder();
  const verdicts = judges.map((judge) => ({ judge, score: 1, passed: true }));
  await files.append(runPaths(folder).episodes, encodeEpisode(episode("a", { answer: "x", verdicts })));
  const { value } = await openRunAt(files, folder);
  if (value === undefined) throw new Error("no run");
  return value;
}

const services = { files, signal: new AbortController().signal };

it.each([
  ["f1>=0.5", "f1>=0.5"],
  ["f1", "f1>=0.5"],
  ["f1:0.55", "f1>=0.55"],
  ["mbe", "mbe-1 m"],
])("the judge of two runs is named as %j", async (wanted, name) => {
  const judges = ["exact_match", "f1>=0.5", "f1>=0.55", "mbe-1 m"];
  const runs = [await judgedRun(...judges), await judgedRun(...judges)] as const;
  expect((await judgeOfBoth(wanted, runs, services)).value).toBe(name);
});

it("a judge of the first run is no other judge of the second, however alike their names are", async () => {
  const runs = [await judgedRun("f1>=0.5"), await judgedRun("f1>=0.55")] as const;
  const { value, diagnostics } = await judgeOfBoth("f1", runs, services);
  expect(value).toBeUndefined();
  expect(diagnostics).toMatchObject([
    { code: "HASP597", message: expect.stringContaining('has no verdict of "f1>=0.5"') as string },
  ]);
});

it("what may be several judges, or is nothing, names none", async () => {
  const run = await judgedRun("f1>=0.5", "f1>=0.55");
  for (const wanted of ["0.", ""]) {
    const { value, diagnostics } = await judgeOfBoth(wanted, [run, run], services);
    expect([value, diagnostics[0]?.code]).toEqual([undefined, "HASP597"]);
  }
  const one = await judgedRun("exact_match");
  expect((await judgeOfBoth("", [one, one], services)).value).toBeUndefined();
});
