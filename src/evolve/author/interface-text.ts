import type { DomainSpec } from "../../model/domain-spec.ts";
import { actionsType } from "../../skill/hasp-types.ts";
import haspTypes from "../../skill/lib/hasp.d.ts?text";

/** Declarations for every domain, by name. */
const COMMON: readonly string[] = [
  "Action",
  "ActionType",
  "ExecutableActionType",
  "Json",
  "StepContext",
  "ModifyAction",
  "InjectContext",
  "Noop",
  "Intervention",
  "modifyAction",
  "injectContext",
  "noop",
  "Teacher",
  "TeacherOptions",
  "ProgramFunction",
];

/** Those for domains in which an agent searches. */
const SEARCHING: readonly string[] = ["freshQuery", "tellingWords"];

/** Those for domains whose actions are calls of tools. */
const TOOLS: readonly string[] = [
  "CodingTool",
  "ToolInputs",
  "TextEdit",
  "ToolCall",
  "ShellCall",
  "ShellCommand",
  "FileChange",
  "KnownFile",
  "CheckKind",
  "RanCommand",
  "Check",
  "CodingContext",
  "changeInput",
  "changeCommand",
  "refuse",
];

/** A declaration with the comment before it, up to the next one. */
const DECLARATION = /(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?^export [\s\S]*?(?=^\/\*\*|^export |(?![\s\S]))/gm;
const NAME = /^export (?:abstract )?(?:class|interface|type|function) (\w+)/m;

/** The vote of a handler: an author writes no handlers. */
const VOTE = /\n {2}\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n {2}vote\?\([^\n]*/;

/** What comments say for all domains at once, and for one in which nothing is searched. */
const OF_ALL_ACTIONS: readonly (readonly [all: string, plain: string])[] = [
  [
    ": `SEARCH` with a query, `READ` with a document id, `FINAL` with the answer; of a coding agent a tool with its input as JSON.",
    ".",
  ],
  ["The new query, document id or answer.", "The new argument."],
  [', such as "Search for …".', "."],
  [": the query, the document id, the answer ", " "],
];

/** `comment` on one line, without its examples. */
function oneLine(comment: string): string {
  const text = comment
    .replace(/^\/\*\*|\*\/$/g, "")
    .replaceAll(/^\s*\*\s?/gm, "")
    .replaceAll(/^@example.*(?:\n(?!@).*)*/gm, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return `/** ${text} */`;
}

function compact(declaration: string): string {
  return declaration
    .replace(VOTE, "")
    .replaceAll(/\/\*\*(?:(?!\*\/)[\s\S])*\*\//g, oneLine)
    .trim();
}

/** A compact declaration without these fields, and with comments for a domain in which nothing is searched. */
function plain(declaration: string, without: readonly string[]): string {
  const fields = new RegExp(String.raw`\n *\/\*\*[^\n]*\n *readonly (?:${without.join("|")})\??:[^\n]*`, "g");
  return OF_ALL_ACTIONS.reduce((text, words) => text.replace(...words), declaration.replaceAll(fields, ""));
}

/** The action types that the domain's own agents can run, as a type. */
function executable(domain: DomainSpec): string {
  return `/** Actions of this domain. */\nexport type ExecutableActionType = ${actionsType(domain) ?? "string"};`;
}

function declarationsIn(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.replaceAll("\r\n", "\n").matchAll(DECLARATION)].map(([one]) => [NAME.exec(one)?.[1] ?? "", one]),
  );
}

/**
 * The declarations of "hasp" that a Program Function of this domain can use, each comment on one line, without the fields of the step
 * context that say nothing there. Made from the very file that PFs are
 * checked against, so that the two cannot differ.
 */
export function interfaceText(domain: DomainSpec, without: readonly string[] = []): string {
  const found = declarationsIn(haspTypes);
  const own = declarationsIn(domain.pfTypes ?? "");
  const searches = domain.actionTypes.includes("SEARCH");
  const names = [...COMMON, ...(searches ? SEARCHING : []), ...(domain.callsTools === true ? TOOLS : [])];
  const shown = (text: string): string => (without.length === 0 ? text : plain(text, without));
  const common = names.map((name) => {
    const text = found.get(name);
    if (text === undefined) throw new Error(`hasp.d.ts declares no ${name}`);
    return name === "ExecutableActionType" ? executable(domain) : shown(compact(text));
  });
  return [...common, ...[...own.values()].map(compact)].join("\n\n");
}
