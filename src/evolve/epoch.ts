import { need } from "../app/refusal.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import { isGenerated } from "../model/domain-folder.ts";
import type { Phase } from "../model/evolution.ts";
import { readTexts, type ReviewedTexts } from "../review/review-subject.ts";
import { filesWithin } from "../trace/within-folder.ts";
import type { ChatModel, ChatReply } from "../llm/chat-model.ts";
import type { z } from "../model/zod.ts";
import type { SkillFiles } from "../skill/skill-files.ts";
import { readSkillFolder, type SkillFolder } from "../skill/read-skill.ts";
import { skillsOf } from "./domain-skills.ts";
import { PHASE_SCHEMAS, readArtifact, type EvolutionFile, type PhaseResult } from "./artifacts.ts";
import { type epochPaths, evolutionPaths } from "./evolution-paths.ts";
import type { SkillBacktest } from "../analysis/backtest.ts";
import { openGeneratedLibrary, type GeneratedLibrary } from "./generated-library.ts";
import type { CandidateBacktest } from "./measure.ts";
import type { SeedIndex } from "./refusals/copied-texts.ts";
import { answeringModel, callLine, countedModel, type CallSite, type EvolveModels } from "./models.ts";
import type { EvolveOrder, EvolveServices } from "./order.ts";
import { liveParts, recordedParts, type QuestionParts } from "./question-parts.ts";

export type EpochPaths = ReturnType<typeof epochPaths>;

/** The file that ends a phase. */
export const artifactOf = (paths: EpochPaths, phase: Phase): string => {
  const { rolledOut, failures, proposed, checks, reviews, admission, credited, built } = paths;
  const files: Readonly<Record<Phase, string>> = {
    rollout: rolledOut,
    failures,
    proposals: proposed,
    checks,
    reviews,
    admission,
    credit: credited,
    data: built,
  };
  return files[phase];
};

/** The stored result of a phase; neither a value nor a finding where it is not done. */
export async function readResult<P extends Phase>(
  files: Pick<SkillFiles, "readText">,
  paths: EpochPaths,
  phase: P,
): Promise<Checked<PhaseResult<P>>> {
  const schema: z.ZodType = PHASE_SCHEMAS[phase];
  return (await readArtifact(files, artifactOf(paths, phase), schema)) as Checked<PhaseResult<P>>;
}

/** One epoch as its phases see it. */
export class Epoch {
  readonly order: EvolveOrder;
  readonly services: EvolveServices;
  /** From 1. */
  readonly number: number;
  readonly paths: EpochPaths;
  /** Id of the evolution. */
  readonly evolution: string;
  readonly worthRule: EvolutionFile["worthRule"];
  readonly found: Diagnostic[];
  readonly parts: QuestionParts;
  /** The validation run that was made with the library at the begin of the epoch; undefined in the first. */
  readonly validationBefore: string | undefined;
  /** How often earlier epochs had a candidate written for a cluster, by its id. */
  readonly tried: ReadonlyMap<string, number>;
  /** Backtests of the epoch's candidates on the author's questions: phases D and E both read them. */
  readonly onSeed = new Map<string, CandidateBacktest>();
  /** Backtests of the acting skills there. */
  actingOnSeed: readonly SkillBacktest[] = [];
  /** The author's questions, once they were read. */
  seed: SeedIndex | undefined;
  private readonly models: EvolveModels;
  private readonly results = new Map<Phase, unknown>();

  constructor(about: {
    readonly order: EvolveOrder;
    readonly services: EvolveServices;
    readonly number: number;
    readonly evolution: string;
    readonly worthRule: EvolutionFile["worthRule"];
    readonly models: EvolveModels;
    readonly found: Diagnostic[];
    readonly validationBefore: string | undefined;
    readonly tried: ReadonlyMap<string, number>;
  }) {
    const { order, services, number, evolution, worthRule, models, found, validationBefore, tried } = about;
    this.worthRule = worthRule;
    this.validationBefore = validationBefore;
    this.tried = tried;
    this.order = order;
    this.services = services;
    this.number = number;
    this.evolution = evolution;
    this.models = models;
    this.found = found;
    this.paths = evolutionPaths(order.folder).epoch(number);
    this.parts = order.rollouts.kind === "live" ? liveParts(order.seed) : recordedParts(order.seed);
  }

  get author(): ChatModel {
    return answeringModel(this.counted(this.models.author, "author"));
  }

  /** Undefined where none is set; lite mode never asks it. */
  teacherFor(site: CallSite): ChatModel | undefined {
    const { teacher } = this.models;
    if (teacher === undefined || this.order.mode === "lite") return undefined;
    const counted = this.counted(teacher, site);
    // Whoever asks for summaries tells a failure from a reply.
    return site === "summary" ? counted : answeringModel(counted);
  }

  /** The services of rollouts: their models share the budget of the evolution, and their calls are counted. */
  get forRollouts(): EvolveServices {
    const { models, files } = this.services;
    const { calls } = evolutionPaths(this.order.folder);
    const account = {
      budget: this.models.budget,
      onReply: (reply: ChatReply) => files.append(calls, callLine("rollout", reply)),
    };
    return { ...this.services, models: { ...models, account } };
  }

  /** The result of a phase that is done. */
  result<P extends Phase>(phase: P): PhaseResult<P> {
    if (!this.results.has(phase)) throw new Error(`The phase ${phase} has no result yet`);
    return this.results.get(phase) as PhaseResult<P>;
  }

  keep(phase: Phase, result: PhaseResult<Phase>): void {
    this.results.set(phase, result);
  }

  /** The result that an earlier sitting left; undefined where the phase is not done. Refuses a broken file. */
  async stored<P extends Phase>(phase: P): Promise<PhaseResult<P> | undefined> {
    const read = await readResult(this.services.files, this.paths, phase);
    return read.value === undefined && read.diagnostics.length > 0 ? need(read) : read.value;
  }

  /** The path of what an artifact names by `epochPathSchema`. */
  at(path: string): string {
    return `${this.order.folder}/${path}`;
  }

  /** The skill in a folder that an artifact names. */
  readSkill(folder: string): Promise<SkillFolder> {
    return readSkillFolder(this.services.files, this.services.compiler, this.at(folder));
  }

  /** The texts of the skill in a folder that an artifact names; none is read through a link that leads out of the evolution. */
  async readTexts(folder: string): Promise<ReviewedTexts> {
    return readTexts(await filesWithin(this.services.files, this.order.folder), this.at(folder));
  }

  /** The acting skills of all domains as they are now. */
  allSkills(): Promise<readonly SkillFolder[]> {
    return this.services.readSkills(this.order.domain.name);
  }

  /** The acting skills of the domain as they are now. */
  async library(): Promise<readonly SkillFolder[]> {
    return skillsOf(await this.allSkills(), this.order.domain.name);
  }

  /** Those of the acting library that an evolution wrote. */
  async generatedSkills(): Promise<readonly SkillFolder[]> {
    return (await this.library()).filter(({ folder }) => isGenerated(folder));
  }

  /** The library of generated skills. */
  async generated(): Promise<GeneratedLibrary> {
    const { library, clock, compiler } = this.services;
    const domains = await compiler.domains();
    return openGeneratedLibrary({ files: library, clock, domains }, this.order.generated);
  }

  private counted(model: ChatModel, site: CallSite): ChatModel {
    const { calls } = evolutionPaths(this.order.folder);
    return countedModel(model, site, (line) => this.services.files.append(calls, line));
  }
}
