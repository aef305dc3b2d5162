import * as vscode from "vscode";
import { completeCases } from "../../skill/language/complete-cases.ts";
import { completePf } from "../../skill/language/complete-pf.ts";
import { completeSkill } from "../../skill/language/complete-skill.ts";
import type { Proposal } from "../../skill/language/complete-yaml.ts";
import { casesHelp, skillHelp } from "../../skill/language/hover.ts";
import { toVsRange } from "../diagnostics/convert.ts";
import { factsOf, kindOf, type LanguageServices } from "./context.ts";

/** It knows our schema of cases.yaml (package.json, `yamlValidation`) and offers the same. */
const YAML_EXTENSION = "redhat.vscode-yaml";
const isLeftToYaml = (document: vscode.TextDocument): boolean =>
  kindOf(document.uri) === "cases.yaml" && vscode.extensions.getExtension(YAML_EXTENSION) !== undefined;

const COMPLETERS = { "SKILL.md": completeSkill, "cases.yaml": completeCases, "pf.ts": completePf };
const { Property, Value, Snippet, Reference } = vscode.CompletionItemKind;
const KINDS = { key: Property, value: Value, snippet: Snippet, heading: Reference };

function toItem(one: Proposal, order: number, document: vscode.TextDocument): vscode.CompletionItem {
  const item = new vscode.CompletionItem(one.label, KINDS[one.kind]);
  item.insertText = new vscode.SnippetString(one.insert);
  item.range = toVsRange(one.range);
  item.detail = one.detail;
  item.documentation = new vscode.MarkdownString(one.about);
  // As people write them, not by the alphabet; a snippet of ours after what TypeScript knows by name.
  item.sortText = `${one.kind === "snippet" ? "z" : ""}${String(order).padStart(3, "0")}`;
  item.filterText = document.getText(item.range).startsWith("#")
    ? one.label
    : one.label.replace("hasp: ", "hasp ");
  const end = document.lineAt(document.lineCount - 1).range.end;
  if (one.append !== undefined) item.additionalTextEdits = [vscode.TextEdit.insert(end, one.append)];
  return item;
}

export async function completions(
  document: vscode.TextDocument,
  position: vscode.Position,
  { library }: LanguageServices,
): Promise<vscode.CompletionItem[]> {
  const kind = kindOf(document.uri);
  if (kind === undefined || kind === "hasp.yaml") return [];
  const facts = await factsOf(document.uri, library);
  const found = COMPLETERS[kind](document.getText(), position, facts);
  const left = isLeftToYaml(document) ? found.filter((one) => one.kind === "snippet") : found;
  return left.map((one, order) => toItem(one, order, document));
}

export async function hover(
  document: vscode.TextDocument,
  position: vscode.Position,
  { library }: LanguageServices,
): Promise<vscode.Hover | undefined> {
  if (isLeftToYaml(document)) return undefined;
  const look = kindOf(document.uri) === "SKILL.md" ? skillHelp : casesHelp;
  const help = look(document.getText(), position, await factsOf(document.uri, library));
  if (help === undefined) return undefined;
  return new vscode.Hover(
    help.paragraphs.map((text) => new vscode.MarkdownString(text)),
    toVsRange(help.range),
  );
}
