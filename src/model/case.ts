import type { Action } from "./action.ts";
import type { ProjectCheck, ToolResult, World } from "./coding-context.ts";
import type { Range } from "./diagnostic.ts";
import type { Intervention } from "./intervention.ts";
import type { Json, StepContext } from "./step-context.ts";

/** One regression test of a skill: a context and a proposed action, and what the PF must decide. */
export interface SkillCase {
  readonly name: string;
  readonly context: StepContext;
  /** What the PF remembers when the case begins. */
  readonly memory: Json | undefined;
  /** Its argument is JSON where the case names an `input`. */
  readonly proposed: Action;
  /** The episode so far, from which the domain's rules make the context; `context` has what they cannot know. */
  readonly session?: CaseSession;
  readonly expect: CaseExpectation;
  /** Where the case stands in cases.yaml. */
  readonly range: Range;
  /** The ranges of its fields of `expect`. */
  readonly expectAt?: { readonly [Key in keyof CaseExpectation]?: Range };
}

/** A tiny episode, as a case of a coding agent writes it down. */
export interface CaseSession {
  readonly steps: readonly CaseStep[];
  /** What the person said, oldest first; the first is the question. */
  readonly prompts: readonly string[];
  readonly project: readonly ProjectCheck[];
  readonly cwd?: string;
  /** What the host sees when the action is proposed. */
  readonly world?: World;
}

export interface CaseStep {
  readonly executed: Action;
  readonly observation: string;
  readonly result?: ToolResult;
}

/** `fires: false`, or the parts of the intervention that matter; text matches when it contains the given text. */
export interface CaseExpectation {
  readonly fires: boolean;
  readonly type?: Intervention["type"];
  readonly newActionType?: string;
  readonly newActionArg?: string;
  /** What the new argument holds as JSON: each key that is named here, and perhaps others. */
  readonly newInput?: { readonly [key: string]: Json };
  readonly contextContains?: string;
}
