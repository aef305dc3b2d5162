import {
  isRow,
  plainValues,
  questionUnderUsualKeys,
  type DatasetEntry,
  type DatasetRow,
  type Meta,
  type RowValues,
} from "../dataset-entry.ts";
import { passagesOf } from "../passages/corpus.ts";

const isMusique = ({ paragraphs }: RowValues): boolean =>
  Array.isArray(paragraphs) && paragraphs.some((one) => isRow(one) && "paragraph_text" in one);

/** Pairs of title and sentences, or an object of both lists; the `context` of other data sets is a text. */
const hasContext = ({ context }: RowValues): boolean =>
  Array.isArray(context)
    ? context.length > 0 && context.every(Array.isArray)
    : isRow(context) && "sentences" in context;

const isHotpot = (values: RowValues): boolean => hasContext(values) && !isMusique(values);

/** Bamboogle's rows look like anybody's, so only the name of the file or of a folder close above it tells them. */
function isBamboogle(values: RowValues, file: string): boolean {
  const parts = file.split(/[\\/]/).slice(-3);
  const isNamed = parts.some((part) => /^bamboogle(?![a-z])/i.test(part));
  return isNamed && typeof questionUnderUsualKeys(values) === "string";
}

const count = (value: unknown): number | undefined =>
  Array.isArray(value) && value.length > 0 ? value.length : undefined;

/** MuSiQue's ids begin with `2hop__`, `3hop1__` and so on. */
function hopsInId(id: unknown): number | undefined {
  const digits = typeof id === "string" ? /^(\d)hop/.exec(id)?.[1] : undefined;
  return digits === undefined ? undefined : Number(digits);
}

/** The number of `hops`, and `type` and `level` where the row has them. */
const withHops =
  (hopsOf: (values: RowValues) => number | undefined) =>
  ({ values }: DatasetRow): Meta | undefined => {
    const { type, level } = values;
    const meta = plainValues({ hops: hopsOf(values), type, level });
    return Object.keys(meta).length === 0 ? undefined : meta;
  };

const ASKS = { asksForWords: true } as const;

/** The data sets of SPEC §9, and Bamboogle. */
export const WEB_SEARCH_DATASETS: readonly DatasetEntry[] = [
  {
    ...ASKS,
    name: "hotpotqa",
    shortNames: ["hotpot"],
    keys: ["_id", "question", "answer", "context", "supporting_facts", "type", "level"],
    detects: (values) => isHotpot(values) && !("evidences" in values),
    meta: withHops(() => 2),
    passages: { key: "context", of: passagesOf },
  },
  {
    ...ASKS,
    name: "2wikimultihopqa",
    shortNames: ["2wiki"],
    keys: ["_id", "question", "answer", "context", "supporting_facts", "type", "evidences"],
    detects: (values) => isHotpot(values) && "evidences" in values,
    meta: withHops(({ evidences }) => count(evidences)),
    passages: { key: "context", of: passagesOf },
  },
  {
    ...ASKS,
    name: "musique",
    keys: ["id", "question", "answer", "paragraphs", "question_decomposition", "answerable"],
    detects: isMusique,
    meta: withHops(({ question_decomposition: steps, id }) => count(steps) ?? hopsInId(id)),
    passages: { key: "paragraphs", of: passagesOf },
  },
  {
    ...ASKS,
    name: "bamboogle",
    keys: ["Question", "Answer"],
    detects: (values, file) => isBamboogle(values, file) && !isHotpot(values) && !isMusique(values),
    id: ({ values: { id, idx } }) =>
      typeof idx === "number" && (id ?? undefined) === undefined ? `bamboogle-${idx}` : undefined,
    meta: withHops(() => 2),
    split: { kind: "test" },
  },
];
