/** The files that a skill is read from. Paths are joined with `/`; a path that is not there is no error. */
export interface SkillFiles {
  /** The file as text where it has at most `maxBytes`; `size` in bytes. Rejects only when a file cannot be read. */
  readText(
    path: string,
    maxBytes: number,
  ): Promise<
    | {
        readonly kind: "text";
        readonly text: string;
        /** What the file holds on disk, where its text came from a file or stands for one. */
        readonly bytes?: Uint8Array;
      }
    | { readonly kind: "absent" }
    | { readonly kind: "too-large"; readonly size: number }
  >;
  /** Names in a folder, files and folders; none when it is not a folder. Rejects only when a folder cannot be read. */
  list(folder: string): Promise<readonly string[]>;
  /** The path without links. Without it, a loop of links is followed until it is too deep. */
  realPath?(path: string): Promise<string>;
}
