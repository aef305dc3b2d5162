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

/** Actions of an agent that answers questions (domain web-search). */
export type WebSearchAction = "SEARCH" | "READ" | "FINAL";

/** Tools of a coding agent, by one name whatever its host calls them (domain coding-agent). Tools of MCP servers keep their names. */
export type CodingTool =
  | "Bash"
  | "PowerShell"
  | "Read"
  | "Write"
  | "Edit"
  | "MultiEdit"
  | "Patch"
  | "Glob"
  | "Grep"
  | "List"
  | "WebFetch"
  | "WebSearch"
  | "Agent"
  | "RunTests"
  | `mcp__${string}`;

/** What a coding agent can do besides: FINAL, it wants to stop; REFUSE, which only a PF puts in a call's place: nothing runs. */
export type CodingAction = CodingTool | "REFUSE" | "FINAL";

/** Actions of further domains, by the name of the domain: each adds its own. */
export interface DomainActions {}

/** Actions that the environment can run, and that a PF may put in place of another: those of its own domain. */
export type ExecutableActionType = WebSearchAction | CodingAction | DomainActions[keyof DomainActions];

/**
 * One action of the policy: `SEARCH` with a query, `READ` with a document id, `FINAL` with the answer; of a coding agent a tool with its
 * input as JSON.
 */
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

/** The input of each tool of a coding agent. Paths are relative to the agent's folder where they lie in it, with `/`. */
export interface ToolInputs {
  /** A command line; `timeout` in milliseconds. */
  readonly Bash: {
    readonly command: string;
    readonly description?: string;
    readonly timeout?: number;
    readonly background?: boolean;
  };
  readonly PowerShell: { readonly command: string; readonly description?: string; readonly timeout?: number };
  readonly Read: { readonly path: string; readonly offset?: number; readonly limit?: number };
  /** The whole file. */
  readonly Write: { readonly path: string; readonly content: string };
  readonly Edit: TextEdit;
  readonly MultiEdit: { readonly edits: readonly TextEdit[] };
  readonly Patch: { readonly patch: string };
  readonly Glob: { readonly pattern: string; readonly path?: string };
  readonly Grep: { readonly pattern: string; readonly path?: string; readonly glob?: string };
  readonly List: { readonly path: string };
  readonly WebFetch: { readonly url: string; readonly prompt?: string };
  readonly WebSearch: { readonly query: string };
  readonly Agent: { readonly prompt: string; readonly description?: string; readonly agent?: string };
  readonly RunTests: { readonly files?: readonly string[] };
}

/** Replaces one text of a file, or with `all` each place where it stands. */
export interface TextEdit {
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
  readonly all?: boolean;
}

/** The proposed call: `ctx.call.tool === "Bash"` makes `ctx.call.input.command` known. */
export type ToolCall =
  | { [T in keyof ToolInputs]: { readonly tool: T; readonly input: ToolInputs[T] } }[keyof ToolInputs]
  | { readonly tool: "FINAL" | "other" | `mcp__${string}`; readonly input: { readonly [key: string]: Json } };

/** One program that a command line runs, with the words that the shell would hand to it. */
export interface ShellCall {
  /** The program without its folder and without what only wraps it (`sudo`, `env`, `timeout 5`). */
  readonly name: string;
  /** Its words after the name, quotes taken off. */
  readonly args: readonly string[];
  /** Short switches apart (`-rf` is `r` and `f`), long ones with their dashes and without a value (`--force`). */
  readonly flags: readonly string[];
  /** The words that are no switches. */
  readonly operands: readonly string[];
  /** False where a word has a part that only the shell knows, such as `$HOME`; such a part stands in `args` as written. */
  readonly literal: boolean;
  /** What wraps it, outermost first: `sudo`, `xargs`, `bash -c`. */
  readonly via: readonly string[];
  readonly place: "top" | "subshell" | "substitution" | "function" | "branch" | "loop";
  /** Programs that its output goes into and its input comes from, through pipes. */
  readonly into: readonly string[];
  readonly from: readonly string[];
  readonly redirects: readonly { readonly op: string; readonly target: string }[];
  /** Variables that are set for it alone. */
  readonly env: { readonly [name: string]: string };
  readonly background: boolean;
  /** Where it stands in the command line, half-open, wrappers included; absent inside the text of `bash -c '…'`. */
  readonly range?: { readonly start: number; readonly end: number };
}

