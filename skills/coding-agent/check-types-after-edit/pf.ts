import {
  injectContext,
  ProgramFunction,
  type ActionType,
  type Check,
  type CodingContext,
  type Intervention,
  type KnownFile,
} from "hasp";

/** Changes without a check after which it speaks up between edits. */
const MANY_EDITS = 8;
const NAMED_FILES = 6;
const EDITS = new Set<string>(["Edit", "MultiEdit", "Patch", "Write"]);

const WEB = /\.(?:[cm]?tsx?|vue|svelte|astro)$/i;
/** A build of JavaScript finds broken imports, in files without types too. */
const WEB_BUILD = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/i;
const COMPILED = /\.(?:rs|go|java|kts?|swift|cs|c|h|cc|cpp|hpp|scala|dart|zig)$/i;
const ANY =
  /\.(?:[cm]?[jt]sx?|vue|svelte|pyi?|rs|go|java|kts?|swift|cs|c|h|cc|cpp|hpp|scala|dart|zig|exs?)$/i;
/** The first that the command's text fits says which files it is about. */
const ABOUT: readonly (readonly [RegExp, RegExp])[] = [
  [/\b(?:mypy|pyright|basedpyright|pyre|ty)\b/, /\.pyi?$/i],
  [/\bcargo\b/, /\.rs$/i],
  [/\bgo (?:build|vet|test)\b/, /\.go$/i],
  [/\b(?:tsc|vue-tsc|tsgo|svelte-check|typecheck|type-check|check-types|check:types|types)\b/, WEB],
  [/\b(?:npm|pnpm|yarn|bun|npx|vite|webpack|rollup|esbuild|next)\b/, WEB_BUILD],
];
const FOREIGN =
  /^(?:\/|~|[A-Za-z]:[\\/]|\.\.\/)|(?:^|\/)(?:node_modules|vendor|third_party|dist|generated|fixtures|testdata)\//;
const UNWANTED =
  /\b(?:don['’]?t|do not|no need to|without|never)\s+(?:\w+\s+){0,2}?(?:type-?check(?:ing)?|check(?:ing)? (?:the )?types|tsc|mypy|build(?:ing)?|compil(?:e|ing))\b/i;

export default class CheckTypesAfterEdit extends ProgramFunction {
  override maxFires = 5;

  shouldActivate(ctx: CodingContext, actionType: ActionType, arg: string): boolean {
    const command = commandOf(ctx);
    if (command === undefined || ctx.prompts.some((prompt) => UNWANTED.test(prompt))) return false;
    const changed = changedFiles(ctx, command);
    const last = lastCheck(ctx, command);
    const open = changed.filter(({ editedAt = -1 }) => editedAt > (last?.t ?? -1));
    if (ctx.memory["told"] === latest(changed)) return false;
    if (actionType === "FINAL")
      return !/\?\s*$/.test(arg) && (open.length > 0 || (changed.length > 0 && last?.passed === false));
    return EDITS.has(actionType) && editsSince(ctx, command) >= MANY_EDITS;
  }

  intervene(ctx: CodingContext, actionType: ActionType): Intervention {
    const command = commandOf(ctx) ?? "";
    const changed = changedFiles(ctx, command);
    const last = lastCheck(ctx, command);
    const open = changed.flatMap(({ path, editedAt = -1 }) => (editedAt > (last?.t ?? -1) ? [path] : []));
    const edits = actionType === "FINAL" ? "" : `${editsSince(ctx, command)} edits without a check. `;
    ctx.memory["told"] = latest(changed);
    // The edit that is proposed now counts for the next time.
    ctx.memory["toldAt"] = ctx.stepCount - 1;
    if (open.length === 0)
      return injectContext(
        `\`${last?.command ?? command}\` failed when it last ran.`,
        "the type check failed",
      );
    return injectContext(
      `${edits}\`${command}\` has not run since ${listed(open)} changed.`,
      `files changed after the last run of ${command}`,
    );
  }
}

/** The project's type check; without one, its build. */
function commandOf({ project }: CodingContext): string | undefined {
  const own = project.find(({ kind }) => kind === "types") ?? project.find(({ kind }) => kind === "build");
  return own?.command;
}

function filesOf(command: string): RegExp {
  return ABOUT.find(([tool]) => tool.test(command))?.[1] ?? ANY;
}

function changedFiles({ files }: CodingContext, command: string): KnownFile[] {
  const about = filesOf(command);
  return files.filter(
    ({ path, editedAt }) => editedAt !== undefined && about.test(path) && !FOREIGN.test(path),
  );
}

function latest(files: readonly KnownFile[]): number {
  return files.reduce((most, { editedAt = -1 }) => Math.max(most, editedAt), -1);
}

/** The latest run that said something about the types of these files. */
function lastCheck(ctx: CodingContext, command: string): Check | undefined {
  const isCompiled = changedFiles(ctx, command).every(({ path }) => COMPILED.test(path));
  return ctx.checks.findLast(
    ({ kind, passed }) =>
      kind === "types" || kind === "build" || (kind === "test" && isCompiled && passed === true),
  );
}

/** Successful edits cannot be counted from the files alone, so calls of the history stand for them. */
function editsSince(ctx: CodingContext, command: string): number {
  const about = filesOf(command);
  const told = ctx.memory["toldAt"];
  const from = Math.max(lastCheck(ctx, command)?.t ?? -1, typeof told === "number" ? told : -1);
  return ctx.actionHistory.filter(({ type, arg }, t) => {
    if (t <= from || !EDITS.has(type)) return false;
    const path = /"path":"((?:[^"\\]|\\.){1,300})"/.exec(arg)?.[1];
    return path === undefined ? type === "Patch" : about.test(path) && !FOREIGN.test(path);
  }).length;
}

function listed(paths: readonly string[]): string {
  const more = paths.length - NAMED_FILES;
  return paths.slice(0, NAMED_FILES).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
