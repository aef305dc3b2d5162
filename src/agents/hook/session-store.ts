import type { SavedSession } from "../../harness/session.ts";
import type { Action } from "../../model/action.ts";
import type { DomainFacts, Step } from "../../model/episode.ts";
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
  /** What ties the answer to the call: the host's id, or ours where it has none. */
  readonly key: string;
  /** When the call came, in milliseconds, where the host says so. */
  readonly at?: number;
  /** A hash of what the host asked about. */
  readonly asked: string;
  /** A hash of what it was told to run, where that is another. */
  readonly told?: string;
  /** Texts that the agent reads with the answer. */
  readonly texts: readonly string[];
}

/** What one event got, in case it comes again. */
export interface GivenAnswer {
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly host: HookHost;
  readonly verdict: HookVerdict;
}

/** What a session remembers between two events. Plain JSON. */
export interface SessionState {
  readonly schema: "hasp.hook-session/1";
  /** Of its episode. */
  readonly episode: string;
  /** Episodes that this session has had: it may go on after its end. */
  readonly part: number;
  /** False before the first event that an episode can begin with. */
  readonly started: boolean;
  readonly question: string;
  readonly facts: DomainFacts;
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
  /** The person was told of untrusted skills. */
  readonly toldOfTrust: boolean;
  /** Bytes of the live file when this was written; another number means that this is stale. */
  readonly offset: number;
}

/** Where sessions are kept between events; `platform/hook-sessions.ts` implements it. */
export interface SessionStore {
  /**
   * Runs `work` while no other process works on this session. `locked` is false where the lock did not come free before `deadline`
   * (performance.now()); `work` may then only add to the live file.
   */
  exclusively<T>(id: string, deadline: number, work: (locked: boolean) => Promise<T>): Promise<T>;
  /** What was saved; undefined where nothing was, or it cannot be read. */
  state(id: string): Promise<SessionState | undefined>;
  save(id: string, state: SessionState): Promise<void>;
  /** The live file of an episode, line by line; none where there is no such file. */
  lines(episode: string): Promise<readonly string[]>;
  /** Its size in bytes; 0 where there is none. */
  size(episode: string): Promise<number>;
  /** Adds lines in one piece. Makes the run folder where there is none. */
  append(episode: string, lines: readonly string[]): Promise<void>;
  /** Ids of sessions that have begun, and of which nothing was heard since `before` (milliseconds since 1970). */
  idle(before: number): Promise<readonly string[]>;
  /** Folds the live file into `episodes.jsonl`, and removes it. */
  finish(episode: string): Promise<void>;
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
