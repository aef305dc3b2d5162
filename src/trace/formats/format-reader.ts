import type { Severity } from "../../model/diagnostic.ts";
import type { Sha256 } from "../ports.ts";
import type { StoredPrompt } from "../message-reader.ts";
import type { CalledAgents } from "./called-agents.ts";
import type { CodexThreads } from "./codex/threads.ts";
import type { SharedLogs } from "./otel/shared-logs.ts";
import type { Ledger } from "./ledger.ts";
import type { ReadEpisode } from "./turn.ts";

/** Something that a person should know about a place of the file. */
export interface FormatProblem {
  /** 0-based; of a document that is no JSON lines, its first. */
  readonly line: number;
  /** Error: nothing of it is in an episode. */
  readonly severity: Severity;
  readonly message: string;
  readonly next: string;
}

export interface FormatResult {
  readonly episodes: readonly ReadEpisode[];
  readonly problems: readonly FormatProblem[];
  /** Among them those that the episodes refer to; only of documents that HASP itself wrote. */
  readonly messages?: readonly StoredPrompt[];
}

/** Makes episodes of the JSON values of one file: its lines, or the one document that it is. Never throws. */
export interface FormatReader {
  /** `isCut`: the text of the value breaks off, and this is what stood before the break. */
  read(value: unknown, line: number, isCut?: boolean): FormatResult;
  /** After the last value: episodes that several values make together. */
  end(): FormatResult;
}

export interface ReaderOptions {
  /** The file's name without folders and ending: names episodes that have no id. */
  readonly name: string;
  /** The name of the folder that it lies in, which some programs name after the session. */
  readonly folder?: string | undefined;
  readonly ledger: Ledger;
  /** The calls of sub-agents in the files of the import that were read before; the reader adds its own. */
  readonly called?: CalledAgents | undefined;
  /** How the files of the import go on from each other, of Codex. */
  readonly threads?: CodexThreads | undefined;
  /** Log records in other files of the import than their spans, of OpenTelemetry. */
  readonly logs?: SharedLogs | undefined;
  /** By which a format names its messages. */
  readonly sha256?: Sha256 | undefined;
}

export const NOTHING: FormatResult = { episodes: [], problems: [] };

export function one(episode: ReadEpisode, problems: readonly FormatProblem[] = []): FormatResult {
  return { episodes: [episode], problems };
}

/** The value gives no episode. */
export function refuse(line: number, message: string, next: string): FormatResult {
  return { episodes: [], problems: [{ line, severity: "error", message, next }] };
}

export function warning(line: number, message: string, next: string): FormatProblem {
  return { line, severity: "warning", message, next };
}
