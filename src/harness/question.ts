/** One question of a run. */
export interface Question {
  /** Unique within its file; it becomes the id of the episode. */
  readonly id: string;
  readonly question: string;
  /** Accepted answers; undefined where nobody knows, and the episode stays unjudged. */
  readonly gold?: readonly string[] | undefined;
}
