import {
  askedFor,
  injectContext,
  ProgramFunction,
  refuse,
  type ActionType,
  type CodingContext,
  type Intervention,
  type Json,
  type RanCommand,
} from "hasp";

const CHANGES = new Set(["Edit", "MultiEdit", "Patch", "Write"]);
/** Programs that show, make or bring back files whose names they are given. */
const KNOWS = new Set(
  "git diff cmp cp mv touch tee curl wget python python3 node perl ruby jq yq install ln unzip tar patch vim nano ed".split(
    " ",
  ),
);
/** What `npm init` and the like write, and print. */
const MANIFEST =
  /^(?:package\.json|tsconfig\.json|deno\.json|Cargo\.toml|pyproject\.toml|go\.mod|composer\.json|Gemfile)$/;
const SCAFFOLDS = /\b(?:init|new|create)\b/;
const KEPT_NAMES = 200;

export default class EditUnreadFile extends ProgramFunction {
  shouldActivate(ctx: CodingContext, actionType: ActionType): boolean {
    return CHANGES.has(actionType) && unreadIn(ctx).length > 0;
  }

  intervene(ctx: CodingContext): Intervention {
    const paths = unreadIn(ctx);
    const files = paths.join(", ");
    const has = paths.length === 1 ? "exists and has" : "exist and have";
    if (ctx.call.tool === "Write")
      return refuse(
        `Not written: ${files} ${has} not been read in this session, so what this would overwrite is unknown here. After a Read of it the same Write goes through; a text without a counterpart in the new one would be lost.`,
        "overwrites a file that this session has not read",
      );
    ctx.memory["told"] = [...told(ctx), ...paths].slice(-KEPT_NAMES);
    return injectContext(
      `${files} ${paths.length === 1 ? "was" : "were"} changed here without having been read in this session. The rest of the file may hold more places that belong to this change.`,
      "edits a file that this session has not read",
    );
  }
}

/** Existing files that the call changes and that nothing in the session has shown; each once for edits. */
function unreadIn(ctx: CodingContext): string[] {
  const isWrite = ctx.call.tool === "Write";
  const paths = new Set(ctx.changes.flatMap(({ path, kind }) => (kind === "delete" ? [] : [path])));
  return [...paths].filter(
    (path) => exists(path, ctx) && !isSeen(path, isWrite, ctx) && (isWrite || !told(ctx).includes(path)),
  );
}

/** What the host saw; without its word, an edit that replaces a text speaks of a file that is there. */
function exists(path: string, ctx: CodingContext): boolean {
  const seen = ctx.world.files?.find((file) => file.path === path);
  if (seen !== undefined) return seen.exists;
  const before = ctx.changes.find((change) => change.path === path)?.before;
  return ctx.call.tool !== "Write" && before !== undefined && before !== "";
}

function isSeen(path: string, isWrite: boolean, ctx: CodingContext): boolean {
  const name = plain(path);
  const known = ctx.files.find((file) => plain(file.path) === name);
  if (known?.createdAt !== undefined) return true;
  if (known?.readAt !== undefined && !(isWrite && known.readBy === "search")) return true;
  if (!isWrite && known?.editedAt !== undefined) return true;
  if (ctx.commands.some((ran) => shows(ran, name, isWrite))) return true;
  return isWrite && asksToReplace(path, ctx);
}

/** A command that names the file and prints, makes or fetches it. */
function shows({ command, programs }: RanCommand, path: string, isWrite: boolean): boolean {
  const name = baseName(path);
  if (MANIFEST.test(name) && SCAFFOLDS.test(command)) return true;
  const at = command.indexOf(name);
  if (at < 0 || /[\w.-]/.test(command[at + name.length] ?? "")) return false;
  const isTarget = />\s*["']?[\w./~-]*$/.test(command.slice(0, at));
  return isTarget || programs.some((program) => KNOWS.has(program) && !(isWrite && program === "diff"));
}

/** The person asked for the whole file to be written anew. */
function asksToReplace(path: string, ctx: CodingContext): boolean {
  return askedFor(ctx, {
    words: ["overwrite|replace|rewrite|regenerate|recreate|redo {path} *"],
    things: { path: [path] },
  });
}

function told({ memory }: CodingContext): Json[] {
  const kept = memory["told"];
  return Array.isArray(kept) ? kept : [];
}

const plain = (path: string): string => path.replace(/^\.\//, "");
const baseName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;
