import * as vscode from "vscode";
import type { ConfigProposal } from "../../app/config-help.ts";
import { completeCases } from "../../skill/language/complete-cases.ts";
import { completePf } from "../../skill/language/complete-pf.ts";
import { completeSkill } from "../../skill/language/complete-skill.ts";
import type { Proposal } from "../../skill/language/complete-yaml.ts";
import { casesHelp, skillHelp } from "../../skill/language/hover.ts";
import { toVsRange } from "../diagnostics/convert.ts";
import { factsOf, kindOf, type LanguageServices } from "./context.ts";

/** It knows our schemas of cases.yaml and hasp.yaml (package.json, `yamlValidation`) and offers the same. */
const YAML_EXTENSION = "redhat.vscode-yaml";
const isLeftToYaml = (uri: vscode.Uri): boolean =>
  ["cases.yaml", "hasp.yaml"].includes(kindOf(uri) ?? "") &&
  vscode.extensions.getExtension(YAML_EXTENSION) !== undefined;

const COMPLETERS = { "SKILL.md": completeSkill, "cases.yaml": completeCases, "pf.ts": completePf };
const { Property, Value, Snippet, Reference } = vscode.CompletionItemKind;
const KINDS = { key: Property, value: Value, snippet: Snippet, heading: Reference };

/**
 * A document as it stood when VS Code asked. A position belongs to that text alone: whoever types on while the answer is looked up would
 * otherwise lose the characters behind the cursor.
 */
export interface AskedText {
  readonly uri: vscode.Uri;
  readonly text: string;
}

/** The place at which text may be appended. */
function endOf(text: string): vscode.Position {
  const lines = text.split(/\r\n|\n|\r/);
  return new vscode.Position(lines.length - 1, lines.at(-1)?.length ?? 0);
}

/** As people write them, not by the alphabet. */
const inOrder = (order: number): string => String(order).padStart(3, "0");

function configItem({ kind, label, insert, detail, about }: ConfigProposal, order: number) {
  const item = new vscode.CompletionItem(label, KINDS[kind]);
  return Object.assign(item, { insertText: insert, detail, documentation: about, sortText: inOrder(order) });
}

function toItem(one: Proposal, order: number, text: string): vscode.CompletionItem {
  const item = new vscode.CompletionItem(one.label, KINDS[one.kind]);
  item.insertText = new vscode.SnippetString(one.insert);
  item.range = toVsRange(one.range);
  item.detail = one.detail;
  item.documentation = new vscode.MarkdownString(one.about);
  // A snippet of ours comes after what TypeScript knows by name.
  item.sortText = `${one.kind === "snippet" ? "z" : ""}${inOrder(order)}`;
  item.filterText = one.label.replace(/^hasp: /, "hasp ");
  item.additionalTextEdits = [
    ...(one.append === undefined ? [] : [vscode.TextEdit.insert(endOf(text), one.append)]),
    ...(one.also === undefined ? [] : [vscode.TextEdit.replace(toVsRange(one.also.range), one.also.newText)]),
  ];
  return item;
}

export async function completions(
  { uri, text }: AskedText,
  position: vscode.Position,
  { library }: Pick<LanguageServices, "library">,
): Promise<vscode.CompletionItem[]> {
  const kind = kindOf(uri);
  if (kind === undefined) return [];
  if (kind === "hasp.yaml") {
    if (isLeftToYaml(uri)) return [];
    const { proposalsAt } = await import("../../app/config-help.ts");
    return proposalsAt(text, position).map(configItem);
  }
  const facts = await factsOf(uri, library);
  const found = COMPLETERS[kind](text, position, facts);
  const left = isLeftToYaml(uri) ? found.filter((one) => one.kind === "snippet") : found;
  return left.map((one, order) => toItem(one, order, text));
}

async function configHover(text: string, position: vscode.Position): Promise<vscode.Hover | undefined> {
  const { detailOf, helpAt } = await import("../../app/config-help.ts");
  const help = helpAt(text, position);
  if (help === undefined) return undefined;
  return new vscode.Hover([help.key.about, `*${detailOf(help.key.shape)}*`], toVsRange(help.range));
}

export async function hover(
  { uri, text }: AskedText,
  position: vscode.Position,
  { library }: Pick<LanguageServices, "library">,
): Promise<vscode.Hover | undefined> {
  if (isLeftToYaml(uri)) return undefined;
  const kind = kindOf(uri);
  if (kind === "hasp.yaml") return configHover(text, position);
  const look = kind === "SKILL.md" ? skillHelp : casesHelp;
  const help = look(text, position, await factsOf(uri, library));
  if (help === undefined) return undefined;
  return new vscode.Hover(
    help.paragraphs.map((text) => new vscode.MarkdownString(text)),
    toVsRange(help.range),
  );
}
