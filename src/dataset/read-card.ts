import { CARD_SCHEMA, type DataCard } from "../model/data-card.ts";
import { START_OF_FILE, type Checked } from "../model/diagnostic.ts";
import { parseJson } from "../model/read-json.ts";
import { FAMILIES, SLOTS, type SignalPart } from "../model/signals.ts";
import { FILTERS, OBJECTIVES, TRAIN_KINDS } from "../model/train-data.ts";
import { z } from "../model/zod.ts";
import { firstIssue } from "../trace/episode-head.ts";

const PARTS: readonly SignalPart[] = [...FAMILIES, ...SLOTS];

const numbers = <Name extends string>(names: readonly Name[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, z.number()])) as Record<Name, z.ZodNumber>);

const count = z.number().int().nonnegative();
const groups = z.array(z.object({ name: z.string(), rows: count, weight: z.number() }));

const sampleRow = z.object({
  run: z.string(),
  episode: z.string(),
  questionId: z.string(),
  sample: z.number().int(),
  step: count,
  line: z.number().int().positive(),
  weight: z.number(),
  skills: z.string(),
  correction: z.string(),
  prompt: z.string(),
  target: z.string(),
  rejected: z.string().optional(),
});

const cardSchema = z.object({
  schema: z.literal(CARD_SCHEMA),
  // A file of the folder, never a path out of it.
  file: z.string().regex(/^[\w.-]+\.jsonl$/),
  kind: z.enum(TRAIN_KINDS),
  objective: z.enum(OBJECTIVES),
  domain: z.string(),
  createdAt: z.iso.datetime(),
  rows: count,
  sources: z.array(z.object({ run: z.string(), episodes: count, steps: count, rows: count })),
  order: z.object({
    filter: z.enum(FILTERS),
    floor: z.number(),
    dpoRevised: z.boolean(),
    weights: z.object({
      families: numbers(FAMILIES),
      slots: numbers(SLOTS),
      dropped: z.array(z.enum(PARTS)),
    }),
  }),
  scored: z.object({ steps: count, overFloor: count, reward: z.number() }),
  bySkill: groups,
  byCorrection: groups,
  byFamily: groups.optional(),
  families: numbers(FAMILIES),
  histogram: z.array(count),
  tokens: z.object({ prompt: count, target: count, longestRow: count }),
  dropped: z.array(z.object({ reason: z.string(), steps: count })),
  rendered: count,
  // In no card before sessions of other programs gave rows.
  transcripts: count.default(0),
  heldOutQuestions: count,
  notices: z.array(z.string()),
  sample: z.array(sampleRow),
});

function problem(file: string, message: string, next: string): Checked<never> {
  const found = { code: "HASP635", severity: "error" as const, message, next, file, range: START_OF_FILE };
  return { value: undefined, diagnostics: [found] };
}

/** The data card in a text. HASP635 for a text that is none: not JSON, another schema, or a field that is missing or wrong. */
export function readCard(text: string, file: string): Checked<DataCard> {
  const value = parseJson(text);
  const rebuild = "Build the folder again with `hasp train-data --refresh <folder>`.";
  if (value === undefined)
    return problem(file, "This is no data card: the file is not complete JSON.", rebuild);
  const schema = z.object({ schema: z.string() }).safeParse(value).data?.schema;
  if (schema !== CARD_SCHEMA)
    return problem(
      file,
      `This is no data card of HASP: its schema is ${schema ?? "missing"}, not ${CARD_SCHEMA}.`,
      "Open the *.card.json of a folder that Build Training Data or `hasp train-data` wrote.",
    );
  const { data, error } = cardSchema.safeParse(value);
  // The schema knows `rejected?: string | undefined`; JSON has no undefined.
  if (data !== undefined) return { value: data as DataCard, diagnostics: [] };
  return problem(file, `This data card is incomplete or was edited: ${firstIssue(error)}.`, rebuild);
}
