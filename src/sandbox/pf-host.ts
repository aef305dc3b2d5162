import type { Action } from "../model/action.ts";
import type { ProbedRun } from "../model/explanation.ts";
import type { Intervention, Pass, TeacherCall } from "../model/intervention.ts";
import type { PfProgram, PfTraits } from "../model/skill.ts";
import type { Json, StepContext } from "../model/step-context.ts";

/** What a PF carries through one episode. `fires` and `modifies` count every fire, whatever Γ made of it. */
export interface PfState {
  readonly memory: Json;
  readonly fires: number;
  readonly modifies: number;
}

export const FRESH_STATE: PfState = { memory: {}, fires: 0, modifies: 0 };

/** Why a PF is not asked about an action: it looks at this type in the other pass, or its phases leave it out. */
export type NotAsked = "pass" | "phase";

/** One PF's answer to one proposal, before Γ weighs it against the others. */
export type PfVerdict = {
  readonly skillId: string;
  readonly state: PfState;
  /** The PF asks the teacher something that the record holds no reply to: the verdict is that of its code path. */
  readonly noReply?: true;
} &
  /** `why`: it was not asked at all. */
  (
    | { readonly kind: "skipped"; readonly why?: NotAsked }
    | {
        readonly kind: "limited";
        readonly limit: "maxFires" | "maxModifies";
        readonly allowed: number;
        readonly teacherCalls?: readonly TeacherCall[];
      }
    /** It would change to an action whose budget is used up. Not charged to the PF's limits. */
    | {
        readonly kind: "spent";
        readonly actionType: string;
        readonly teacherCalls?: readonly TeacherCall[];
      }
    /** It would change to an action that the environment does not have. Not charged to the PF's limits. */
    | {
        readonly kind: "unavailable";
        readonly actionType: string;
        readonly teacherCalls?: readonly TeacherCall[];
      }
    | {
        readonly kind: "fired";
        readonly intervention: Intervention;
        readonly teacherCalls: readonly TeacherCall[];
      }
    | {
        readonly kind: "error";
        /** `threw`: the code failed; `returned`: it answered with something else than its type says; `host`: time, memory or stack ran out. */
        readonly cause: "threw" | "returned" | "host";
        readonly message: string;
        readonly line?: number;
        readonly teacherCalls?: readonly TeacherCall[];
      }
  );

/** The result of one PF's `vote` on an answer that would be given. */
export type PfVote = { readonly skillId: string } &
  /** It has no such method. */
  (
    | { readonly kind: "none" }
    | { readonly kind: "stands" }
    | { readonly kind: "against"; readonly reason: string; readonly query?: string }
    | { readonly kind: "error"; readonly message: string; readonly line?: number }
  );

/** What loading one PF found: its declared traits, or why it could not be loaded. */
export type LoadedPf =
  | { readonly skillId: string; readonly ok: true; readonly traits: PfTraits }
  | {
      readonly skillId: string;
      readonly ok: false;
      readonly message: string;
      readonly line?: number;
      /** It met a limit of the sandbox: time, memory or stack. */
      readonly metLimit?: true;
    };

/** One proposal in its context, as `shouldActivate` and `intervene` see it. */
export interface PfCall {
  readonly context: StepContext;
  readonly proposed: Action;
  /** Action types that the environment can execute. */
  readonly actionTypes: readonly string[];
  /** Those of them whose budget is used up; none where nothing is said. */
  readonly spent?: readonly string[];
  /** The action that ends an episode, where it is another than FINAL. */
  readonly finalAction?: string | undefined;
  /** `post`: `proposed` has run, and the context holds its observation: only PFs that look `after` such an action are asked. */
  readonly pass?: Pass;
}

/** One proposal put before several PFs, each with its own state. */
export interface PfQuestion extends PfCall {
  /** MODIFY_ACTION fires that each PF has in the episode, where it declares no `maxFires` of its own. */
  readonly maxModifyFires: number;
}

/** The teacher's recorded replies to one proposal, by skill, each list in the order of the questions. */
export type RecordedReplies = ReadonlyMap<string, readonly TeacherCall[]>;

/** One proposal of a record. */
export interface RecordedProposal extends PfQuestion {
  /** Undefined where the episode had no teacher: needs_teacher PFs take their code path. */
  readonly replies: RecordedReplies | undefined;
}

/**
 * Answers what a PF asks of the teacher: a reply, or the error that the PF then sees. Rejecting counts as an error too. The rest of
 * the account stays in the record.
 */
export type AskTeacher = (call: {
  skillId: string;
  prompt: string;
  maxTokens: number;
  temperature: number;
}) => Promise<Pick<TeacherCall, "site" | "reply" | "error" | "usage">>;

/**
 * Runs PF code that nobody trusts (DESIGN.md, "What runs what"). Never rejects because of what a PF did: that is an
 * `error` verdict. Rejects only when the host itself is closed or broken beyond a restart. Whatever a PF keeps outside of `PfState` is gone
 * after each call of these methods.
 */
export interface PfHost {
  /** Replaces whatever was loaded. Answers in the order of `programs`; of two with one id the first is taken. */
  load(programs: readonly PfProgram[]): Promise<readonly LoadedPf[]>;
  /** All PFs of `states` judge one proposal in one crossing; answers in the order of `states`. */
  step(
    states: ReadonlyMap<string, PfState>,
    question: PfQuestion,
    askTeacher?: AskTeacher,
  ): Promise<readonly PfVerdict[]>;
  /**
   * Each PF is folded alone over the steps of one episode from a fresh state, in one crossing for all of them.
   * Answers `[skill][step]`, in the order of `skillIds`. No teacher is asked: its replies are those of the record, found by the question. A PF that asks something
   * else takes its code path on that step (`noReply`).
   */
  fold(
    skillIds: readonly string[],
    steps: readonly RecordedProposal[],
  ): Promise<ReadonlyMap<string, readonly PfVerdict[]>>;
  /**
   * The mock calls of SPEC §7 D: `shouldActivate`, then `intervene` whatever it answered, each call from a fresh state.
   * Answers in the order of the calls; `activated` is what shouldActivate said. All in one crossing, so that a PF that keeps state in its
   * module can be found (HASP254).
   */
  mock(
    skillId: string,
    calls: readonly PfCall[],
  ): Promise<readonly (PfVerdict & { readonly activated: boolean | undefined })[]>;
  /**
   * The votes of PFs on the final action `call.proposed`, in one crossing and without a teacher; answers in the order of `skillIds`. A PF
   * that is not in `states` votes with a fresh one. No state comes back: a vote changes none.
   */
  votes(
    skillIds: readonly string[],
    states: ReadonlyMap<string, PfState>,
    call: PfCall,
  ): Promise<readonly PfVote[]>;
  /** Runs `shouldActivate` of an instrumented program once (skill/instrument.ts) and gives back what its probes saw. */
  probe(instrumented: PfProgram, state: PfState, call: PfCall): Promise<ProbedRun>;
  /**
   * Hosts like this one that can work at the same time, one for each further core. Nothing is loaded in them, and they start with the first
   * request; the caller closes them. Absent where they would share a thread.
   */
  further?(): readonly PfHost[];
  close(): Promise<void>;
}
