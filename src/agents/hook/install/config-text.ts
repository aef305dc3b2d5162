import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from "jsonc-parser";
import type { Checked, Diagnostic, Position } from "../../../model/diagnostic.ts";
import { isRecord, type JsonRecord } from "../../../trace/formats/records.ts";

/** A configuration file as its text says it: edits change what they are about and nothing else, comments included. */
export interface ConfigText {
  readonly text: string;
  /** The lists of hooks, by event. */
  readonly hooks: Readonly<Record<string, readonly unknown[]>>;
  /** Everything, to see what is left in it. */
  readonly whole: JsonRecord;
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const line = before.split("\n").length - 1;
  return { line, character: offset - (before.lastIndexOf("\n") + 1) };
}

function problem(
  text: string,
  file: string,
  at: { offset: number; length: number },
  message: string,
): Diagnostic {
  return {
    code: "HASP580",
    severity: "error",
    message,
    next: "Fix the file, then run this again. Nothing was changed.",
    file,
    range: { start: positionAt(text, at.offset), end: positionAt(text, at.offset + at.length) },
  };
}

const WORDS: Readonly<Record<string, string>> = {
  InvalidSymbol: "a word that JSON does not know",
  InvalidNumberFormat: "a number that is none",
  PropertyNameExpected: "a key is missing",
  ValueExpected: "a value is missing",
  ColonExpected: "a colon is missing",
  CommaExpected: "a comma is missing",
  CloseBraceExpected: "a closing brace is missing",
  CloseBracketExpected: "a closing bracket is missing",
  EndOfFileExpected: "text after the end",
  UnexpectedEndOfComment: "a comment that does not end",
  UnexpectedEndOfString: "a text that does not end",
};

function wordsOf({ error }: ParseError): string {
  return WORDS[printParseErrorCode(error)] ?? "it is no JSON";
}

function doubled(root: Node): Node | undefined {
  const keys = (root.children ?? []).flatMap(({ children }) => children?.[0] ?? []);
  return keys.filter(({ value }) => value === "hooks")[1];
}

function shapeProblem(text: string, file: string, root: Node): Diagnostic | undefined {
  if (root.type !== "object") return problem(text, file, root, "The file is not a JSON object.");
  const twice = doubled(root);
  if (twice !== undefined) return problem(text, file, twice, "`hooks` stands there twice.");
  const hooks = findNodeAtLocation(root, ["hooks"]);
  if (hooks === undefined) return undefined;
  if (hooks.type !== "object") return problem(text, file, hooks, "`hooks` is not an object.");
  for (const { children = [] } of hooks.children ?? []) {
    const [key, value] = children;
    if (value !== undefined && value.type !== "array")
      return problem(text, file, value, `\`hooks.${String(key?.value)}\` is not a list.`);
  }
  return undefined;
}

/** Reads a configuration file. Comments and trailing commas may stand in it. */
export function readConfigText(text: string, file: string): Checked<ConfigText> {
  if (text.replace("\uFEFF", "").trim() === "")
    return { value: { text: "{}\n", hooks: {}, whole: {} }, diagnostics: [] };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (root === undefined || first !== undefined) {
    const at = first ?? { offset: 0, length: 0 };
    const why = first === undefined ? "it is no JSON" : wordsOf(first);
    return { value: undefined, diagnostics: [problem(text, file, at, `The file cannot be read: ${why}.`)] };
  }
  const wrong = shapeProblem(text, file, root);
  if (wrong !== undefined) return { value: undefined, diagnostics: [wrong] };
  const whole: unknown = getNodeValue(root);
  const record = isRecord(whole) ? whole : {};
  const hooks = isRecord(record["hooks"]) ? record["hooks"] : {};
  return { value: { text, hooks: hooks as ConfigText["hooks"], whole: record }, diagnostics: [] };
}
