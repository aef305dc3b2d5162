import type { Action } from "./action.ts";
import type { Range } from "./diagnostic.ts";
import type { Intervention } from "./intervention.ts";
import type { Json, StepContext } from "./step-context.ts";

/** One regression test of a skill: a context and a proposed action, and what the PF must decide. */
export interface SkillCase {
  readonly name: string;
  readonly context: StepContext;
  /** What the PF remembers when the case begins. */
  readonly memory: Json | undefined;
  readonly proposed: Action;
  readonly expect: CaseExpectation;
  /** Where the case stands in cases.yaml. */
  readonly range: Range;
}

/** `fires: false`, or the parts of the intervention that matter; text matches when it contains the given text. */
export interface CaseExpectation {
  readonly fires: boolean;
  readonly type?: Intervention["type"];
  readonly newActionType?: string;
  readonly newActionArg?: string;
  readonly contextContains?: string;
}
