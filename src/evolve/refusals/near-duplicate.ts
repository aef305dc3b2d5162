import type { SkillBacktest } from "../../analysis/backtest.ts";
import { stepKey } from "../../analysis/step-key.ts";
import type { Intervention } from "../../model/intervention.ts";
import { jaccard } from "../../model/words.ts";
import { codeTokens } from "./code-text.ts";

/** From this share of common tokens on, two Program Functions are the same. */
const SAME_CODE_FROM = 0.9;

/** An intervention without its reason, which changes nothing. */
function said({ reason: _, ...what }: Intervention): string {
  return JSON.stringify(Object.entries(what).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Each answer of a PF on the records, with its step; sorted. */
function answersOf({ hits }: SkillBacktest): readonly string[] {
  return hits
    .flatMap(({ run, index, t, intervention }) =>
      intervention === undefined ? [] : [`${stepKey(run, index, t)} ${said(intervention)}`],
    )
    .toSorted();
}

/**
 * The skill among `others` which fires on the very same recorded steps with the same interventions, at least one. Both backtests must keep
 * interventions and be of one set of episodes.
 */
export function sameOnRecords(
  candidate: SkillBacktest,
  others: readonly SkillBacktest[],
): { readonly skillId: string; readonly steps: number } | undefined {
  const own = answersOf(candidate);
  if (own.length === 0) return undefined;
  const same = others.find((other) => {
    const theirs = answersOf(other);
    return theirs.length === own.length && theirs.every((answer, i) => answer === own[i]);
  });
  return same && { skillId: same.skillId, steps: own.length };
}

/** The skill among `others` with nearly the same code: at least nine tenths of the tokens of both in common. */
export function sameCode(
  source: string,
  others: readonly { readonly skillId: string; readonly pf: string | undefined }[],
): { readonly skillId: string; readonly share: number } | undefined {
  const own = codeTokens(source);
  for (const { skillId, pf } of others) {
    if (pf === undefined) continue;
    const share = jaccard(own, codeTokens(pf));
    if (share >= SAME_CODE_FROM) return { skillId, share };
  }
  return undefined;
}
