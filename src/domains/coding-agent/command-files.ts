import type { ShellCall, ShellCommand } from "../../model/coding-context.ts";
import { editedInPlace, effectsOf, operandsOf, type Effect } from "./command-effects.ts";
import { normalPath } from "./paths.ts";

/** Files that a command line reads whole or in part, and what it does to others, as far as its words tell. Paths are normal. */
export interface CommandFiles {
  readonly reads: readonly string[];
  readonly effects: readonly PlacedEffect[];
  /** Folders, relative to the working folder, in which searches ran whose output names files. */
  readonly searchedIn: readonly string[];
}

/** `isLast`: the call that has it ends the line, so that the line's failure is its own. */
export interface PlacedEffect extends Effect {
  readonly isLast: boolean;
}

/** Programs whose operands are files that they print. */
const PRINTS = new Set(
  "cat head tail less more bat batcat nl tac xxd hexdump Get-Content gc type".split(" "),
);
/** Programs whose first operand is a program or a pattern, and the others files. */
const SEARCHES = new Set("sed awk gawk grep egrep fgrep rg ag jq yq".split(" "));
/** Switches whose next word is no file. */
const VALUED: Readonly<Record<string, RegExp>> = {
  head: /^-[nc]$/,
  tail: /^-[nc]$/,
  bat: /^(?:-r|-l|--line-range|--language|--style)$/,
  sed: /^-[ef]$/,
  grep: /^-[efmABC]$/,
  egrep: /^-[efmABC]$/,
  rg: /^-[efgtTmABC]$/,
  awk: /^-[Fvf]$/,
};
/** Programs that name the files in which they found something. */
const FINDS = /^(?:grep|egrep|fgrep|rg|ag)$/;
const PATTERN = /[*?[\]{}]/;
/** Brackets stand in names of files, too: `app/[id]/page.tsx`. */
const MANY = /[*?{}]/;
const NO_FILE = /^\/(?:dev|proc)\/|^&?\d$|^-$/;
const NO_SOURCE = /^\/(?:tmp|var\/tmp)\/|\.log$/;

const isWord = (word: string): boolean => word !== "" && !/[$`\n]/.test(word) && !NO_FILE.test(word);

/** A file of the project, by its normal path: the project itself may lie in `/tmp`. */
const isSource = (path: string): boolean => !PATTERN.test(path) && !NO_SOURCE.test(path);

function readBy(call: ShellCall): string[] {
  const from = call.redirects.flatMap(({ op, target }) => (op === "<" ? [target] : []));
  const operands = operandsOf(call.args, VALUED[call.name]);
  if (PRINTS.has(call.name)) return [...operands, ...from];
  if (!SEARCHES.has(call.name) || editedInPlace(call) !== undefined) return from;
  const isGiven = call.args.some((arg) => /^-[ef]$/.test(arg)) && call.name !== "awk";
  return [...operands.slice(isGiven ? 0 : 1), ...from];
}

/** A deletion and an undoing may name a pattern; and files of the session in `/tmp` may be programs that write. */
function isKept({ kind, path }: Effect, normal: (path: string) => string): boolean {
  if (kind === "delete" || kind === "undo") return path !== "" && !/[`\n]/.test(path);
  if (kind === "create" && /^\/tmp\/[\w./-]+$/.test(path)) return true;
  return isWord(path) && isSource(normal(path));
}

/**
 * What a command line does to files by the programs that everybody uses for it (`cat`, `sed -n`, `grep`, `sed -i`, `cat > f <<EOF`, `rm`,
 * `mv`, `git apply`), and by programs whose text is known. A `cd` on the way counts. Words that only the shell knows are left out, and
 * so are logs.
 */
export function filesOf(
  { calls }: ShellCommand,
  cwd: string | undefined,
  writesOf: (path: string) => readonly string[] = () => [],
): CommandFiles {
  const reads: string[] = [];
  const searchedIn: string[] = [];
  const effects: PlacedEffect[] = [];
  const last = calls.findLast(({ place }) => place !== "function" && place !== "substitution");
  let base = "";
  const normal = (path: string): string => normalPath(path, cwd, base);
  for (const call of calls) {
    const [folder] = call.operands;
    if (call.name === "cd" && call.literal && folder !== undefined) {
      const next = normalPath(folder, cwd, base);
      base = next === "." ? "" : next;
    } else if (call.place !== "function") {
      if (FINDS.test(call.name)) searchedIn.push(base);
      reads.push(
        ...readBy(call)
          .filter((word) => isWord(word) && !MANY.test(word))
          .map(normal),
      );
      const done = effectsOf(call, (path) => writesOf(normal(path)));
      for (const effect of done.filter((one) => isKept(one, normal))) {
        const from = effect.from === undefined ? {} : { from: normal(effect.from) };
        effects.push({ ...effect, ...from, path: normal(effect.path), isLast: call === last });
      }
    }
  }
  return { reads, effects, searchedIn };
}
