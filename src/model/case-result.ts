import type { CaseExpectation, SkillCase } from "./case.ts";
import type { Range } from "./diagnostic.ts";
import type { Explanation } from "./explanation.ts";

/** One field of `expect` that the decision does not meet. */
export interface CaseDifference {
  readonly key: keyof CaseExpectation;
  /** Both as cases.yaml writes them. */
  readonly expected: string;
  readonly actual: string;
}

/** A case that was run, and whether it holds. */
export interface CaseResult {
  readonly case: SkillCase;
  readonly passed: boolean;
  /** Fields of `expect` that the decision does not meet; empty where it passed. */
  readonly differences: readonly CaseDifference[];
  /** In words: `fires → READ doc_0`. */
  readonly expected: string;
  readonly actual: string;
  /** What a case would have to say to hold; absent where the PF came to no decision. */
  readonly now?: CaseExpectation;
  /** 1-based line in pf.ts, where an error had one. */
  readonly line?: number;
}

/** A result with its explanation. */
export interface CaseOutcome {
  readonly result: CaseResult;
  /** The PF's own reason for what it did; undefined where it did nothing. */
  readonly reason?: string;
  /** What decided in `shouldActivate`, or why it was not asked; of a case that does not hold. */
  readonly why?: Pick<Explanation, "sentence" | "deciding">;
  /** Expected and actual decision in the words of cases.yaml, line by line, so that they can be laid side by side. */
  readonly sides: { readonly expected: string; readonly actual: string };
}

/** The range in cases.yaml of the field that differs, else of the case. */
export function placeOf({ case: test }: CaseResult, { key }: CaseDifference): Range {
  return test.expectAt?.[key] ?? test.range;
}

/** The first place that is marked of a case that does not hold. */
export function firstPlace(result: CaseResult): Range {
  const [first] = result.differences;
  return first === undefined ? result.case.range : placeOf(result, first);
}
