import type { Ledger } from "../ledger.ts";
import { asRecord, isRecord, type JsonRecord } from "../records.ts";

/** Puts texts in the place of their names, in any value. */
export type Resolve = (value: unknown) => unknown;

const NAMED = /^(?:attachment|tc):\/\/([0-9a-f]+)$/;

/**
 * Long texts of a sample stand once, under a hash or a number, and are named where they belong. `most`: characters that they may have
 * together. One that is named so often that no line could hold it all stays a name.
 */
export function resolver(sample: JsonRecord, most: number, ledger: Ledger): Resolve {
  const attachments = sample["attachments"];
  const texts = {
    ...asRecord(asRecord(sample["transcript"])["content"]),
    ...(Array.isArray(attachments) ? Object.fromEntries(attachments.entries()) : asRecord(attachments)),
  };
  let left = most;
  const resolve = (value: unknown): unknown => {
    if (typeof value === "string") {
      const name = NAMED.exec(value)?.[1];
      const text = name === undefined || !Object.hasOwn(texts, name) ? undefined : texts[name];
      if (typeof text !== "string") return value;
      left -= text.length;
      if (left < 0) {
        ledger.dropped("attachments", "the episode would be too long; their names stand in their place");
        return value;
      }
      return text;
    }
    if (Array.isArray(value)) return value.map(resolve);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]));
  };
  return Object.keys(texts).length === 0 ? (value) => value : resolve;
}
