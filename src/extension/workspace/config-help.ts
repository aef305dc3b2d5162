import * as vscode from "vscode";
import { detailOf, helpAt, proposalsAt, type ConfigProposal } from "../../evaluation/config-help.ts";
import { CONFIG_FILE } from "../../skill/workspace-files.ts";
import { toVsRange } from "../diagnostics/convert.ts";

const SELECTOR: vscode.DocumentSelector = { scheme: "file", pattern: `**/${CONFIG_FILE}` };
/** It knows our schema (package.json, `yamlValidation`) and offers the same. */
const YAML_EXTENSION = "redhat.vscode-yaml";

const hasYamlExtension = (): boolean => vscode.extensions.getExtension(YAML_EXTENSION) !== undefined;

function toItem(
  { kind, label, insert, detail, about }: ConfigProposal,
  order: number,
): vscode.CompletionItem {
  const { Property, Value } = vscode.CompletionItemKind;
  const item = new vscode.CompletionItem(label, kind === "key" ? Property : Value);
  item.insertText = insert;
  item.detail = detail;
  item.documentation = about;
  // As people write them, not by the alphabet.
  item.sortText = String(order).padStart(3, "0");
  return item;
}

/** Keys and values of `hasp.yaml` with their meaning, where no YAML extension offers them from our schema. */
export function registerConfigHelp(): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.languages.registerCompletionItemProvider(
      SELECTOR,
      {
        provideCompletionItems: (document, position) =>
          hasYamlExtension() ? [] : proposalsAt(document.getText(), position).map(toItem),
      },
      " ",
      ":",
    ),
    vscode.languages.registerHoverProvider(SELECTOR, {
      provideHover(document, position) {
        const help = hasYamlExtension() ? undefined : helpAt(document.getText(), position);
        if (help === undefined) return undefined;
        const { about, shape } = help.key;
        return new vscode.Hover([about, `*${detailOf(shape)}*`], toVsRange(help.range));
      },
    }),
  );
}
