import type { SavedSession } from "../../harness/session-state.ts";
import type { Action } from "../../model/action.ts";
import type { World } from "../../model/coding-context.ts";
import type { DomainFacts, Step } from "../../model/episode.ts";
import type { TaskEnd } from "../../domains/coding-agent/background.ts";
import type { JsonRecord } from "../../trace/formats/records.ts";
import type { HookHost } from "./event.ts";
import type { HookVerdict } from "./verdict.ts";

/** A step since the first one whose answer is still to come. */
export interface RecentStep {
  readonly t: number;
  readonly prompts?: readonly string[];
  readonly executed: Action;
  /** Undefined while the answer is still to come. */
  readonly observation?: string;
  readonly result?: Step["result"];
  readonly extra?: Step["extra"];
  /** What ties the answer to the call: the host's id, or ours where it has none. */
  readonly key: string;
  /** When the call came, in milliseconds, where the host says so. */
  readonly at?: number;
  /** A hash of what the host asked about. */
  readonly asked: string;
  /** A hash of what it was told to run, where that is another. */
  readonly told?: string;
  /** The text for the agent if the host ran the changed call. */
  readonly changed?: string;
  /** Texts that the agent reads with the answer. */
  readonly texts: readonly string[];
}

/** The answer to one event, in case the event comes again. */
export interface GivenAnswer {
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly host: HookHost;
  readonly verdict: HookVerdict;
}

/** What a session remembers between two events. Plain JSON. */
export interface SessionState {
  readonly schema: "hasp.hook-session/2";
  /** Of its episode. */
  readonly episode: string;
  /** Episodes that this session has had: it may go on after its end. */
  readonly part: number;
  /** False before the first event that an episode can begin with. */
  readonly started: boolean;
  readonly question: string;
  readonly facts: DomainFacts;
  /** Tasks in the background whose end the host has told the agent, the latest 20. */
  readonly tasks?: readonly TaskEnd[];
  /** Steps so far. */
  readonly steps: number;
  /** As the session stood before the first of `recent`. */
  readonly saved: SavedSession | undefined;
  readonly recent: readonly RecentStep[];
  /** Said since the latest step was executed. */
  readonly prompts: readonly string[];
  /** A FINAL that Γ holds back: the step is still open, and the next proposal is its second. */
  readonly held: { readonly arg: string } | undefined;
  /** Times that the agent was held back since the person last spoke. */
  readonly holds: number;
  /** Calls since it was last held back. */
  readonly callsSinceHold: number;
  /** Texts that no answer has had room for yet. */
  readonly late: readonly string[];
  /** Answers to the latest events, by what tells the event apart: the same event may come twice. */
  readonly answers: readonly GivenAnswer[];
  /** Notices that the person has read in this session. */
  readonly noticed: readonly string[];
  /** Bytes of the live file when this was written; another number means that this is stale. */
  readonly offset: number;
}

/** An event that was answered while another process was at work on its session: its record is still to be written. */
export interface LeftEvent {
  readonly schema: "hasp.hook-event/1";
  readonly host: HookHost;
  /** The host's name of the event, where the command line gave it. */
  readonly named?: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Nobody sat there to be asked. */
  readonly unattended?: boolean;
  /** Milliseconds that the answer took. */
  readonly ms: number;
  /** Answered so. */
  readonly verdict: HookVerdict;
  readonly output?: JsonRecord;
  /** Of a call or a stop: what the step executes. Absent where the agent was held back. */
  readonly executed?: Action;
  /** As it was seen when the call was judged. */
  readonly world?: World;
}

/** One event in the store, until its record is written. */
export interface KeptEvent {
  readonly event: LeftEvent;
  /** Removes it from the store. */
  drop(): Promise<void>;
}

/**
 * A session that this process alone may write. Its journal is the live file of an episode, so the replay, `hasp explain` and a backtest
 * read a hook's work as they read any episode.
 */
export interface HeldSession {
  save(state: SessionState): Promise<void>;
  /** Adds lines to an episode's live file in one piece. Makes the run folder where there is none. */
  append(episode: string, lines: readonly string[]): Promise<void>;
  /** Folds the live file into `episodes.jsonl`, and removes it. */
  finish(episode: string): Promise<void>;
  /** Events that were left for whoever holds the session, in the order they came. */
  left(): Promise<readonly KeptEvent[]>;
  /** Never rejects. */
  release(): void;
}

/** Where sessions are kept between events; `platform/hook-sessions.ts` implements it. */
export interface SessionStore {
  /** The session, unless another process is at work on it: undefined. Never waits. Rejects where nothing can be written. */
  take(id: string): Promise<HeldSession | undefined>;
  /** What was saved; undefined where nothing was, or it cannot be read. */
  state(id: string): Promise<SessionState | undefined>;
  /** Leaves an event for the process that holds the session. Rejects where nothing can be written. */
  leave(id: string, event: LeftEvent): Promise<void>;
  /** Some event was left and is not recorded yet. */
  hasLeft(id: string): Promise<boolean>;
  /** The live file of an episode, line by line; none where there is no such file. */
  lines(episode: string): Promise<readonly string[]>;
  /** Its size in bytes; 0 where there is none. */
  size(episode: string): Promise<number>;
  /** Ids of sessions that have begun, and of which nothing was heard since `before` (milliseconds since 1970). */
  idle(before: number): Promise<readonly string[]>;
}

/** What the host says of the world; `platform/hook-world.ts` implements it. */
export interface WorldPort {
  /** The branch that is checked out at `root`. */
  branch(root: string): Promise<string | undefined>;
  /** The text of a file below `root`, or at an absolute path; `large` where it has more than `maxBytes`. */
  file(
    root: string,
    path: string,
    maxBytes: number,
  ): Promise<{ readonly exists: boolean; readonly text?: string }>;
}
