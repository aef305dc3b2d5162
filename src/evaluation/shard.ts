import type { Question } from "../harness/question.ts";
import { START_OF_FILE, type Checked } from "../model/diagnostic.ts";
import { hashText } from "../trace/hash.ts";

/** One of `of` parts of a question file. `index` is 1-based: people write it. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

const NEXT = "Write `i/n`, i from 1 to n: `1/4`, `2/4`, `3/4` and `4/4` are the shards of four.";

/** More processes than any cluster starts for one run. */
const MOST = 100_000;

function refuse(text: string, why: string): Checked<Shard> {
  const said = JSON.stringify(text.slice(0, 40));
  const message = `${said} is no shard: ${why}.`;
  return {
    value: undefined,
    diagnostics: [{ code: "HASP550", severity: "error", message, next: NEXT, range: START_OF_FILE }],
  };
}

/** Reads `i/n`. Without a value (HASP550) where it is no pair of whole numbers with 1 ≤ i ≤ n. */
export function parseShard(text: string): Checked<Shard> {
  const match = /^\s*(\d{1,9})\s*\/\s*(\d{1,9})\s*$/.exec(text);
  if (match === null) return refuse(text, "it is not two whole numbers with a slash between them");
  const [index, of] = [Number(match[1]), Number(match[2])];
  if (of === 0) return refuse(text, "nothing can be cut into 0 parts");
  if (of > MOST) return refuse(text, `at most ${MOST.toLocaleString("en")} shards can be made`);
  if (index === 0) return refuse(text, "shards are counted from 1");
  if (index > of) return refuse(text, `there is no shard ${index} of ${of}`);
  return { value: { index, of }, diagnostics: [] };
}

/** `2/4`, as `parseShard` reads it and `run.json` records it. */
export function shardText({ index, of }: Shard): string {
  return `${index}/${of}`;
}

/** The lower bits of `hashText` are those of the last characters; the finaliser of MurmurHash3 spreads them over all 32. */
function spread(id: string): number {
  let mixed = Number.parseInt(hashText(id).slice(-8), 16);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/**
 * Whether the shard asks this question. A function of the question's id and of `of` alone, so that for one `of` each question is in
 * exactly one shard, wherever, whenever and in what order they run, and whatever else is in the file.
 */
export function inShard({ id }: Pick<Question, "id">, { index, of }: Shard): boolean {
  return (spread(id) % of) + 1 === index;
}
