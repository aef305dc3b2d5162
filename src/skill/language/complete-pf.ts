import type { Position, TextEdit } from "../../model/diagnostic.ts";
import { sourceText } from "../source-text.ts";
import type { Proposal } from "./complete-yaml.ts";
import { isCoding, type LanguageFacts } from "./facts.ts";

interface Snippet {
  readonly label: string;
  readonly about: string;
  readonly insert: string;
  /** Of `import { … } from "hasp"`. */
  readonly needs: string;
}

const REWRITE: Snippet = {
  label: "hasp: rewrite the action",
  about: "Another argument for the proposed action, or another action with `type`.",
  insert:
    'return modifyAction({\n\targ: ${1:arg},\n\treason: "${2:why, for the person who replays the episode}",\n});',
  needs: "modifyAction",
};

const REWRITE_CALL: Snippet = {
  ...REWRITE,
  about: "The proposed call with another input.",
  insert: 'return changeInput(ctx, { ${1:command}: ${2:"npm test"} }, "${3:why}");',
  needs: "changeInput",
};

const REFUSE: Snippet = {
  label: "hasp: refuse the call",
  about: "Nothing runs, and the agent reads why.",
  insert: 'return modifyAction({ type: "REFUSE", arg: "${1:what to do instead}", reason: "${2:why}" });',
  needs: "modifyAction",
};

const COMMON: readonly Snippet[] = [
  {
    label: "hasp: inject a context",
    about:
      "A text that the policy reads with its next observation; on a FINAL it holds the answer back once.",
    insert: 'return injectContext("${1:what the policy reads}", "${2:why}");',
    needs: "injectContext",
  },
  {
    label: "hasp: change nothing",
    about: "The Program Function looked and leaves the action as it is; it still counts as fired.",
    insert: 'return noop("${1:why}");',
    needs: "noop",
  },
  {
    label: "hasp: ask the teacher",
    about:
      "With a path for the day when there is none. Needs `override needsTeacher = true;` and an async `intervene`.",
    insert:
      'if (teacher === undefined) return noop("no teacher");\nconst reply = await teacher.ask("${1:One question about} " + arg, { maxTokens: ${2:60}, temperature: 0 }).catch(() => "");\nif (reply === "") return noop("the teacher did not answer");',
    needs: "noop",
  },
  {
    label: "hasp: once per episode",
    about: "Remembered in `ctx.memory`, the only state that lasts from one step to the next.",
    insert: "if (ctx.memory.${1:warned} === true) return false;",
    needs: "",
  },
];

/** The first and the last line of a word's own line: nothing else stands before it. */
const ALONE = /^\s*[\w:]*$/;

const IMPORT = /^(\s*import\s*\{\s*)([^}]*)\}\s*from\s*["']hasp["']/m;

/** Adds a name to what is imported from "hasp"; undefined where it is there, or where nothing is imported so. */
function importing(text: string, name: string): TextEdit | undefined {
  const found = IMPORT.exec(text);
  const [, head = "", names = ""] = found ?? [];
  if (found === null || new RegExp(String.raw`\b${name}\b`).test(names)) return undefined;
  const place = sourceText(text).positionAt(found.index + head.length);
  return { range: { start: place, end: place }, newText: names.trim() === "" ? `${name} ` : `${name}, ` };
}

/**
 * Interventions, at the beginning of a statement inside the class of a PF. Names, types and imports are TypeScript's to complete; these
 * are whole statements and bear no name of its.
 */
export function completePf(
  text: string,
  { line: at, character }: Position,
  facts: LanguageFacts,
): readonly Proposal[] {
  const lines = text.split(/\r?\n/);
  const before = (lines[at] ?? "").slice(0, character);
  const above = lines.slice(0, at).join("\n");
  // Inside a method: the line is indented below the class's own members.
  if (!ALONE.test(before) || !/\bextends\s+ProgramFunction\b/.test(above) || !/^(?:\t{2}| {4})/.test(before))
    return [];
  const method =
    above.lastIndexOf("shouldActivate(") > above.lastIndexOf("intervene(") ? "trigger" : "answer";
  const own = isCoding(facts) ? [REWRITE_CALL, REFUSE] : [REWRITE];
  const start = character - (/\w*$/.exec(before)?.[0].length ?? 0);
  const range = { start: { line: at, character: start }, end: { line: at, character } };
  return [...own, ...COMMON]
    .filter(({ needs }) => (method === "trigger") === (needs === ""))
    .map(({ label, insert, about, needs }) => {
      const also = needs === "" ? undefined : importing(text, needs);
      const detail = also === undefined ? "HASP" : `imports ${needs}`;
      return { kind: "snippet", label, insert, range, about, detail, ...(also !== undefined && { also }) };
    });
}
