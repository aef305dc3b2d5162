import { hashText } from "./hash.ts";

/** Where things stand in a run folder (docs/formats.md). */
export interface RunPaths {
  readonly run: string;
  readonly episodes: string;
  /** Byte offsets of the episodes; any reader may rewrite it. */
  readonly index: string;
  /** A person's labels, one a line. */
  readonly notes: string;
  /** A teacher's judgements of steps, one a line. */
  readonly semantic: string;
  /** What the judge needs of each question besides gold, one a line; absent where it needs nothing. */
  readonly judging: string;
  /** What the import that made the run read, and what it did not; absent in other runs. */
  readonly importReport: string;
  /** The prompts that policies read, each message once. */
  readonly messages: string;
  /** SKILL.md and pf.ts of the skills that acted, a folder for each hash. */
  readonly library: string;
  /** The folder of the episodes under way. */
  readonly live: string;
  /** Names the process that writes episodes into the folder; absent while none does. */
  readonly lock: string;
}

export function runPaths(folder: string): RunPaths {
  const episodes = `${folder}/episodes.jsonl`;
  return {
    run: `${folder}/run.json`,
    episodes,
    index: sidecarPath(episodes),
    notes: `${folder}/notes.jsonl`,
    semantic: `${folder}/semantic.jsonl`,
    judging: `${folder}/judging.jsonl`,
    importReport: `${folder}/import.json`,
    messages: `${folder}/messages.jsonl`,
    library: `${folder}/library`,
    live: `${folder}/live`,
    lock: `${folder}/${LOCK}`,
  };
}

/** `episodes.jsonl` → `episodes.index`, in the same folder. */
export function sidecarPath(path: string): string {
  return `${path.replace(/\.jsonl$/, "")}.index`;
}

const LOCK = "episodes.lock";

/** A file of a writer that says nothing of the run: its lock, or what a killed write left beside its file. */
export function isWritersOwn(name: string): boolean {
  return name === LOCK || /\.[0-9a-f]{8}\.tmp$/.test(name);
}

/** File systems take 255 bytes for a name, and endings are added to it. */
const LONGEST_NAME = 180;

/** Decodes the id in a file name of `live`, without its ending; undefined if the name encodes no id: anybody may have put a file there. */
export function idInName(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

/**
 * `live/<id>.jsonl`, with every character encoded that some file system refuses or that could leave the folder. The end of a long name is a
 * hash of the whole id.
 */
export function livePath(folder: string, id: string): string {
  const name = encodeURIComponent(id.toWellFormed()).replaceAll(
    /[*'()!~]/g,
    (c) => `%${c.charCodeAt(0).toString(16)}`,
  );
  const short = name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME - 15)}_${hashText(id)}`;
  return `${folder}/live/${short}.jsonl`;
}

/** Folder of a file; `.` where the path has none. */
export const folderOf = (file: string): string => /^(.*)[/\\][^/\\]*$/.exec(file)?.[1] ?? ".";
