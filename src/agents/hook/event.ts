/** The hosts that `hasp hook` answers; each has one adapter in `hosts/`. */
export const HOOK_HOSTS = ["claude-code", "vscode", "copilot", "codex"] as const;
export type HookHost = (typeof HOOK_HOSTS)[number];

/** What can happen in an agent's session. `post-failure`: a tool has failed, where the host tells that apart. */
export type HookEventKind =
  | "session-start"
  | "prompt"
  | "pre"
  | "post"
  | "post-failure"
  | "stop"
  | "subagent-stop"
  | "session-end"
  | "other";

/** A tool call as the host sent it. */
export interface HookTool {
  readonly name: string;
  /** Mostly an object; some hosts send its JSON as a text. */
  readonly input: unknown;
}

/** What a tool answered. */
export interface HookResponse {
  readonly text: string;
  readonly ok?: boolean;
  readonly exitCode?: number;
}

/** One event of a host, in one vocabulary for all of them. */
export interface HookEvent {
  readonly host: HookHost;
  readonly kind: HookEventKind;
  /** The host's own name of the event, as its answer must repeat it. */
  readonly name: string;
  /** Of a subagent: the session's id, `~` and the agent's. It is an episode of its own. */
  readonly sessionId: string;
  /** Where the agent stands now; undefined where the host does not say. */
  readonly cwd: string | undefined;
  /** Milliseconds since 1970, where the host says so. */
  readonly at?: number;
  readonly toolUseId?: string;
  readonly tool?: HookTool;
  readonly response?: HookResponse;
  /** What the person said, or somebody else in their place. */
  readonly prompt?: string;
  /** Who wrote the prompt, in the host's word, where that is no person. */
  readonly author?: string;
  /** What the agent says as it stops. */
  readonly said?: string;
  /** Ids of the tasks that still run in the background as it stops; undefined where the host does not say. */
  readonly running?: readonly string[];
  /** The agent goes on because a stop hook held it back. */
  readonly stopHookActive: boolean;
  /** Nobody sits there to be asked: the host runs without questions, or without a terminal. */
  readonly unattended: boolean;
  /** Why the session ends. */
  readonly reason?: string;
  /** A shell line in the text of a skill: its input cannot be changed, and no event says how it ended. */
  readonly isSkillLine?: true;
}
