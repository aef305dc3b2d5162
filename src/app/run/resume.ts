import type { ToolOrder } from "../../domains/environment.ts";
import { domainOf } from "../../domains/registry.ts";
import { RESULTS } from "../../domains/passages/retriever-kinds.ts";
import type { ControlChoice } from "../../evaluation/choose-control.ts";
import { doneIn } from "../../evaluation/prepare-run.ts";
import { controlSchema, DEFAULT_CONTROL, DEFAULT_SETTING, SETTINGS } from "../../model/control.ts";
import { samplesOf } from "../../harness/question.ts";
import type { Checked } from "../../model/diagnostic.ts";
import type { Run } from "../../model/episode.ts";
import { SPLITS } from "../../model/question-set.ts";
import { sampleId } from "../../model/sample.ts";
import {
  DEFAULT_SAMPLING,
  runSamplingSchema,
  type RunSampling,
  samplesSchema,
} from "../../model/sampling.ts";
import { parseShard } from "../../model/shard.ts";
import { z } from "../../model/zod.ts";
import type { SkillFiles } from "../../skill/skill-files.ts";
import type { EpisodeIndex } from "../../trace/episode-index.ts";
import { checked } from "../refusal.ts";
import { askedOf, readInputs, type InputOrder, type NamedFile, type QuestionPart } from "./inputs.ts";

/** The parts of a `run.json` that a resume needs. */
const settingsSchema = z.object({
  policy: z.string(),
  teacher: z.string().default("none"),
  questions: z.object({ file: z.string() }),
  corpus: z.object({ file: z.string() }).optional(),
  retriever: z
    .object({ kind: z.string(), topK: z.number().int().positive(), url: z.string().optional() })
    .default({ kind: "corpus", topK: RESULTS }),
  setting: z.enum(SETTINGS).default(DEFAULT_SETTING),
  control: controlSchema.default(DEFAULT_CONTROL),
  sampling: runSamplingSchema.default(DEFAULT_SAMPLING),
  samples: samplesSchema.default(1),
  limit: z.number().int().positive().optional(),
  shard: z.string().optional(),
  dataset: z.string().optional(),
  split: z.enum(SPLITS).optional(),
});

/** A run of questions, as its `run.json` records it. */
export interface ResumeOrder extends Omit<InputOrder, "questions" | "corpus">, QuestionPart {
  /** Ids of the models, or the specs that name them. */
  readonly policy: string;
  /** Undefined: none. */
  readonly teacher: string | undefined;
  /** Name of the run's domain. */
  readonly domainName: string;
  /** Names of files, as in `run.json`. */
  readonly questions: string;
  /** Undefined: the paragraphs that come with the questions. */
  readonly corpus: string | undefined;
  readonly tools: ToolOrder;
  readonly choice: ControlChoice;
  readonly sampling: RunSampling;
  /** Episodes of each question. */
  readonly samples: number;
}

/** The order that goes on with a run; undefined for a run that was not made by running questions. */
export function resumeOrder(run: Run | undefined): ResumeOrder | undefined {
  const { data } = settingsSchema.safeParse(run?.source === "hasp" ? run.settings : undefined);
  if (run === undefined || data === undefined) return undefined;
  const { policy, teacher, questions, corpus, retriever, setting, control, limit, dataset, split } = data;
  const { kind, topK, url } = retriever;
  return {
    domainName: run.domain,
    policy,
    teacher: teacher === "none" ? undefined : teacher,
    questions: questions.file,
    corpus: corpus?.file === questions.file ? undefined : corpus?.file,
    tools: { retriever: kind, topK, url, language: "en", concurrency: 0 },
    choice: { setting, control, places: new Map() },
    sampling: data.sampling,
    samples: data.samples,
    limit,
    dataset,
    split,
    shard: data.shard === undefined ? undefined : parseShard(data.shard).value,
  };
}

/** The number of samples without an episode in the index. No value where the file of questions cannot be read. */
export function questionsLeft(
  files: Pick<SkillFiles, "readText">,
  order: ResumeOrder,
  questions: NamedFile,
  index: Pick<EpisodeIndex, "entries">,
): Promise<Checked<number>> {
  return checked(async (found) => {
    const counted = { domain: domainOf(order.domainName), searchesPassages: false, judge: {} };
    const inputs = await readInputs(files, { ...order, questions, corpus: undefined }, counted, found);
    const done = doneIn(index);
    const asked = samplesOf(askedOf(inputs, order), order.samples);
    return asked.filter(({ question, sample }) => !done.has(sampleId(question.id, sample))).length;
  });
}
