import { domainOf } from "../../domains/registry.ts";
import type { Domain } from "../../domains/domain.ts";
import { START_OF_FILE, type Diagnostic } from "../../model/diagnostic.ts";
import { counted } from "../../model/counted.ts";
import type { TraceFiles } from "../../trace/ports.ts";
import { runPaths } from "../../trace/run-paths.ts";
import { readEpisode } from "../../trace/episode-file.ts";
import { refuse } from "../refusal.ts";
import type { TrainRun } from "./order.ts";

/** The domain of a run: that of its `run.json`, else of its first episode. */
export async function domainNameOf(
  { about, index }: TrainRun,
  files: TraceFiles,
): Promise<string | undefined> {
  if (about !== undefined) return about.domain;
  if (index.entries.length === 0) return undefined;
  return (await readEpisode(files, index, 0)).value?.facts.domain;
}

/** A run that is under way or was killed: its unfinished episodes are no rows yet. */
async function unfinished({ run, folder }: TrainRun, files: TraceFiles): Promise<readonly Diagnostic[]> {
  const { live } = runPaths(folder);
  const names = (await files.list(live)).filter((name) => name.endsWith(".jsonl"));
  if (names.length === 0) return [];
  return [
    {
      code: "HASP624",
      severity: "warning",
      message: `${run} is half written: ${counted(names.length, "episode")} in ${live} did not end, and ${names.length === 1 ? "is" : "are"} left out.`,
      next: "Wait until the run has ended, or finish it with `hasp run --resume`; then build the data anew.",
      file: `${live}/${names[0]}`,
      range: START_OF_FILE,
    },
  ];
}

/** The domain of these runs. Refuses runs of several domains (HASP625); adds HASP624 for a run that is half written. */
export async function checkRuns(
  runs: readonly TrainRun[],
  files: TraceFiles,
  found: Diagnostic[],
): Promise<{ readonly name: string; readonly domain: Domain | undefined }> {
  const domains = new Map<string, string>();
  for (const run of runs) {
    const name = await domainNameOf(run, files);
    if (name !== undefined) domains.set(run.run, name);
    found.push(...run.diagnostics, ...(await unfinished(run, files)));
  }
  const names = [...new Set(domains.values())];
  if (names.length > 1) {
    const which = [...domains].map(([run, name]) => `${run} (${name})`).join(", ");
    const [other] = [...domains].find(([, name]) => name !== names[0]) ?? [];
    const folder = runs.find(({ run }) => run === other)?.folder;
    refuse(
      "HASP625",
      `These runs are of different domains: ${which}.`,
      "Build a folder of training data for each domain: their actions and prompts differ.",
      folder && runPaths(folder).run,
    );
  }
  const name = names[0] ?? "";
  return { name, domain: domainOf(name) };
}
