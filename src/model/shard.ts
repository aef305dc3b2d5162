import { START_OF_FILE, type Checked } from "./diagnostic.ts";

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
