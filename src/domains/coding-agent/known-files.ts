import type { FileChange, KnownFile } from "../../model/coding-context.ts";

/** Files that are kept; those that nothing was heard of for longest go first. */
const MAX_FILES = 2_000;

/** A list of known files that changes copy at most once, and not at all where nothing changes. */
export interface FileList {
  get(path: string): KnownFile | undefined;
  read(path: string, by: NonNullable<KnownFile["readBy"]>): void;
  change(change: Pick<FileChange, "path" | "kind">): void;
  list(): KnownFile[];
}

/** A search shows a few lines of a file; a person or a command shows more, and the tool itself leaves no doubt. */
const WEIGHT = { search: 0, person: 1, command: 2, tool: 3 } as const;

/**
 * Where the files stand in a list. The next step's list takes its index over, for 2,000 files a step are too many to count; where two
 * lists went apart, as with calls at the same time, the index may be wrong about one of them, and that list is searched.
 */
const indexes = new WeakMap<readonly KnownFile[], Map<string, number>>();

function indexOf(files: readonly KnownFile[]): Map<string, number> {
  const index = indexes.get(files) ?? new Map(files.map((file, i) => [file.path, i]));
  indexes.set(files, index);
  return index;
}

export function fileList(known: KnownFile[], t: number): FileList {
  let files = known;

  function placeOf(path: string): number {
    const at = indexOf(files).get(path);
    if (at === undefined || files[at]?.path === path) return at ?? -1;
    return files.findIndex((file) => file.path === path);
  }

  function put(file: KnownFile): void {
    const at = placeOf(file.path);
    const index = indexOf(files);
    if (files === known) {
      files = [...known];
      indexes.set(files, index);
    }
    if (at === -1) {
      index.set(file.path, files.length);
      files.push(file);
    } else files[at] = file;
  }

  return {
    get: (path) => files[placeOf(path)],
    read(path, by) {
      const before = files[placeOf(path)];
      if (before?.readBy !== undefined && WEIGHT[by] < WEIGHT[before.readBy]) return;
      put({ path, edits: 0, ...before, readAt: t, readBy: by });
    },
    change({ path, kind }) {
      const before = files[placeOf(path)];
      if (kind === "delete") {
        if (before === undefined) return;
        files = files.filter((file) => file.path !== path);
        return;
      }
      const created = kind === "create" && before === undefined ? { createdAt: t } : {};
      put({ path, ...before, ...created, editedAt: t, edits: (before?.edits ?? 0) + 1 });
    },
    list() {
      return files.length <= MAX_FILES ? files : latest(files);
    },
  };
}

function latest(files: readonly KnownFile[]): KnownFile[] {
  const heard = ({ readAt = -1, editedAt = -1 }: KnownFile): number => Math.max(readAt, editedAt);
  const least = files.map(heard).toSorted((a, b) => b - a)[MAX_FILES - 1] ?? 0;
  return files.filter((file) => heard(file) >= least).slice(-MAX_FILES);
}
