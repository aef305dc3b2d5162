import type { Passage } from "../../environment.ts";

/** A passage that a search listed. */
export interface Found extends Passage {
  /** Where it stands on the web. */
  readonly url?: string;
}

/** Finds passages, in a local index or over the network. Shared by all episodes of a run, so it remembers no episode. */
export interface Retriever {
  /** The best `most` passages for the query, best first; none where nothing was found. Rejects with RetrieverError. */
  search(query: string, most: number, signal?: AbortSignal): Promise<readonly Found[]>;
  /** The passage with this title, whatever its case. Rejects with RetrieverError. */
  byTitle(title: string, signal?: AbortSignal): Promise<Found | undefined>;
  /**
   * The whole of what a search listed the beginning of; undefined where there is no more. Absent where a search brings whole
   * texts. Rejects with RetrieverError.
   */
  whole?(found: Found, signal?: AbortSignal): Promise<Found | undefined>;
  /** Asks for something that costs nothing, before a run begins. Rejects with RetrieverError where it cannot be used. */
  check?(signal: AbortSignal): Promise<void>;
}

/**
 * - `unreachable`: nobody answers there, or what answers is no such service. Ends an episode as long as the retriever has never answered.
 * - `failed`: a passing trouble, after all tries. The agent is told, and may go on.
 * - `refused`: the key or the account is not accepted. Ends the episode.
 * - `page`: a page that a result points to cannot be read. No fault of the retriever.
 */
export type RetrieverFailure = "unreachable" | "failed" | "refused" | "page";

/** Why a retriever brought nothing. The message is for people and holds no key. */
export class RetrieverError extends Error {
  override readonly name = "RetrieverError";
  readonly kind: RetrieverFailure;
  /** A few words of our own for the agent, such as `status 503`; at most 32 characters, nothing of what a server said. */
  readonly brief: string;

  constructor(kind: RetrieverFailure, brief: string, message: string) {
    super(message);
    this.kind = kind;
    this.brief = brief;
  }
}
