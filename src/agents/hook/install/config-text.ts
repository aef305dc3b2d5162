import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type JSONPath,
  type Node,
  type ParseError,
} from "jsonc-parser";
import type { Checked, Diagnostic, Position, Range } from "../../../model/diagnostic.ts";
import { MAX_DEPTH } from "../../../model/read-json.ts";
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

const rangeFrom = (text: string, { offset, length }: { offset: number; length: number }): Range => ({
  start: positionAt(text, offset),
  end: positionAt(text, offset + length),
});

/** The range of the value at a path, in a text that `readConfigText` has read. */
export function rangeAt(text: string, path: JSONPath): Range {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const node = root === undefined ? undefined : findNodeAtLocation(root, path);
  return rangeFrom(text, node ?? { offset: 0, length: 0 });
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
    range: rangeFrom(text, at),
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

const keysOf = (object: Node): Node[] =>
  (object.children ?? []).flatMap(({ children }) => children?.[0] ?? []);

/** A key that an object below `node` has twice: its readers would not agree on the value. */
function doubledBelow(node: Node): Node | undefined {
  const keys = node.type === "object" ? keysOf(node) : [];
  const names = keys.map(({ value }) => String(value));
  return (
    keys.find((_, i) => names.indexOf(names[i] ?? "") < i) ??
    (node.children ?? []).map(doubledBelow).find((found) => found !== undefined)
  );
}

function shapeProblem(text: string, file: string, root: Node): Diagnostic | undefined {
  if (root.type !== "object") return problem(text, file, root, "The file is not a JSON object.");
  const twice = keysOf(root).filter(({ value }) => value === "hooks")[1];
  if (twice !== undefined) return problem(text, file, twice, "`hooks` stands there twice.");
  const hooks = findNodeAtLocation(root, ["hooks"]);
  if (hooks === undefined) return undefined;
  const doubled = doubledBelow(hooks);
  if (doubled !== undefined)
    return problem(text, file, doubled, `The key \`${String(doubled.value)}\` stands there twice.`);
  if (hooks.type !== "object") return problem(text, file, hooks, "`hooks` is not an object.");
  for (const { children = [] } of hooks.children ?? []) {
    const [key, value] = children;
    if (value !== undefined && value.type !== "array")
      return problem(text, file, value, `\`hooks.${String(key?.value)}\` is not a list.`);
  }
  return undefined;
}

/** Characters of a configuration file; none that people write comes near it. */
const MAX_LENGTH = 4_000_000;

/** Why a text is not parsed: it may come from anyone, and the parser calls itself for each level. */
function excessIn(text: string): { readonly offset: number; readonly why: string } | undefined {
  if (text.length > MAX_LENGTH) return { offset: 0, why: `it has more than ${MAX_LENGTH} characters` };
  const scanner = createScanner(text, true);
  let depth = 0;
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const offset = scanner.getTokenOffset();
    const token = scanner.getTokenLength() === 1 ? text[offset] : undefined;
    if (token === "{" || token === "[") depth++;
    if (token === "}" || token === "]") depth--;
    if (depth > MAX_DEPTH) return { offset, why: `it is nested more than ${MAX_DEPTH} levels deep` };
  }
  return undefined;
}

/** Reads a configuration file. Comments and trailing commas may stand in it. */
export function readConfigText(text: string, file: string): Checked<ConfigText> {
  if (text.replace("\uFEFF", "").trim() === "")
    return { value: { text: "{}\n", hooks: {}, whole: {} }, diagnostics: [] };
  const excess = excessIn(text);
  if (excess !== undefined) {
    const at = { offset: excess.offset, length: 1 };
    const message = `The file cannot be read: ${excess.why}.`;
    return { value: undefined, diagnostics: [problem(text, file, at, message)] };
  }
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
