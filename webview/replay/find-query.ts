export interface FindQuery {
  readonly text: string;
  readonly matchCase: boolean;
}

/** One place of the episode with the words that are looked for. */
export interface Hit {
  /** 0-based step; undefined in the question and the answer. */
  readonly t: number | undefined;
  /** The `data-field` of the element that shows it. */
  readonly field: string;
  /** Which hit of its field, from 0. */
  readonly nth: number;
  /** Characters of the field up to the end of the hit. */
  readonly end: number;
}