/** A command line as its shell would read it. Quoted text, comments and here-documents are no programs. */
export interface ShellCommand {
  readonly source: string;
  readonly dialect: "bash" | "powershell";
  /** Every program that it could run, in the order of the text. */
  readonly calls: readonly ShellCall[];
  /** What could not be read. */
  readonly errors: readonly string[];
  /** A part was too long, too deep or too much to be read: nobody knows what it does. */
  readonly unread?: boolean;
}

/** What a call writes to one file. */
export interface FileChange {
  readonly path: string;
  readonly kind: "create" | "replace" | "delete";
  /** The text that is replaced; absent for a whole file. */
  readonly before?: string;
  /** The text that comes. */
  readonly after: string;
}

/** What the session shows of a file. Numbers are steps from 0; absent: never. */
export interface KnownFile {
  readonly path: string;
  readonly readAt?: number;
  /** By a tool, by a command (`cat`), because a search listed it, or because the person named it (`@file`). */
  readonly readBy?: "tool" | "command" | "search" | "person";
  readonly editedAt?: number;
  /** Successful changes. */
  readonly edits: number;
  /** The session made it. */
  readonly createdAt?: number;
  /** Its change is in the stash of Git: it is as it was before. */
  readonly stashedAt?: number;
  /** The step since which its text is as it is now, where the same change was made before and taken back in between. */
  readonly sameSince?: number;
  /** Files that it would write if it were run, or applied as a patch. */
  readonly writes?: readonly string[];
}

/** How a project checks itself. */
export type CheckKind = "test" | "lint" | "types" | "build" | "format";

/** A command that has run; `ok` is absent where the host did not say how it ended. */
export interface RanCommand {
  readonly t: number;
  readonly command: string;
  readonly programs: readonly string[];
  readonly exitCode?: number;
  readonly ok?: boolean;
  /** Of a command that failed: the same for the same output, whatever its times, addresses and process ids. */
  readonly output?: string;
}

/** A test, lint, type check, build or formatting that has run; `passed` is absent where nothing tells. */
export interface Check {
  readonly t: number;
  readonly kind: CheckKind;
  readonly command: string;
  readonly passed?: boolean;
  /** It ran on the project as it was before the session, whose changes were not made yet, taken back or stashed. */
  readonly base?: boolean;
  /** Of one that failed: the same where its output ends in the same words. */
  readonly failure?: string;
  /** It ran a script that the session made, and no test of the project's. */
  readonly own?: boolean;
  /** It runs in the background and its result is still to come: the host's name of the task, files that it writes into. */
  readonly running?: readonly string[];
}

