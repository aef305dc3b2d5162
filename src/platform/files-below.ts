import { isAbsolute, join } from "node:path";
import type { LibraryFiles } from "../evolve/library-files.ts";
import type { NodeFiles } from "./files.ts";
import { libraryFiles } from "./library-files.ts";

/**
 * The same files for a program whose current folder is not the one that relative names are of: they are of `root`. A record then holds the
 * names that `hasp` writes when it is started there.
 */
export function filesBelow(root: string, files: NodeFiles): NodeFiles {
  const at = pathsBelow(root);
  return {
    stat: (path) => files.stat(at(path)),
    read: (path, offset, length) => files.read(at(path), offset, length),
    chunks: (path, from, to) => files.chunks(at(path), from, to),
    append: (path, data, options) => files.append(at(path), data, options),
    writeAtomic: (path, data) => files.writeAtomic(at(path), data),
    list: (folder) => files.list(at(folder)),
    entries: (folder) => files.entries(at(folder)),
    absolute: (path) => files.absolute(at(path)),
    realPath: (path) => files.realPath(at(path)),
    makeFolder: (path) => files.makeFolder(at(path)),
    remove: (path) => files.remove(at(path)),
    exists: (path) => files.exists(at(path)),
    readText: (path, maxBytes) => files.readText(at(path), maxBytes),
    writeText: (path, text) => files.writeText(at(path), text),
    create: (path, data) => files.create(at(path), data),
  };
}

/** `LibraryFiles` over these files, with relative names below `root`. */
export function libraryFilesBelow(root: string, files: NodeFiles): LibraryFiles {
  const at = pathsBelow(root);
  const library = libraryFiles(files);
  return {
    readText: (path, maxBytes) => library.readText(at(path), maxBytes),
    writeText: (path, text) => library.writeText(at(path), text),
    list: (folder) => library.list(at(folder)),
    exists: (path) => library.exists(at(path)),
    absolute: (path) => library.absolute(at(path)),
    realPath: (path) => library.realPath(at(path)),
    exclusively: (path, work) => library.exclusively(at(path), work),
    moveFolder: (from, to) => library.moveFolder(at(from), at(to)),
    removeFolder: (path) => library.removeFolder(at(path)),
  };
}

const pathsBelow =
  (root: string) =>
  (path: string): string =>
    isAbsolute(path) ? path : join(root, path);
