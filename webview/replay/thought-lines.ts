import type { Episode } from "../../src/model/episode.ts";

/** Lines of a closed thought: the one step of an episode holds the whole derivation of its answer. */
export function thoughtLines(
  { facts }: Episode,
  lines: { readonly one: number; readonly many: number },
): number {
  return facts.maxSteps === 1 ? lines.one : lines.many;
}
