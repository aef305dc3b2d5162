import type { Fact } from "../model/facts.ts";
import { refusedVariables, unusualVariables } from "../model/job-variables.ts";
import type { JobSpec } from "../model/job.ts";
import type { WorkspaceOrder } from "../model/own-records.ts";
import { resourceWords } from "../model/job-words.ts";
import { jobPaths, type JobText } from "./job-folder.ts";

/** All that a job does with this machine or its target. `line`: a command as a person types it. */
export function jobFacts(spec: JobSpec, line: (words: readonly string[]) => string): readonly Fact[] {
  const { serve, env, passEnv, commands, tasks, resources = {} } = spec;
  const unusual = new Set(unusualVariables(spec));
  return [
    ["job", spec.title],
    ["runs in", spec.cwd],
    ...commands.map(({ program, args }): Fact => ["command", line([program, ...args])]),
    ...(serve === undefined
      ? []
      : [["serves", [serve.model, serve.adapter].filter(Boolean).join(" with ")] as const]),
    ...(tasks === undefined ? [] : [["tasks", String(tasks)] as const]),
    ...(spec.after ?? []).map((id): Fact => ["after", id]),
    ["asks for", resourceWords(resources) || "the defaults of the machine"],
    ...Object.entries(env).map(([name, value]): Fact => ["variable", `${name}=${value}`]),
    ...passEnv.map((name): Fact => [unusual.has(name) ? "variable" : "key", `${name}, where it is set`]),
    ...(spec.inputs ?? []).map((name): Fact => ["reads", name]),
    ...(spec.models ?? []).map((name): Fact => ["model", `${name}, from the hub`]),
    ...(spec.outputs ?? []).map((name): Fact => ["writes", name]),
  ];
}

/** Why nobody may allow a job of a stranger; undefined where a person may. */
function refusedFact(spec: JobSpec): string | undefined {
  const names = refusedVariables(spec);
  return names.length === 0
    ? undefined
    : `It sets variables that decide which code runs: ${names.join(", ")}.`;
}

/** The order of a job by its folder. `line`: as for `jobFacts`. */
export const jobOrder = (
  folder: string,
  { spec, text }: JobText,
  line: Parameters<typeof jobFacts>[1],
): WorkspaceOrder => ({
  name: `job ${spec.id}`,
  file: jobPaths(folder).job,
  text,
  facts: jobFacts(spec, line),
  refused: refusedFact(spec),
});
