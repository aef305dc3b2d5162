import type { KnownFile } from "../../model/coding-context.ts";
import { hashText } from "../../trace/hash.ts";
import type { EffectKind } from "./command-effects.ts";
import { writesOfFile } from "./program-writes.ts";

/** Files that are kept; those that nothing was heard of for longest go first. */
const MAX_FILES = 2_000;

/** A change of a file, or of all below a folder; a deletion and an undoing may have a pattern as the last part of their path. */
export interface FileEffect {
  readonly path: string;
  readonly kind: EffectKind;
  /** The whole text, where it is known. */
  readonly text?: string;
  /** The file that is moved. */
  readonly from?: string;
}

/** A list of known files that changes copy at most once, and not at all where nothing changes. */
export interface FileList {
  get(path: string): KnownFile | undefined;
  read(path: string, by: NonNullable<KnownFile["readBy"]>): void;
  change(change: FileEffect): void;
  list(): KnownFile[];
  /** Files that the session had made and that this step deleted. */
  gone(): readonly string[];
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

/** `key`: what the step does, the same for two steps that do the same. */
export function fileList(known: KnownFile[], t: number, key = ""): FileList {
  let files = known;
  const gone: string[] = [];

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
    change(effect) {
      const { path, kind, from, text } = effect;
      if (kind !== "create" && kind !== "replace") {
        const left = afterMany(files, effect);
        if (left.length < files.length) gone.push(...madeIn(files, left));
        files = left;
        return;
      }
      const before = files[placeOf(path)];
      const source = from === undefined ? undefined : files[placeOf(from)];
      // What is moved keeps its age: a file of the project stays one under another name.
      const isNew =
        before === undefined && kind === "create" && (from === undefined || source?.createdAt !== undefined);
      const writes = text === undefined ? source?.writes : writesOfFile(path, text);
      const { writes: _, sameSince: __, ...kept } = before ?? { edits: 0 };
      put({
        path,
        ...kept,
        ...(isNew ? { createdAt: t } : {}),
        ...(writes === undefined || writes.length === 0 ? {} : { writes: [...writes] }),
        ...placeIn(before, key, t),
        editedAt: t,
        edits: kept.edits + 1,
      });
    },
    list() {
      return files.length <= MAX_FILES ? files : latest(files);
    },
    gone: () => gone,
  };
}

function latest(files: readonly KnownFile[]): KnownFile[] {
  const heard = ({ readAt = -1, editedAt = -1 }: KnownFile): number => Math.max(readAt, editedAt);
  const least = files.map(heard).toSorted((a, b) => b - a)[MAX_FILES - 1] ?? 0;
  return files.filter((file) => heard(file) >= least).slice(-MAX_FILES);
}

/** Places of a file in its own history that are kept. */
const MAX_STOOD = 8;

/** Where a change brings a file: to a text at which it has stood before, if the same changes were made then. */
function placeIn(before: KnownFile | undefined, key: string, t: number): Partial<KnownFile> {
  const { trail: from = "", stood = [] } = before ?? {};
  const trail = hashText(`${from}\n${key}`);
  const known = stood.find(([place]) => place === trail);
  if (known !== undefined) return { trail, sameSince: known[1] };
  return { trail, stood: [...stood, [trail, t] satisfies [string, number]].slice(-MAX_STOOD) };
}

const LAST_PART = /[^/]*$/;

/** Whether a path is the one that is named, lies below it, or fits its last part as a pattern. */
function named(by: string): (path: string) => boolean {
  if (by === ".") return () => true;
  const last = LAST_PART.exec(by)?.[0] ?? "";
  if (!/[*?]/.test(last)) return (path) => path === by || path.startsWith(`${by}/`);
  const folder = by.slice(0, by.length - last.length);
  const parts = last.split("*");
  return (path) => path.startsWith(folder) && fits(path.slice(folder.length), parts);
}

/** The parts of a pattern, between which anything may stand, follow each other in the name. */
function fits(name: string, parts: readonly string[]): boolean {
  const [first = "", ...rest] = parts;
  if (name.includes("/") || !name.startsWith(first)) return false;
  let at = first.length;
  for (const [i, part] of rest.entries()) {
    const found = i === rest.length - 1 ? name.length - part.length : name.indexOf(part, at);
    if (found < at || !name.startsWith(part, found)) return false;
    at = found + part.length;
  }
  return rest.length > 0 || at === name.length;
}

/** The files after a change of many of them: the same list where none is changed. */
function afterMany(files: readonly KnownFile[], { path, kind }: FileEffect): KnownFile[] {
  const isNamed = named(path);
  let isSame = true;
  const left = files.flatMap((file) => {
    const next = isNamed(file.path) ? afterOne(file, kind) : file;
    if (next !== file) isSame = false;
    return next ?? [];
  });
  return isSame ? (files as KnownFile[]) : left;
}

/** The files of the session's own that are left no more. */
function madeIn(before: readonly KnownFile[], left: readonly KnownFile[]): string[] {
  const kept = new Set(left);
  return before.flatMap((file) => (file.createdAt === undefined || kept.has(file) ? [] : [file.path]));
}

/** One file after it was deleted, undone, stashed or taken out of the stash; Git leaves alone what the session made. */
function afterOne(file: KnownFile, kind: EffectKind): KnownFile | undefined {
  if (kind === "delete") return undefined;
  const { editedAt, stashedAt, ...rest } = file;
  const { trail: _, sameSince: __, ...fresh } = rest;
  if (file.createdAt !== undefined) return kind === "clean" ? undefined : file;
  if (kind === "undo" && editedAt !== undefined) return { ...fresh, edits: 0 };
  if (kind === "stash" && editedAt !== undefined) return { ...rest, stashedAt: editedAt };
  if (kind === "unstash" && stashedAt !== undefined) return { ...rest, editedAt: editedAt ?? stashedAt };
  return file;
}
