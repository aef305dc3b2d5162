/**
 * What a Program Function (PF) may import from "hasp". Written by HASP Studio; `hasp init` brings it up to date.
 *
 * A PF judges the action that a policy proposes, before it runs, and may replace it or add a context. The same input must
 * give the same answer: there is no clock, no randomness and no I/O here, and nothing survives a call except `ctx.memory`.
 */

/**
 * The kind of a proposed or executed action. `other` is a real action that the domain has no name for; `invalid` is text
 * of the policy that was no action at all.
 */
export type ActionType = ExecutableActionType | "other" | "invalid";

/** Actions that the environment can run, and that a PF may put in place of another. */
export type ExecutableActionType = "SEARCH" | "READ" | "FINAL";

/** One action of the policy: `SEARCH` with a query, `READ` with a document id, `FINAL` with the answer. */
export interface Action {
  readonly type: ActionType;
  readonly arg: string;
}

/** A value that survives JSON unchanged. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * What is known when the action is proposed, before it runs. It can only be read, except `memory`. Nothing of the outcome
 * is in it: neither the right answer nor what comes later.
 */
export interface StepContext {
  /** The question of the episode, as it was put to the agent. */
  readonly question: string;
  /** Steps completed before this one: 0 at the first. */
  readonly stepCount: number;
  /** Steps that the episode may take. This is the last one when `stepCount + 1 === maxSteps`. */
  readonly maxSteps: number;
  /** Something has been read: `readCount > 0`. */
  readonly hasRead: boolean;
  /** Searches completed so far. */
  readonly searchCount: number;
  /** Documents read so far. Where a search returns the text itself, what it returned counts as read. */
  readonly readCount: number;
  /** The latest search found nothing. */
  readonly emptyResults: boolean;
  /** The latest search results contradict one another, by the domain's rule of thumb. */
  readonly contradictorySources: boolean;
  /** Actions that ran (after any change by a PF), oldest first. */
  readonly actionHistory: readonly Action[];
  /** The latest search results as the policy saw them; empty before the first search. */
  readonly lastSearchResultsText: string;
  /** Texts read so far, oldest first. */
  readonly allReadContents: readonly string[];
  /** The thought that came with the proposed action; may be empty. */
  readonly thought: string;
  /**
   * This PF's own notebook within one episode, `{}` at its start. Plain JSON only; it is saved after each call and shown in
   * the replay. Other PFs do not see it.
   */
  readonly memory: { [key: string]: Json };
}

/** Runs another action instead of the proposed one. At least one of type and argument changes. */
export interface ModifyAction {
  readonly type: "MODIFY_ACTION";
  readonly newActionType?: ExecutableActionType;
  readonly newActionArg?: string;
  /** Why, for the person who replays the episode. At most 2,000 characters. */
  readonly reason: string;
}

/** Lets the policy read a text with its next observation; on a FINAL it holds the answer back once. */
export interface InjectContext {
  readonly type: "INJECT_CONTEXT";
  /** What the policy reads. 1 to 20,000 characters. */
  readonly contextText: string;
  readonly reason: string;
}

/** Abstains; the reason is kept in the record. */
export interface Noop {
  readonly type: "NOOP";
  readonly reason: string;
}

/** What `intervene` decides. Build one with `modifyAction`, `injectContext` or `noop`. */
export type Intervention = ModifyAction | InjectContext | Noop;

/**
 * Replaces the proposed action. What is left out stays as proposed.
 * @example modifyAction({ type: "READ", arg: "doc_0", reason: "searched twice, nothing read" })
 */
export function modifyAction(change: {
  readonly type?: ExecutableActionType;
  /** The new query, document id or answer. At most 20,000 characters. */
  readonly arg?: string;
  readonly reason: string;
}): ModifyAction;

/**
 * Adds a text to what the policy sees next.
 * @example injectContext("Two sources give different years: check both.", "conflicting years")
 */
export function injectContext(contextText: string, reason: string): InjectContext;

/** Does nothing, and says why. */
export function noop(reason: string): Noop;

/**
 * The next search for the question that has not run yet: at most 12 of its words, in its order; those that no search has used
 * first, then names. Undefined where all such queries have run.
 * @example const query = freshQuery(ctx); if (query === undefined) return noop("every query has run");
 */
export function freshQuery(
  ctx: Pick<StepContext, "question" | "actionHistory">,
  wishes?: {
    /** Words that go out with those of the question, at its end. */
    readonly with?: readonly string[];
    /** Searches that it must differ from; those of `ctx.actionHistory` where nothing is said. */
    readonly besides?: readonly Action[];
  },
): string | undefined;

/**
 * The words of a text that say what it is about: as written, each once, in their order. Looks at its first 600 characters.
 * @example tellingWords("Who wrote the novel Emma?") // ["wrote", "novel", "Emma"]
 */
export function tellingWords(text: string): string[];

/** A larger model that a PF with `needsTeacher` may ask. Each call is counted and recorded. */
export interface Teacher {
  /**
   * Asks one question. Rejects when there is no answer: catch it and decide without.
   * @param prompt everything the teacher needs to know; it sees nothing else
   */
  ask(prompt: string, options: TeacherOptions): Promise<string>;
}

export interface TeacherOptions {
  /** The longest reply, in tokens (about four characters each). */
  readonly maxTokens: number;
  /** 0 for the same reply each time, which is what a PF usually wants; at most 2. */
  readonly temperature: number;
}

/** The base of every Program Function: `export default class MySkill extends ProgramFunction { … }`. */
export abstract class ProgramFunction {
  /** True when `intervene` would like to ask a teacher. It must still work when it gets none. */
  readonly needsTeacher: boolean;
  /** How often this PF may fire in one episode; undefined leaves only the limit of 2 changed actions. */
  readonly maxFires: number | undefined;
  /**
   * Whether to intervene. Runs at every step of every episode: keep it fast, and decide from its arguments alone.
   * @param actionType type of the proposed action
   * @param arg argument of the proposed action: the query, the document id, the answer
   */
  abstract shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean;
  /**
   * What to do. Runs only after `shouldActivate` said true.
   * @param teacher present only when `needsTeacher` is true and a teacher is at hand
   */
  abstract intervene(
    ctx: StepContext,
    actionType: ActionType,
    arg: string,
    teacher?: Teacher,
  ): Intervention | Promise<Intervention>;
}
