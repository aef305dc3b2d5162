import type { Contract, NoRequests } from "./contract.ts";
import type { HelpPlace } from "../model/help-page.ts";
import type { EvidenceSection } from "../model/evidence.ts";
import type { Review, ReviewedFile, ReviewEdit } from "../model/review.ts";

/** A piece of a teacher's text. With `file` it links to that file of the skill. */
export interface FeedbackPart {
  readonly text: string;
  /** It stood between backticks. */
  readonly code?: true;
  readonly file?: ReviewedFile;
  /** 1-based; absent where the file as a whole is meant. */
  readonly line?: number;
}

export type Feedback = readonly FeedbackPart[];

/** One of the five dimensions. */
export interface ScoreRow {
  readonly name: string;
  /** The question behind the score, in one sentence. */
  readonly meaning: string;
  /** In [0, 1]. */
  readonly score: number;
  /** Share of Q_skill, in [0, 1]. */
  readonly weight: number;
  /** The teacher's reason; empty where it gave none. */
  readonly why: Feedback;
}

/** An edit that the teacher suggests. */
export interface ShownEdit extends Pick<ReviewEdit, "original" | "replacement"> {
  /** Its place and its reason. */
  readonly why: Feedback;
}

/** A stored review as the view draws it. */
export interface ShownReview extends Pick<
  Review,
  "when" | "version" | "teacher" | "prompt" | "decision" | "basis" | "qSkill" | "cases" | "usage" | "tries"
> {
  readonly scores: readonly ScoreRow[];
  readonly suggestions: readonly Feedback[];
  readonly edits: readonly ShownEdit[];
  /** Measured before the teacher was asked; undefined in reviews that did not keep it. */
  readonly evidence: readonly EvidenceSection[] | undefined;
  /** The executable checks; undefined where the skill has no Program Function. */
  readonly checks: NonNullable<Review["executable"]>["checks"] | undefined;
  /** Files that differ from those that the teacher saw; none: the review is current. */
  readonly changed: readonly ReviewedFile[];
}

/** A stored review in the list of a skill's reviews. */
export interface ReviewHead extends Pick<Review, "when" | "version" | "decision" | "qSkill"> {
  /** Position in `metadata.json`; later reviews do not change it. */
  readonly index: number;
}

/** A field that a reply lacks or has wrong. */
export interface ReplyProblem {
  readonly code: string;
  readonly message: string;
}

/** A reply that is no review, after the teacher was asked once more. */
export interface UnusableReply {
  readonly teacher: string;
  /** ISO 8601. */
  readonly when: string;
  readonly text: string;
  readonly problems: readonly ReplyProblem[];
}

/** The evidence since its latest review, in this session. */
export interface Measured {
  /** ISO 8601. */
  readonly when: string;
  readonly sections: readonly EvidenceSection[];
}

/** A review under way. */
export interface RunningReview {
  readonly teacher: string;
  readonly phase: string;
  /** The reply as far as it has come. */
  readonly words: string;
}

export interface ReviewPage {
  readonly skillId: string;
  /** Newest first. */
  readonly reviews: readonly ReviewHead[];
  /** Of the latest try, where that gave no review. */
  readonly unusable: UnusableReply | undefined;
  readonly running: RunningReview | undefined;
  readonly measured: Measured | undefined;
}

/** Requests that the view of a skill's reviews makes. */
export interface ReviewHost extends Contract {
  requests: {
    open: { params: Record<string, never>; result: ReviewPage };
    readReview: { params: { index: number }; result: ShownReview };
    /** Opens a file of the skill, at a 1-based line where one is given. */
    openFile: { params: { file: ReviewedFile; line?: number }; result: null };
    /** Asks the teacher; the answer comes as events. */
    reviewAgain: { params: Record<string, never>; result: null };
    /** Measures the skill anew, without a teacher. */
    showEvidence: { params: Record<string, never>; result: null };
    /** Opens `metadata.json` at a review. */
    openRaw: { params: { index: number }; result: null };
    openLog: { params: Record<string, never>; result: null };
    openHelp: { params: HelpPlace; result: null };
  };
  events: {
    /** A review was added, or a file of the skill changed: ask again. */
    changed: null;
    running: RunningReview;
  };
}

export interface ReviewView extends Contract {
  requests: NoRequests;
  events: Record<string, never>;
}
