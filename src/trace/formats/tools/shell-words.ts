import { without } from "../records.ts";
import type { ToolInput } from "../../canonical-input.ts";
import type { InputForm } from "./tool-shape.ts";

const POSIX_SHELL = /^(?:.*[\\/])?(?:ba|z|da|k)?sh(?:\.exe)?$/;
const POWERSHELL = /^(?:.*[\\/])?(?:powershell|pwsh)(?:\.exe)?$/i;
const SCRIPT_SWITCH = /^-[a-z]*c$/;
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;
const PATCH_TOOLS = new Set(["apply_patch", "applypatch"]);

/** A word as a shell reads it: quoted where it has to be. */
export function quoted(word: string): string {
  return PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

const PART = /'([^']*)'|"((?:[^"\\]|\\[^])*)"|((?:[^\s'"\\]|\\[^])+)/y;

/** The text that a shell reads in one quoted word; undefined where there are several words, or a quote has no end. */
export function wordIn(text: string): string | undefined {
  let word = "";
  PART.lastIndex = 0;
  while (PART.lastIndex < text.length) {
    const [found, single, double, plain] = PART.exec(text) ?? [];
    if (found === undefined) return undefined;
    word += single ?? double?.replaceAll(/\\(["\\$`\n])/g, "$1") ?? plain?.replaceAll(/\\([^])/g, "$1") ?? "";
  }
  return word;
}

interface Words {
  readonly tool: "Bash" | "PowerShell" | "Patch";
  readonly text: string;
  /** The words before the text, which stay when it changes; undefined where the words themselves are the command. */
  readonly before: readonly string[] | undefined;
}

/** What a list of words runs: a script handed to a shell, a patch, or a program with its arguments. */
function readWords(words: readonly string[]): Words {
  const [program = "", ...args] = words;
  const text = args.at(-1) ?? "";
  const before = words.slice(0, -1);
  if (args.length === 1 && PATCH_TOOLS.has(program)) return { tool: "Patch", text, before };
  if (args.length === 2 && POSIX_SHELL.test(program) && SCRIPT_SWITCH.test(args[0] ?? ""))
    return { tool: "Bash", text, before };
  if (POWERSHELL.test(program) && args.at(-2)?.toLowerCase() === "-command")
    return { tool: "PowerShell", text, before };
  return { tool: "Bash", text: words.map(quoted).join(" "), before: undefined };
}

function wordsIn(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string")
    ? value
    : undefined;
}

/**
 * A command that is a list of words, `["bash", "-lc", "…"]`, as the script it hands to the shell. Words without a shell are quoted into
 * one line; where that line is changed, it goes to `bash -lc`. A command that is a text stays.
 */
export function wordList(key: string): InputForm {
  return {
    read(input) {
      const words = wordsIn(input[key]);
      if (words === undefined) return { input };
      const { tool, text } = readWords(words);
      return { tool, input: { [tool === "Patch" ? "patch" : key]: text, ...without(input, [key]) } };
    },
    write(input, original) {
      const words = wordsIn(original[key]);
      if (words === undefined) return input;
      const read = readWords(words);
      const from = read.tool === "Patch" ? "patch" : key;
      const text = input[from];
      if (typeof text !== "string") return undefined;
      const next = text === read.text ? words : [...(read.before ?? ["bash", "-lc"]), text];
      return rebuilt(input, original, key, from, next);
    },
  };
}

function rebuilt(
  input: ToolInput,
  original: ToolInput,
  key: string,
  from: string,
  words: readonly string[],
): ToolInput {
  const rest = without(input, [from, key]);
  return Object.fromEntries(
    Object.entries({ ...original, ...rest, [key]: words }).filter(
      ([name]) => name === key || Object.hasOwn(rest, name),
    ),
  );
}
