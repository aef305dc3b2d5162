import { isRecord, type JsonRecord } from "../../trace/formats/records.ts";

/** Levels of an event that are kept: a tool's input has a few. Deeper, the stack of what reads and writes it would end. */
const DEEPEST = 64;
const CUT = "… nested too deeply …";

/** Replaces what lies too deep by a text. It walks level by level, for the same reason. */
function cutDeep(root: JsonRecord): JsonRecord {
  let level: object[] = [root];
  for (let depth = 1; level.length > 0; depth++) {
    const next: object[] = [];
    for (const holder of level)
      for (const [key, value] of Object.entries(holder)) {
        if (typeof value !== "object" || value === null) continue;
        if (depth < DEEPEST) next.push(value as object);
        else Object.defineProperty(holder, key, { value: CUT, enumerable: true });
      }
    level = next;
  }
  return root;
}

/** The JSON object that an event is, however it was written; undefined where it is none. */
export function eventRecord(text: string): JsonRecord | undefined {
  try {
    // Not through `readJson`: a call that is refused for what stands beside its command would pass every guard.
    const value: unknown = JSON.parse(text.replace(/^\uFEFF+/, ""));
    return isRecord(value) ? cutDeep(value) : undefined;
  } catch {
    return undefined;
  }
}
