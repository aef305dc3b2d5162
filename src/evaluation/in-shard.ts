import type { Question } from "../harness/question.ts";
import type { Shard } from "../model/shard.ts";
import { hashText } from "../trace/hash.ts";

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
