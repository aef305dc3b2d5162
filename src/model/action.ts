import { clip } from "./clip.ts";
import { z } from "./zod.ts";
import { parseJson } from "./read-json.ts";

/**
 * What an agent does in one step. `type` is from its domain's action space (web-search: SEARCH, READ, FINAL),
 * or `other` for a real action that the space has no name for, or `invalid` for text that is no action at all.
 * `raw` keeps the words of the policy where the mapping lost something (always for `other` and `invalid`).
 */
export const actionSchema = z.object({
  type: z.string().min(1),
  arg: z.string(),
  raw: z.string().optional(),
});
export type Action = z.infer<typeof actionSchema>;

/** Characters that one line shows of a tool call. */
const SHOWN = 120;
/** Inputs that tell what a call is about, the most telling first. */
const TELLING = [
  "command",
  "path",
  "file_path",
  "filePath",
  "pattern",
  "query",
  "url",
  "patch",
  "prompt",
  "description",
];

/** One line for people: `SEARCH("Helen Walton")`; of a tool call the input that tells most: `Bash(npm test)`. */
export function formatAction(action: Pick<Action, "type" | "arg">): string {
  const input = inputIn(action.arg);
  return `${action.type}(${input === undefined ? JSON.stringify(action.arg) : callText(input)})`;
}

/** The inputs of a call; undefined where the argument is no JSON object. */
function inputIn(arg: string): ReadonlyMap<string, unknown> | undefined {
  if (!arg.startsWith("{") || !arg.endsWith("}")) return undefined;
  const value = parseJson(arg);
  return typeof value === "object" && value !== null ? new Map(Object.entries(value)) : undefined;
}

function callText(input: ReadonlyMap<string, unknown>): string {
  const edits = input.get("edits");
  if (Array.isArray(edits)) {
    const [first] = edits.filter((edit) => typeof edit === "object" && edit !== null);
    const more = edits.length > 1 ? `, and ${edits.length - 1} more` : "";
    return first === undefined ? "" : `${callText(new Map(Object.entries(first)))}${more}`;
  }
  const key = TELLING.find((name) => typeof input.get(name) === "string");
  if (key === undefined)
    return input.size === 0 ? "" : clip(JSON.stringify(Object.fromEntries(input)), SHOWN);
  const told = clip(String(input.get(key)), SHOWN);
  const [before, after] = [input.get("oldText"), input.get("newText")];
  if (typeof before !== "string" || typeof after !== "string") return told;
  const half = Math.max(12, Math.floor((SHOWN - told.length) / 2));
  return `${told}: ${JSON.stringify(clip(before, half))} → ${JSON.stringify(clip(after, half))}`;
}

export function sameAction(a: Action, b: Action): boolean {
  return a.type === b.type && a.arg === b.arg;
}
