/** One question of a run. */
export interface Question {
  /** Unique within its file; it becomes the id of the episode. */
  readonly id: string;
  readonly question: string;
  /** Accepted answers; undefined where nobody knows, and the episode stays unjudged. */
  readonly gold?: readonly string[] | undefined;
  /** The data set that it comes from, where that is known. */
  readonly dataset?: string;
  /** What the data set says of it, e.g. `hops`, `type`, `level`. No policy and no PF sees it. */
  readonly meta?: Readonly<Record<string, string | number>>;
}
