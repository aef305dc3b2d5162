export interface FileStat {
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970, as the file system keeps them. */
  readonly mtimeMs: number;
  /** False for folders, pipes, devices and sockets: they have no bytes to read at a place. */
  readonly isFile: boolean;
}

export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/**
 * The files that this room needs; `src/platform/files.ts` implements it. Paths use `/` or the system's own separator.
 * Every function rejects on an I/O error, except where it says what absence yields.
 */
export interface TraceFiles {
  /** Undefined where nothing is there. */
  stat(path: string): Promise<FileStat | undefined>;
  /** Up to `length` bytes from `offset`; fewer at the end of the file. */
  read(path: string, offset: number, length: number): Promise<Uint8Array>;
  /**
   * The bytes `from` (inclusive) to `to` (exclusive) in pieces of a few megabytes, read ahead. A piece is valid until the
   * next is asked for. Pieces must have a vectorised `indexOf(byte)`: Node's Buffer has, at five times the speed of a bare Uint8Array.
   */
  chunks(path: string, from: number, to: number): AsyncIterable<Uint8Array>;
  /** Adds to the end, creating the file. With `sync` the bytes are on the disk when it resolves. */
  append(path: string, data: Uint8Array, options?: { readonly sync?: boolean }): Promise<void>;
  /** Replaces the file as a whole or not at all: a temporary file beside it, then a rename. */
  writeAtomic(path: string, data: Uint8Array | AsyncIterable<Uint8Array>): Promise<void>;
  /** Names in the folder, sorted; none where there is no such folder. */
  list(folder: string): Promise<readonly string[]>;
  /** Plain files and folders in the folder, sorted by name; links, pipes and devices are left out. Rejects where there is no such folder. */
  entries(folder: string): Promise<readonly FolderEntry[]>;
  /** The absolute path, with the links on its way. */
  absolute(path: string): string;
  /** The absolute path without links. Rejects where nothing is there, or links lead in a circle. */
  realPath(path: string): Promise<string>;
  makeFolder(path: string): Promise<void>;
  /** Removes a file; nothing happens where there is none. */
  remove(path: string): Promise<void>;
  /** Undefined where the runtime cannot unpack Zstandard: Node before 22.15. */
  readonly zstd?: OpenZstdFrame | undefined;
}

/** Opens the unpacking of one frame of Zstandard; `take` gets what comes of it, in order, and may end it with `close`. */
export type OpenZstdFrame = (take: (data: Uint8Array) => void) => ZstdFrame;

/** One frame while it is unpacked. Both functions reject where its bytes are damaged. */
export interface ZstdFrame {
  push(packed: Uint8Array): Promise<void>;
  /** Resolves when all has been taken; rejects where the frame breaks off. */
  end(): Promise<void>;
  /** Gives up; nothing is taken after it. */
  close(): void;
}

export interface Clock {
  /** The present, as ISO 8601 in UTC. */
  now(): string;
}

/** SHA-256 of the UTF-8 form of a text, in hexadecimal. Immediate: an episode hashes each message that its policy reads. */
export type Sha256 = (text: string) => string;
