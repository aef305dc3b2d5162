import { z } from "./zod.ts";

/** The form of a policy's replies: text in the notation of the domain, or JSON that the server holds the model to. */
export const REPLY_FORMS = ["text", "json"] as const;
export type ReplyForm = (typeof REPLY_FORMS)[number];

/** Sampling of one sample by a policy's model. */
export const samplingSchema = z.object({
  temperature: z.number().min(0).max(2),
  /** The longest reply, in tokens. */
  maxTokens: z.number().int().positive(),
  /** Only tokens of this share of the probability are drawn. */
  topP: z.number().gt(0).max(1).optional(),
  /** Of a run: each sample gets a seed of its own, made from it. Of an episode: the seed that was sent. */
  seed: z.number().int().optional(),
  /** Absent: text. */
  replies: z.enum(REPLY_FORMS).optional(),
});
export type Sampling = z.infer<typeof samplingSchema>;

/** The most samples of one question. A run lists all its samples before the first is drawn. */
export const MAX_SAMPLES = 1000;

/** The number of samples of each question. */
export const samplesSchema = z.number().int().min(1).max(MAX_SAMPLES);

/** The number of samples that a run asked of each question; 1 if its settings hold no usable number. */
export function recordedSamples(settings: Readonly<Record<string, unknown>> | undefined): number {
  return samplesSchema.safeParse(settings?.["samples"]).data ?? 1;
}

/** Sampling of a run. */
export const runSamplingSchema = samplingSchema.extend({
  /** One for all samples, or one for each in turn. */
  temperature: z.union([
    samplingSchema.shape.temperature,
    z.array(samplingSchema.shape.temperature).min(1).readonly(),
  ]),
});
export type RunSampling = z.infer<typeof runSamplingSchema>;

/** Greedy, with room for a thought of a paragraph and an action. */
export const DEFAULT_SAMPLING = { temperature: 0, maxTokens: 512 } as const satisfies Sampling;

/** The sampling of a run in a domain where nobody chooses another. */
export function defaultSampling({ maxTokens = DEFAULT_SAMPLING.maxTokens }: { readonly maxTokens?: number }) {
  return { ...DEFAULT_SAMPLING, maxTokens } satisfies Sampling;
}