/** What a PF of the domain coding-agent knows besides. Write it as the type of `ctx`. */
export interface CodingContext extends StepContext {
  /** The proposed call. For FINAL, `tool` is "FINAL". */
  readonly call: ToolCall;
  /** The command line of a Bash or PowerShell call. */
  readonly command?: ShellCommand;
  /** What the call would write. */
  readonly changes: readonly FileChange[];
  /** Files that the command line would delete, relative to the working folder; patterns stay as they are. */
  readonly deletes?: readonly string[];
  /** How often this very call has run in the session, and in a row just before. */
  readonly repeated: { readonly times: number; readonly inARow: number };
  /** What the host saw when the call was proposed; what it did not look at is absent. */
  readonly world: {
    readonly branch?: string;
    readonly files?: readonly {
      readonly path: string;
      readonly exists: boolean;
      /** How often the text to be replaced stands in the file, one number for each of `changes` of this file. */
      readonly occurrences?: readonly number[];
    }[];
    /** At FINAL: tasks in the background that still run, and those whose end the host told the agent. */
    readonly tasks?: readonly {
      readonly id: string;
      readonly state: "running" | "passed" | "failed" | "ended";
    }[];
  };
  /** The folder in which the agent works, where it is known. */
  readonly cwd?: string;
  readonly files: readonly KnownFile[];
  /** Files that the session made and deleted again, the latest 100. */
  readonly gone?: readonly string[];
  /** The latest 200. */
  readonly commands: readonly RanCommand[];
  /** The latest 100. */
  readonly checks: readonly Check[];
  /** The step of the latest successful change of a file. */
  readonly lastEditAt?: number;
  /** What the person said, oldest first. */
  readonly prompts: readonly string[];
  /** The commands by which this project checks itself, as its own files name them. */
  readonly project: readonly { readonly kind: CheckKind; readonly command: string }[];
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
 * Adds a text to what the policy sees next: a statement with one deed, such as "Search for …". A question is answered in prose.
 * @example injectContext("Search for a second text that gives the year.", "conflicting years")
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

/**
 * Changes inputs of the proposed call of a coding agent; the others stay.
 * @example changeInput(ctx, { limit: 200 }, "the file has 40,000 lines")
 */
export function changeInput(
  ctx: Pick<CodingContext, "call">,
  changes: { readonly [key: string]: Json },
  reason: string,
): ModifyAction;

/**
 * Changes pieces of the proposed command line; the rest stays as it was written.
 * @example changeCommand(ctx, [{ range: push.range, text: "git push --force-with-lease" }], "somebody may have pushed")
 */
export function changeCommand(
  ctx: Pick<CodingContext, "call">,
  edits: readonly {
    /** Half-open, from `ctx.command.calls`; pieces must not overlap. */
    readonly range: { readonly start: number; readonly end: number };
    readonly text: string;
  }[],
  reason: string,
): ModifyAction;

/**
 * The call of a coding agent does not run, and the agent reads `text` instead. Say facts, and what would do.
 * @example refuse("`rm -rf /` would delete every file of this machine.", "deletes the root")
 */
export function refuse(text: string, reason: string): ModifyAction;

/** A deed that a guard lets pass where somebody asked for it. Any one of its forms is enough. */
export interface Deed {
  /** A call of `ctx.command`: the person wrote out this very command, alone or as a link of a chain. */
  readonly call?: ShellCall;
  /** Other texts of the same command, compared in the same way. */
  readonly commands?: readonly string[];
  /**
   * The same in plain words, each a pattern that begins at a verb: `a|b` is either, `a_b` two words, `a?` may be missing, `*` up to
   * eight words (at the end: whatever follows), `{path}` a slot of `things`. Articles are passed over. A pattern that begins with `$ ` is about a command that the
   * person wrote out; its switches are passed over.
   */
  readonly words?: readonly string[];
  /**
   * The objects of the deed, a list for each slot of `words`; every one must be named. `path` compares paths from the working folder,
   * `url` host and scheme, `table` and `database` without regard to case; other slots (`branch`, `name`, …) compare letter by letter.
   */
  readonly things?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Whether the latest prompt in which a person spoke asks for this very deed: by its whole command, or in plain words that name its
 * object. Quotations (`> …`, "…"), fenced blocks, printed and pasted text, what a host put in, questions, bans ("do not", "without"),
 * conditions ("if", "when") and reports ("I ran …") are no wishes; vocabulary without the object is none either. Without `call` and
 * `words`, false.
 * @example if (askedFor(ctx, { call, words: ["delete|remove {path}"], things: { path: call.operands } })) return false;
 */
export function askedFor(ctx: Pick<CodingContext, "prompts" | "cwd" | "command">, deed: Deed): boolean;

/**
 * The command of a call of git, past git's own switches: `git -C lib push` is `push` in the folder `lib`.
 * @example const push = gitCall(call); if (push?.command === "push") …
 */
export function gitCall(
  call: Pick<ShellCall, "name" | "args">,
): { readonly command: string; readonly args: readonly string[]; readonly folder?: string } | undefined;

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

/** A vote for one more search in place of the answer that is about to be given. */
export interface SearchVote {
  /** Why, for the person who replays the episode. 1 to 2,000 characters. */
  readonly reason: string;
  /** A search that would help, 1 to 2,000 characters. Of several votes the first query counts. */
  readonly query?: string;
}

/** The base of every Program Function: `export default class MySkill extends ProgramFunction { … }`. */
export abstract class ProgramFunction {
  /** True when `intervene` would like to ask a teacher. It must still work when it gets none. */
  readonly needsTeacher: boolean;
  /** How often this PF may fire in one episode; undefined leaves only the limit of 2 changed actions. */
  readonly maxFires: number | undefined;
  /**
   * Actions about which the PF is asked after they have run, in place of before: `ctx` then holds the observation, and a context that
   * it injects is read with that very observation. Such an action can no longer be changed. Never the final action.
   * @example override after = ["READ"];
   */
  readonly after: readonly string[];
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
  /**
   * For a skill with `handler: code` or `inline`: its vote on an answer that is about to be given, after every PF has been asked.
   * Undefined lets the answer stand. No teacher is there, and `ctx.memory` cannot be changed.
   * @param answer the argument of the final action that would run
   */
  vote?(ctx: StepContext, answer: string): SearchVote | undefined;
}
