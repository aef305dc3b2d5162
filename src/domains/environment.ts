import type { KeyStore } from "../llm/keys.ts";
import type { Redactor } from "../llm/redact.ts";
import type { Timing } from "../llm/timing.ts";
import type { Action } from "../model/action.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import type { Document, Step } from "../model/episode.ts";

/**
 * The teacher, as a tool asks it. Answers with a reply, or with the reason for its absence. The implementation accounts for the usage
 * of the call. Rejects only with the signal's reason on abort.
 */
export type AskTeacher = (question: {
  readonly prompt: string;
  readonly maxTokens: number;
  readonly temperature: number;
}) => Promise<{ readonly reply?: string | undefined; readonly error?: string | undefined }>;

/** The result of one action. */
export interface ToolAnswer {
  readonly observation: string;
  readonly documents?: readonly Document[];
}

/** The tools of one episode; they remember its latest results. Fits the harness's `Environment`. */
export interface Tools {
  /** Action types that it can execute. */
  readonly actionTypes: readonly string[];
  readonly searchReturnsText: boolean;
  /** Takes the documents of the latest recorded search as its latest results. Absent where no result is referred to later. */
  restore?(steps: readonly Pick<Step, "executed" | "documents">[]): void;
  /** `ask` is there where the teacher may write an answer. Rejects where the failure ends the episode. */
  execute(action: Action, signal?: AbortSignal, ask?: AskTeacher): Promise<ToolAnswer>;
}

/** A person's choice of tools; `hasp.yaml` names all but the address. */
export interface ToolOrder {
  readonly retriever: string;
  /** Undefined: the retriever's own address. */
  readonly url?: string | undefined;
  readonly language: string;
  /** Calls at once; 0: as many as suit the retriever. */
  readonly concurrency: number;
  /** Results that one search lists. */
  readonly topK: number;
}

/** A text that a search can find. */
export interface Passage {
  readonly title: string;
  readonly text: string;
}

export interface EnvironmentOrder {
  readonly tools: ToolOrder;
  /** The local corpus; undefined where there is none. */
  readonly passages: readonly Passage[] | undefined;
  readonly hasTeacher: boolean;
}

/** One request. Rejects when no answer comes; redirects and error statuses are answers. */
export type WebSend = (request: {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}) => Promise<Response>;

/** Addresses that a client connects to: any, those of the public internet, or those and this machine's. */
export type Reach = "any" | "public" | "public-or-own";

export interface WebClient {
  readonly send: WebSend;
  /** Closes connections that are kept open. */
  close(): void;
}

/** Everything that an environment may use of the outside. */
export interface EnvironmentPorts {
  readonly openClient: (reach: Reach) => WebClient;
  /** Each key is sent to its own origin alone. */
  readonly keys: KeyStore;
  readonly timing: Timing;
  /** Learns the keys. */
  readonly redactor: Redactor;
  /** Receives each kind of failure once, while the episodes go on. It holds no key. */
  readonly onTrouble: (message: string) => void;
}

/** The part of an environment that makes episodes comparable, for `run.json`. Holds no key. */
export interface EnvironmentSettings {
  readonly kind: string;
  readonly url?: string;
  readonly topK: number;
}

/** The environment of a run, shared by all its episodes. To be closed. */
export interface RunEnvironment {
  readonly settings: EnvironmentSettings;
  /** The tools of one episode. */
  openTools(): Tools;
  /** Asks a remote service for something that costs nothing; an error where it cannot be used. Rejects on abort. */
  check(signal: AbortSignal): Promise<readonly Diagnostic[]>;
  close(): void;
}

/** Opens the environment of a run, and sends nothing yet. No value where an address, a key or a corpus is missing or must not be used. */
export type OpenEnvironment = (
  order: EnvironmentOrder,
  ports: EnvironmentPorts,
) => Promise<Checked<RunEnvironment>>;
