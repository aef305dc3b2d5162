import path from "node:path";

/** A file or a folder that cannot be used, in a person's words: the message names it, `next` says what to do. */
export class FileError extends Error {
  readonly file: string;
  readonly next: string;
  /** The system's own, such as ENOSPC; undefined where a rule of ours refused. */
  readonly code: string | undefined;
  constructor(message: string, { file, next, ...more }: FileErrorParts) {
    super(message, { cause: more.cause });
    this.name = "FileError";
    this.file = file;
    this.next = next;
    this.code = more.code;
  }
}

interface FileErrorParts {
  readonly file: string;
  readonly next: string;
  readonly code?: string | undefined;
  readonly cause?: unknown;
}

type Deed = "written" | "read" | "made" | "removed";

interface Words {
  readonly why: string;
  readonly next: string;
}

const ELSEWHERE = "Give yourself the permission, or name another place.";
const AGAIN = "Then do it again: what stood there before is as it was.";

/** Codes of the system (errno) that a person can do something about. `folder` holds the file. */
function wordsFor(code: string, folder: string): Words | undefined {
  switch (code) {
    case "ENOSPC":
      return {
        why: "the disk is full",
        next: `Make room on the disk of ${folder}; \`hasp gc\` empties the cache. ${AGAIN}`,
      };
    case "EDQUOT":
      return {
        why: "your share of the disk (quota) is used up",
        next: `Delete files of yours on the disk of ${folder}, or have the quota raised. ${AGAIN}`,
      };
    case "EFBIG":
      return {
        why: "it would be larger than files may be here",
        next: `Raise the limit (ulimit -f). ${AGAIN}`,
      };
    case "EROFS":
      return {
        why: "its disk can only be read",
        next: "Name a place on a disk that can be written, or mount this one for writing.",
      };
    case "EACCES":
    case "EPERM":
      return { why: "you have no permission", next: ELSEWHERE };
    case "EISDIR":
      return { why: "it is a folder", next: "Name a file, or move the folder away." };
    case "ENOTDIR":
      return {
        why: "a part of its path is a file and no folder",
        next: "Name another place, or move that file away.",
      };
    case "EEXIST":
      return { why: "it is there already", next: "Move it away, or name another place." };
    case "ENOTEMPTY":
      return {
        why: "something is in it by now",
        next: "Look at what is there: move it away, or name another place.",
      };
    case "ENOENT":
      return { why: "its folder is not there", next: "Make the folder, or check the path." };
    case "ENAMETOOLONG":
      return { why: "its name is too long for this disk", next: "Give it a shorter one." };
    case "EMFILE":
    case "ENFILE":
      return {
        why: "too many files are open",
        next: "Close other programs, or raise the limit (ulimit -n).",
      };
    case "EBUSY":
    case "ETXTBSY":
      return { why: "another program is using it", next: "Close that program, then do it again." };
    case "EIO":
      return {
        why: "the disk reports a fault",
        next: "Copy what matters to another disk, and have this one checked.",
      };
    default:
      return undefined;
  }
}

/** The same failure in words, where the system refused something about this file; any other error as it is. */
export function asFileError(error: unknown, file: string, deed: Deed): unknown {
  if (error instanceof FileError || !(error instanceof Error) || !("syscall" in error)) return error;
  const code = "code" in error ? String(error.code) : "";
  const words = wordsFor(code, path.dirname(file)) ?? {
    why: error.message,
    next: "Check the path and its disk.",
  };
  return new FileError(`${file} cannot be ${deed}: ${words.why}.`, {
    file,
    code,
    cause: error,
    next: words.next,
  });
}
