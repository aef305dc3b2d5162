import { pText } from "./p-text.ts";

/**
 * What became of answers that were held back: the draft's verdict beside that of the next answer which the policy proposed, both in the
 * record. Numbers of drafts.
 */
export interface Revisions {
  /** A wrong draft, a right revision. */
  readonly fixed: number;
  /** A right draft, a wrong revision. */
  readonly broken: number;
  readonly sameRight: number;
  readonly sameWrong: number;
  /** The draft or what came of it has no verdict. */
  readonly notMeasured: number;
  /** McNemar's exact two-sided p of fixed against broken; 1 where there is neither. */
  readonly p: number;
}

/** `fixed 3, broken 1, same 8 (5 right, 3 wrong), McNemar p 0.625`; empty where no draft has both verdicts. */
export function revisionWords(revisions: Revisions | undefined): string {
  if (revisions === undefined) return "";
  const { fixed, broken, sameRight, sameWrong, notMeasured, p } = revisions;
  const measured = fixed + broken + sameRight + sameWrong;
  if (measured === 0) return "";
  const unknown = notMeasured === 0 ? [] : [`not measured ${notMeasured}`];
  const same = sameRight + sameWrong;
  const which = same === 0 ? "" : ` (${sameRight} right, ${sameWrong} wrong)`;
  return [
    `fixed ${fixed}`,
    `broken ${broken}`,
    `same ${same}${which}`,
    ...unknown,
    `McNemar p ${pText(p)}`,
  ].join(", ");
}
