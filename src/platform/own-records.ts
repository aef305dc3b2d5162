import path from "node:path";
import type { OwnRecords } from "../model/own-records.ts";
import { sha256 } from "./sha256.ts";
import { makeFolderSync, readTextSync, replaceSync } from "./sync-files.ts";
import { absolute } from "./surroundings.ts";
import { stateFolder, withoutLinks } from "./user-folders.ts";

/** Kept by this process, also where the folder of the user cannot be written, as on some nodes of a cluster. */
const kept = new Set<string>();

/** A file for each order, named by its place and its content; outside every workspace, so that no workspace can answer for its user. */
function placeOf(file: string, text: string): string {
  const at = absolute(file);
  const real = path.join(withoutLinks(path.dirname(at)), path.basename(at));
  return path.join(stateFolder(), "own", sha256(`${real}\0${text}`));
}

/** The orders of this user. Relative names are below `root`, else below the current folder. */
export function ownRecords(root?: string): OwnRecords {
  const at = (file: string): string => (root === undefined ? file : path.resolve(root, file));
  return {
    has(file, text) {
      const place = placeOf(at(file), text);
      return kept.has(place) || readTextSync(place) !== undefined;
    },
    keep(file, text) {
      const place = placeOf(at(file), text);
      kept.add(place);
      try {
        makeFolderSync(path.dirname(place));
        replaceSync(place, `${absolute(at(file))}\n`);
      } catch {
        // The user is asked once more by the next process.
      }
    },
  };
}
