import type { Domain } from "../../domains/domain.ts";
import type { ChatMessage } from "../../llm/chat-model.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { DomainSpec } from "../../model/domain-spec.ts";
import type { Episode, Step } from "../../model/episode.ts";
import type { FailureCluster } from "../../model/failure.ts";
import type { ReviewedFile } from "../../model/review.ts";
import type { Skill } from "../../model/skill.ts";
import type { Usage } from "../../model/usage.ts";

/** Steps of a failed episode that an author may read. Holds neither gold nor outcome. */
export interface AuthorExample {
  readonly question: string;
  /** The steps to show, in order; not all of the episode. */
  readonly steps: readonly Step[];
  /** Which of them show the failure, by their `t`. */
  readonly at: readonly number[];
}

/** Steps before one that shows the failure, so that it can be understood. */
const STEPS_BEFORE = 2;

/** The steps of an episode that show a failure (0-based), each with the two before it. */
export function exampleOf(
  episode: Pick<Episode, "question" | "steps">,
  at: readonly number[],
): AuthorExample {
  const { question, steps } = episode;
  const isShown = (t: number): boolean => at.some((shown) => t <= shown && t >= shown - STEPS_BEFORE);
  return { question, steps: steps.filter(({ t }) => isShown(t)), at };
}

/** One skill to be written. */
export interface AuthorTask {
  /** Of the candidate, unique in its evolution: `e1-c2`. */
  readonly id: string;
  readonly domain: DomainSpec & Pick<Domain, "texts">;
  /** The failures to repair. */
  readonly cluster: Pick<FailureCluster, "category" | "abstraction" | "trigger" | "hint" | "group"> & {
    /** Number of its episodes. */
    readonly size: number;
  };
  /** Only the first three are shown. */
  readonly examples: readonly AuthorExample[];
  /** Skills that act, so that none is written twice. */
  readonly library: readonly Pick<Skill, "skillId" | "description">[];
  /** Tells apart requests that are meant to be sampled again (`ChatRequest.sample`). */
  readonly sample?: number;
}

/** Texts of a proposed skill. */
export type ProposedFiles = Readonly<Record<"SKILL.md" | "pf.ts", string>> &
  Readonly<Partial<Record<ReviewedFile, string>>>;

/** One reply of the author. */
export interface AuthorReply {
  /** All that it read. */
  readonly messages: readonly ChatMessage[];
  /** Word for word. */
  readonly text: string;
  readonly finish: "stop" | "length" | "other";
  /** Findings of our checks on it. */
  readonly diagnostics: readonly Diagnostic[];
  readonly usage: Usage;
}

/** A skill as a model proposed it. Plain data: it can be stored as JSON. */
export interface Proposal {
  /** Of the candidate. */
  readonly id: string;
  readonly domain: string;
  /** The first request, as the author read it. */
  readonly messages: readonly ChatMessage[];
  /** The reply that `files` are from; without files, the last one. Word for word. */
  readonly completion: string;
  /** Of the first request, of repairs, and of a revision; in order. */
  readonly replies: readonly AuthorReply[];
  /** The latest SKILL.md and pf.ts, with cases.yaml where it is there; undefined where no reply had both. */
  readonly files: ProposedFiles | undefined;
  /** The folder in which the files were checked and are to be written; undefined without files. */
  readonly folder: string | undefined;
  /** Without a version; undefined where SKILL.md cannot be read. */
  readonly skillId: string | undefined;
  /** kebab-case. */
  readonly name: string | undefined;
  readonly errorCategory: string | undefined;
  /** Findings of our checks on `completion`. */
  readonly diagnostics: readonly Diagnostic[];
}
