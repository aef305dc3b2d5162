/**
 * A program as the Program Functions of code see it, read once by the domain. Lines are 0-based lines of `source`; texts are pieces of it.
 */
export interface CodeDraft {
  /** The proposed program, without fences and prose. */
  readonly source: string;
}
