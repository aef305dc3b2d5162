import type { DatasetEntry } from "../../../src/domains/dataset-entry.ts";
import { csvEntries } from "../../../src/trace/csv-entries.ts";
import { memberSource } from "../../../src/trace/json-entries.ts";

const text = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined;

/** Two release formats: JSON, all test, whose seed and validation come from the other one; and CSV, which is such a pool. */
export const ESTIMATE_DATASETS: readonly DatasetEntry[] = [
  {
    name: "bridges",
    shortNames: ["br"],
    keys: ["nr", "prompt", "length", "within"],
    detects: (values) => ["prompt", "length", "within"].every((key) => key in values),
    id: ({ values: { nr } }) => (typeof nr === "number" ? `bridge-${nr}` : undefined),
    question: ({ values: { prompt } }) => text(prompt),
    gold: ({ values: { length } }) => text(length),
    material: ({ source }) => memberSource(source, "within"),
    meta: ({ values: { prompt } }) => ({ words: String(prompt).split(" ").length }),
    split: { kind: "test", pool: "heights" },
  },
  {
    name: "heights",
    keys: ["Rank", "Peak", "Metres", "Off"],
    entries: csvEntries,
    detects: (values) => ["Peak", "Metres", "Off"].every((key) => key in values),
    id: ({ values: { Rank } }) => text(Rank),
    question: ({ values: { Peak } }) =>
      typeof Peak === "string" ? `How high is ${Peak}, in metres?` : undefined,
    gold: ({ values: { Metres } }) => text(Metres),
    material: ({ values: { Off } }) => text(Off),
    split: { kind: "pool" },
  },
];
