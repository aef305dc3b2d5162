/** Where things stand in a run folder (docs/formats.md). */
export interface RunPaths {
  readonly run: string;
  readonly episodes: string;
  /** A person's labels, one a line. */
  readonly notes: string;
  /** The folder of the episodes under way. */
  readonly live: string;
}

export function runPaths(folder: string): RunPaths {
  return {
    run: `${folder}/run.json`,
    episodes: `${folder}/episodes.jsonl`,
    notes: `${folder}/notes.jsonl`,
    live: `${folder}/live`,
  };
}

/** `live/<id>.jsonl`, with every character encoded that some file system refuses or that could leave the folder. */
export function livePath(folder: string, id: string): string {
  const name = encodeURIComponent(id.toWellFormed()).replaceAll(
    /[*'()!~]/g,
    (c) => `%${c.charCodeAt(0).toString(16)}`,
  );
  return `${folder}/live/${name}.jsonl`;
}
