import {
  injectContext,
  noop,
  ProgramFunction,
  type ActionType,
  type CheckKind,
  type CodingContext,
  type Intervention,
} from "hasp";

const NAMED_FILES = 6;
const WEB = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|css|scss|less|html)$/i;
/** A linter of programs has nothing to say about styles; a formatter has. */
const WEB_PROGRAMS = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/i;
const STYLES_TOO = /\b(?:stylelint|biome|prettier|oxfmt|dprint)\b/;
const PYTHON = /\.pyi?$/i;
const RUST = /\.rs$/i;
const GO = /\.go$/i;
const ANY =
  /\.(?:[cm]?[jt]sx?|vue|svelte|pyi?|rs|go|java|kts?|swift|rb|php|cs|c|h|cc|cpp|hpp|scala|ex|exs|dart|lua|zig)$/i;
/** The first that the command's text fits says which files it is about. */
const ABOUT: readonly (readonly [RegExp, RegExp])[] = [
  [/\b(?:ruff|black|isort|yapf|autopep8|flake8|pylint)\b/, PYTHON],
  [/\bcargo\b|\brustfmt\b/, RUST],
  [/\bgofmt\b|\bgoimports\b|\bgolangci-lint\b|\bgo (?:fmt|vet)\b/, GO],
  [/\b(?:rubocop|standardrb)\b/, /\.rb$/i],
  [/\bclang-format\b/, /\.(?:c|h|cc|cpp|hpp|m)$/i],
  [/\b(?:npm|pnpm|yarn|bun|npx|deno|prettier|eslint|oxlint|oxfmt|biome|dprint)\b/, WEB],
];
const FOREIGN =
  /^(?:\/|~|[A-Za-z]:[\\/]|\.\.\/)|(?:^|\/)(?:node_modules|vendor|third_party|dist|generated|fixtures|testdata)\//;
const UNWANTED =
  /\b(?:don['’]?t|do not|no need to|without|never)\s+(?:\w+\s+){0,2}?(?:(?:re)?format|lint|(?:re)?formatting|linting|prettier|eslint)\b/i;

/** A command of the project that has something to say. */
interface Open {
  readonly command: string;
  readonly kind: CheckKind;
  readonly files: readonly string[];
  readonly failed: boolean;
  /** Step of the latest change that it is about. */
  readonly changedAt: number;
}

export default class FormatAfterEdit extends ProgramFunction {
  override maxFires = 3;

  shouldActivate(ctx: CodingContext, actionType: ActionType, arg: string): boolean {
    if (actionType !== "FINAL" || ctx.lastEditAt === undefined || /\?\s*$/.test(arg)) return false;
    if (ctx.prompts.some((prompt) => UNWANTED.test(prompt))) return false;
    const open = openCommands(ctx);
    return open.length > 0 && ctx.memory["told"] !== latest(open);
  }

  intervene(ctx: CodingContext): Intervention {
    const open = openCommands(ctx);
    if (open.length === 0) return noop("no command of the project has anything to say");
    ctx.memory["told"] = latest(open);
    const said = open.map(({ command, files, failed, kind }) =>
      failed
        ? `\`${command}\` failed when it last ran.`
        : `\`${command}\`, the project's ${kind === "format" ? "formatter" : "linter"}, has not run since ${listed(files)} changed.`,
    );
    const names = open.map(({ command }) => command).join(", ");
    return injectContext(said.join(" "), `the files were changed after the last run of ${names}`);
  }
}

function openCommands(ctx: CodingContext): Open[] {
  return ctx.project.flatMap(({ kind, command }) => {
    if (kind !== "format" && kind !== "lint") return [];
    const about = ABOUT.find(([tool]) => tool.test(command))?.[1] ?? ANY;
    const files = about === WEB && kind === "lint" && !STYLES_TOO.test(command) ? WEB_PROGRAMS : about;
    const last = ctx.checks.findLast((check) => check.kind === kind && isAbout(check.command, about));
    const changed = ctx.files.filter(
      ({ path, editedAt }) => editedAt !== undefined && files.test(path) && !FOREIGN.test(path),
    );
    const changedAt = Math.max(...changed.map(({ editedAt = -1 }) => editedAt));
    const open = changed.flatMap(({ path, editedAt = -1 }) => (editedAt > (last?.t ?? -1) ? [path] : []));
    const failed = last?.passed === false && changed.length > 0 && open.length === 0;
    return open.length > 0 || failed ? [{ command, kind, files: open, failed, changedAt }] : [];
  });
}

const latest = (open: readonly Open[]): number => Math.max(...open.map(({ changedAt }) => changedAt));

/** A check of another language says nothing about these files. */
function isAbout(command: string, about: RegExp): boolean {
  const other = ABOUT.find(([tool]) => tool.test(command))?.[1] ?? about;
  return other === about || about === ANY;
}

function listed(paths: readonly string[]): string {
  const more = paths.length - NAMED_FILES;
  return paths.slice(0, NAMED_FILES).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
