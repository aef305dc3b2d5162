import type { Usage } from "../../../model/usage.ts";
import type { JsonRecord } from "../records.ts";

/** Where a line hangs in the tree of its conversation. */
export interface LinePlace {
  /** 0-based line of the file. */
  readonly line: number;
  readonly uuid: string | undefined;
  /** The uuid that it names as its parent; null: it names none on purpose; undefined: the key is missing. */
  readonly parent: string | null | undefined;
  readonly session: string;
  /** Of a sub-agent's line; undefined: the main conversation, or a side chain that names no agent. */
  readonly agent: string | undefined;
  readonly isSide: boolean;
  readonly timestamp: string | undefined;
}

/** A line with (a part of) a reply of the agent. */
export interface AgentLine extends LinePlace {
  readonly kind: "agent";
  readonly messageId: string | undefined;
  /** Id of the request, of the service or of the host: two messages of one id and different requests are two. */
  readonly request: string | undefined;
  /** The `api-request` line that it answers. */
  readonly requestRef: string | undefined;
  readonly blocks: readonly JsonRecord[];
  readonly usage: Usage | undefined;
  /** Tokens that the service took from its cache, and those that it wrote into it. */
  readonly cached: { readonly read: number; readonly written: number } | undefined;
  readonly stopReason: string | undefined;
  readonly isCut: boolean;
}

/** A line in the user's place: results of tools, words of a person, words of the program. */
export interface UserLine extends LinePlace {
  readonly kind: "user";
  /** A text is a list of one block. */
  readonly blocks: readonly JsonRecord[];
  /** The program speaks, and no person. */
  readonly isProgram: boolean;
  /** The program speaks, and what it says is a task: of a plan that is due, say, or of another agent. */
  readonly isTask: boolean;
  /** What the conversation goes on from after a compaction. */
  readonly isSummary: boolean;
  /** What the host notes beside the first result of the line. */
  readonly beside: BesideResult;
}

export interface BesideResult {
  readonly interrupted?: true;
  readonly exitCode?: number;
  /** Sub-agent that the call started or asked. */
  readonly agent?: string;
}

/** Any other line that is part of a conversation: attachments, notices of the program, progress. */
export interface HostLine extends LinePlace {
  readonly kind: "host";
  readonly event: HostEvent | undefined;
}

export type HostEvent =
  | { readonly kind: "queued"; readonly text: string; readonly isProgram: boolean }
  /** What a hook answered. */
  | {
      readonly kind: "hook";
      readonly callId: string | undefined;
      readonly answer: JsonRecord;
      readonly isAfter: boolean;
    }
  | { readonly kind: "compaction"; readonly about: JsonRecord; readonly before: string | undefined }
  /** A turn begins or ends. */
  | { readonly kind: "turn" }
  /** Output of a command that the person gave to the program. */
  | { readonly kind: "printed"; readonly text: string }
  /** A call started a sub-agent. */
  | { readonly kind: "started"; readonly callId: string; readonly agent: string };

export type TranscriptLine = AgentLine | UserLine | HostLine;
