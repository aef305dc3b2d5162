import type { Domain } from "../domains/domain.ts";
import { domainNames, domainOf, domainsThatReadGold } from "../domains/registry.ts";
import { counted } from "../model/counted.ts";
import { START_OF_FILE, type Diagnostic } from "../model/diagnostic.ts";
import type { Question } from "../harness/question.ts";
import type { Judge, JudgePorts, OpenedJudge } from "../scoring/judge.ts";
import { judgeRestBy, restBy } from "../scoring/undecided.ts";
import { readEpisodes } from "../trace/episode-file.ts";
import type { TraceFiles } from "../trace/ports.ts";
import type { OpenedRunFolder } from "../trace/run-folder.ts";
import { runPaths } from "../trace/run-paths.ts";
import { refuse } from "./refusal.ts";

/** Opens the judge of a domain. Refuses where it cannot work here (HASP547). To be closed. */
export async function openJudge(
  { name, judge }: Pick<Domain, "name" | "judge">,
  ports: JudgePorts,
): Promise<OpenedJudge> {
  try {
    return await judge.open(ports);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return refuse(
      "HASP547",
      `The judge of the domain ${name} (${judge.name}) cannot be opened: ${why}.`,
      "Fix what it needs; without it no answer has a verdict.",
    );
  }
}

/** HASP867, for what asks models before it judges, and may want to be told first. */
export function judgesNothing({ judgesNothing: told }: OpenedJudge): readonly Diagnostic[] {
  if (told === undefined) return [];
  const { why, next } = told;
  const message = `No answer of this run gets a verdict on this machine: ${why}.`;
  return [{ code: "HASP867", severity: "warning", message, next, range: START_OF_FILE }];
}

/** HASP867 on questions that a judge by material has none for; nothing where each has its own, or needs none. */
export function withoutMaterial(
  { name, judge }: Pick<Domain, "name" | "judge">,
  questions: readonly Pick<Question, "material">[],
): readonly Diagnostic[] {
  const lacking = questions.filter(({ material }) => material === undefined).length;
  if (judge.needsMaterial !== true || lacking === 0) return [];
  const message = `No verdict for answers to ${lacking} of ${counted(questions.length, "question")}: there is no \`material\`, by which the judge of ${name} (${judge.name}) judges.`;
  const next = "Give each question its material, or name the data set of the file with --dataset.";
  return [{ code: "HASP867", severity: "warning", message, next, range: START_OF_FILE }];
}

type RunToJudge = Pick<OpenedRunFolder, "run" | "index" | "folder">;

/** The name of a run's domain: by `run.json`, else by its first episode that can be read; empty without either. */
async function domainNameOf(files: TraceFiles, { run, index }: RunToJudge): Promise<string> {
  if (run !== undefined) return run.domain;
  for await (const { value } of readEpisodes(files, index))
    if (value !== undefined) return value.facts.domain;
  return "";
}

/** The domain of a run; undefined where it is not registered. Rejects on I/O errors. */
export async function domainOfRun(files: TraceFiles, run: RunToJudge): Promise<Domain | undefined> {
  return domainOf(await domainNameOf(files, run));
}

/** As `domainOfRun`; refuses a domain that is not registered, and so has no judge (HASP547). */
export async function judgingDomain(files: TraceFiles, run: RunToJudge): Promise<Domain> {
  const name = await domainNameOf(files, run);
  const domain = domainOf(name);
  if (domain !== undefined) return domain;
  return refuse(
    "HASP547",
    `The domain of the run, ${JSON.stringify(name.slice(0, 100))}, is not registered, so it has no judge.`,
    `Name a judge, as in \`--judge f1\`, or correct the domain in run.json. Registered domains: ${domainNames().join(", ")}.`,
    run.folder,
  );
}

/** The domain whose judge has this name and judges the answers of any run; undefined for any other name. */
export function domainJudging(spec: string): Domain | undefined {
  return domainsThatReadGold().find(({ judge }) => judge.name === spec);
}

/** The domain whose judge decides before a model is asked; undefined where the model decides alone. */
async function decidingDomain(
  files: TraceFiles,
  run: RunToJudge,
  named: Pick<Judge, "callOf">,
): Promise<Domain | undefined> {
  const domain = named.callOf === undefined ? undefined : await domainOfRun(files, run);
  return domain?.judge.whyUndecided === undefined ? undefined : domain;
}

/** Whether this judge decides before a model is asked about answers of the run. */
export async function decidesFirst(
  files: TraceFiles,
  run: RunToJudge,
  { name }: Pick<Judge, "name">,
): Promise<boolean> {
  const judge = (await domainOfRun(files, run))?.judge;
  return judge?.whyUndecided !== undefined && judge.name === name;
}

/** What `openNamed` opens, without opening it. */
export async function knownJudge(
  files: TraceFiles,
  run: RunToJudge,
  named: Judge,
): Promise<Omit<Judge, "judge">> {
  const domain = await decidingDomain(files, run, named);
  return domain === undefined ? named : restBy(domain.judge, named);
}

/**
 * The judge that a person names, for one run. A model is asked only about what the judge of the run's domain leaves undecided, if that one
 * can say so. To be closed. Rejects on I/O errors; HASP547 where the domain's judge cannot be opened.
 */
export async function openNamed(
  files: TraceFiles,
  run: RunToJudge,
  named: Judge,
  ports: JudgePorts,
): Promise<OpenedJudge> {
  const domain = await decidingDomain(files, run, named);
  if (domain === undefined) return { ...named, close: async () => undefined };
  const first = await openJudge(domain, ports);
  return { ...judgeRestBy(first, named), close: async () => first.close() };
}

/** A warning that the judge needs material that the run folder lacks for so many questions (HASP549), lost or never there; nothing for none. */
export function materialGone(
  { folder, hasFile }: { readonly folder: string; readonly hasFile: boolean },
  questions: number,
): readonly Diagnostic[] {
  if (questions === 0) return [];
  const file = runPaths(folder).judging;
  const lacking = counted(questions, "question");
  const message = hasFile
    ? `judging.jsonl of the run lacks the material (as tests) that the judge needs for ${lacking}; the answers get no verdict.`
    : `The run has no judging.jsonl, with the material (as tests) that the judge needs for ${lacking}; the answers get no verdict.`;
  const next =
    "If the questions never had material, add it to their file as `material`, and run or import them again; if the run had the file, put the file back.";
  return [{ code: "HASP549", severity: "warning", message, next, file, range: START_OF_FILE }];
}
