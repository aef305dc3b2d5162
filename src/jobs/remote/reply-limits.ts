/** Most bytes of the header of a frame, and of its body; the program on a target cuts what is larger into pieces. */
export const MOST_HEADER = 64 * 1024;
export const MOST_BODY = 256 * 1024;

/** Bytes that a frame counts for at least: one of three takes a hundred times as much memory. */
export const LEAST_OF_FRAME = 256;

/** Most bytes that the shell of a target may write before the reply: site banners have a few thousand. */
export const MOST_BANNER = 1024 * 1024;

/** Bounds of a reply: a target is a stranger, and may never end. */
export interface ReplyLimits {
  /** Most bytes, with the headers of its frames. */
  readonly bytes: number;
  /** Most milliseconds until its end; absent: as long as something comes. */
  readonly totalMs?: number;
  /** Most milliseconds until its next frame; absent: none. */
  readonly silenceMs?: number;
}

const MB = 1024 * 1024;
const MINUTE_MS = 60_000;

/** A look at a job, a probe, a submission: a few programs of a scheduler, each of which gets 40 s there. */
const QUICK: ReplyLimits = { bytes: 4 * MB, totalMs: 10 * MINUTE_MS };
/** Packages are installed, models downloaded, large files copied or hashed, and nothing may be said meanwhile. */
const SLOW: ReplyLimits = { bytes: 16 * MB, silenceMs: 60 * MINUTE_MS };

const OF_REQUEST: Readonly<Record<string, ReplyLimits>> = {
  prepare: SLOW,
  fetchModels: SLOW,
  describe: SLOW,
  stage: SLOW,
  programs: SLOW,
  manifest: SLOW,
  // The time is that of the upload.
  put: { bytes: 16 * MB },
};

/** The bounds of the reply to a request, by its name. */
export const limitsOf = (op: string): ReplyLimits => OF_REQUEST[op] ?? QUICK;

/** Milliseconds in which a file that is sent must grow. */
const SILENCE_MS = 10 * MINUTE_MS;

/** Bytes of the headers of a file that comes in pieces: a path and a few words each. */
const HEADERS_OF_PIECE = 8 * 1024;

/** The bounds of a reply with so many bytes of files. */
export const limitsOfFiles = (bytes: number): ReplyLimits => ({
  bytes: bytes + (Math.ceil(bytes / MOST_BODY) + 2) * HEADERS_OF_PIECE,
  silenceMs: SILENCE_MS,
});
