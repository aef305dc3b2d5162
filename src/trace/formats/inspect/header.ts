import { asRecord, type JsonRecord, without } from "../records.ts";

/** What is so for all samples of a log. */
export interface InspectHeader {
  readonly evaluation: JsonRecord;
  readonly plan: unknown;
}

/** `model_args` may hold a key for the model, and is the same for every sample. */
export function headerOf(value: JsonRecord): InspectHeader {
  return { evaluation: without(asRecord(value["eval"]), ["model_args"]), plan: value["plan"] };
}
