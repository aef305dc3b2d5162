import * as vscode from "vscode";
import type { ConfigProposal } from "../../app/config-help.ts";
import { CONFIG_FILE } from "../../skill/workspace-files.ts";
import { toVsRange } from "../diagnostics/convert.ts";

const SELECTOR: vscode.DocumentSelector = { scheme: "file", pattern: `**/${CONFIG_FILE}` };
/** It knows our schema (package.json, `yamlValidation`) and offers the same. */
const YAML_EXTENSION = "redhat.vscode-yaml";

const loadHelp = () => import("../../app/config-help.ts");

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
        async provideCompletionItems(document, position) {
          if (hasYamlExtension()) return [];
          const text = document.getText();
          return (await loadHelp()).proposalsAt(text, position).map(toItem);
        },
      },
      " ",
      ":",
    ),
    vscode.languages.registerHoverProvider(SELECTOR, {
      async provideHover(document, position) {
        if (hasYamlExtension()) return undefined;
        const text = document.getText();
        const { detailOf, helpAt } = await loadHelp();
        const help = helpAt(text, position);
        if (help === undefined) return undefined;
        const { about, shape } = help.key;
        return new vscode.Hover([about, `*${detailOf(shape)}*`], toVsRange(help.range));
      },
    }),
  );
}
