import { parseJson } from "../../model/read-json.ts";
import { withoutBlobs } from "./blobs.ts";
import { wordsOf } from "./chat-blocks.ts";
import type { Ledger } from "./ledger.ts";
import { asList, asName, asRecord, asText, compact, isRecord, type JsonRecord } from "./records.ts";
import type { ToolResult } from "../../model/coding-context.ts";
import { resultOf } from "./coding-turns.ts";
import { exitCodeOf } from "./counts.ts";

/** Parts of a response that show the person something, and are neither the agent's words nor its calls. */
const SHOWN = new Set(
  (
    "codeblockUri textEditGroup notebookEditGroup workspaceEdit externalEdit externalEdits multiDiffData treeData command confirmation " +
    "elicitation elicitation2 elicitationSerialized questionCarousel planReview progressMessage progressTask progressTaskSerialized " +
    "progressTaskResult warning info undoStop mcpServersStarting mcpServersStartingSlow mcpAuthenticationRequired hook extensions pullRequest " +
    "systemNotification autoModeResolution disabledClaudeHooks voiceProgress usage usedContext reference codeCitation prepareToolInvocation move"
  ).split(" "),
);

/** A tool that VS Code ran, as its response shows it. */
export interface Invocation {
  readonly id: string | undefined;
  readonly tool: string;
  readonly args: unknown;
  /** The part says with which arguments. */
  readonly told: boolean;
  /** Its output, if the part has it. */
  readonly output: string | undefined;
  readonly result: ToolResult | undefined;
  /** The sub-agent whose call it was, by the call of the sub-agent. */
  readonly subAgent: string | undefined;
  readonly extra: Record<string, unknown> | undefined;
}

export type Part =
  | { readonly kind: "text" | "thought"; readonly text: string }
  | { readonly kind: "call"; readonly call: Invocation }
  /** The words since the last call were withdrawn. */
  | { readonly kind: "clear" }
  | { readonly kind: "stop"; readonly id: string | undefined };

/** The words of a text or of markdown. */
const words = (value: unknown): string => asText(value) ?? asText(asRecord(value)["value"]) ?? "";

/** The parts of a response that say what the agent said and did, in their order. */
export function partsOfResponse(response: unknown, ledger: Ledger): readonly Part[] {
  return asList(response).flatMap((given): Part[] => {
    const part = asRecord(given);
    const kind = asName(part["kind"]);
    // A piece of the reply is markdown without a kind.
    if (kind === "" && "value" in part) return [{ kind: "text", text: words(part) }];
    if (kind === "markdownContent" || kind === "markdownVuln")
      return [{ kind: "text", text: words(part["content"] ?? part["value"]) }];
    if (kind === "inlineReference") return [{ kind: "text", text: nameOf(part) }];
    if (kind === "thinking")
      return [{ kind: "thought", text: asList(part["value"]).map(words).join("") || words(part["value"]) }];
    if (kind === "toolInvocationSerialized" || kind === "toolInvocation")
      return [{ kind: "call", call: invocationOf(part, ledger) }];
    if (kind === "clearToPreviousToolInvocation") return [{ kind: "clear" }];
    if (kind === "undoStop") return [{ kind: "stop", id: asText(part["id"]) }];
    if (SHOWN.has(kind))
      ledger.dropped(`parts of responses: ${kind}`, "shown to the person; no words or calls of the agent");
    else ledger.unknown(`parts of responses of kind ${kind === "" ? "(none)" : kind}`);
    return [];
  });
}

/** The name that a reference stands for in the text around it. */
function nameOf(part: JsonRecord): string {
  const reference = asRecord(part["inlineReference"]);
  const path = asText(reference["path"]) ?? asText(asRecord(reference["uri"])["path"]) ?? "";
  const name = asText(part["name"]) ?? asText(reference["name"]) ?? path.split("/").at(-1) ?? "";
  return name === "" ? "" : `\`${name}\``;
}

/** The names by which models call tools of the Copilot extension, by the names that it contributes them with. */
const CALLED: Readonly<Record<string, string>> = {
  copilot_applyPatch: "apply_patch",
  copilot_createDirectory: "create_directory",
  copilot_createFile: "create_file",
  copilot_fetchWebPage: "fetch_webpage",
  copilot_findFiles: "file_search",
  copilot_findTextInFiles: "grep_search",
  copilot_getChangedFiles: "get_changed_files",
  copilot_getErrors: "get_errors",
  copilot_insertEdit: "insert_edit_into_file",
  copilot_listDirectory: "list_dir",
  copilot_memory: "memory",
  copilot_multiReplaceString: "multi_replace_string_in_file",
  copilot_readFile: "read_file",
  copilot_replaceString: "replace_string_in_file",
  copilot_runTests1: "runTests",
  copilot_searchCodebase: "semantic_search",
};

/** Ids of calls have the time behind them where VS Code made them unique. */
export const callId = (id: unknown): string | undefined => asText(id)?.replace(/__vscode-\d+$/, "");

function invocationOf(part: JsonRecord, ledger: Ledger): Invocation {
  const id = asName(part["toolId"]);
  const data = asRecord(part["toolSpecificData"]);
  const details = asRecord(part["resultDetails"]);
  const error = asText(part["resultError"]);
  const args = argsOf(data, details);
  const output =
    asText(asRecord(data["terminalCommandOutput"])["text"]) ??
    asText(data["output"]) ??
    outputOf(details, ledger) ??
    error;
  const code = exitCodeOf(asRecord(data["terminalCommandState"])["exitCode"]);
  const refused = refusalOf(part["isConfirmed"]);
  const failed = details["isError"] === true || error !== undefined || refused !== undefined;
  const line = asRecord(data["commandLine"]);
  return {
    id: callId(part["toolCallId"]),
    tool: Object.hasOwn(CALLED, id) ? (CALLED[id] ?? id) : id,
    args: args ?? {},
    told: args !== undefined,
    output: output ?? asText(data["result"]),
    result: resultOf(code, failed ? false : undefined),
    subAgent: callId(part["subAgentInvocationId"]),
    extra: compact({
      shown: asText(words(part["pastTenseMessage"])) ?? asText(words(part["invocationMessage"])),
      refused,
      // The person or a tool changed the command before it ran.
      ranInstead: asText(line["userEdited"]) ?? asText(line["toolEdited"]),
    }),
  };
}

/** ToolConfirmKind of VS Code: 0 is denied and 5 skipped; before 1.104 it was true or false. */
function refusalOf(confirmed: unknown): string | undefined {
  const kind = asRecord(confirmed)["type"];
  if (confirmed === false || kind === 0) return "denied";
  return kind === 5 ? "skipped" : undefined;
}

function argsOf(data: JsonRecord, details: JsonRecord): unknown {
  const line = asRecord(data["commandLine"]);
  const command = asText(line["original"]) ?? asText(data["command"]);
  if (command !== undefined)
    return { command, ...(data["isBackground"] === true ? { isBackground: true } : {}) };
  if (data["kind"] === "input") return data["rawInput"];
  if (data["kind"] === "subagent" && asText(data["prompt"]) !== undefined)
    return compact({
      prompt: data["prompt"],
      description: data["description"],
      agentName: data["agentName"],
    });
  const input = asText(data["input"]) ?? asText(details["input"]);
  return input === undefined ? undefined : (parseJson(input) ?? { input });
}

/** The output of a tool of an MCP server: parts with a text, a link or a picture. */
function outputOf(details: JsonRecord, ledger: Ledger): string | undefined {
  const output = asList(details["output"]);
  if (output.length === 0) return undefined;
  return output
    .map((one) => {
      const part = asRecord(one);
      if (part["isText"] === true || (typeof part["value"] === "string" && part["mimeType"] === undefined))
        return words(part["value"]);
      return `[${asText(part["mimeType"])?.split("/")[0] ?? asText(part["type"]) ?? wordsOf(withoutBlobs(one), ledger)}]`;
    })
    .join("\n");
}

/** The result of a call as the model read it: texts, trees of a prompt, and files. */
export function resultWords(result: unknown): string {
  const content = isRecord(result) ? result["content"] : result;
  return asList(content)
    .map((part) => {
      const { value, mimeType } = asRecord(part);
      if (typeof value === "string") return value;
      if (mimeType !== undefined) return `[${asName(mimeType).split("/")[0]}]`;
      const node = asRecord(value)["node"];
      return node === undefined ? "" : textsIn(node).join("");
    })
    .filter((text) => text !== "")
    .join("\n");
}

/** The texts of a tree of @vscode/prompt-tsx, from its first to its last. */
function textsIn(node: unknown): readonly string[] {
  const { text, children, lineBreakBefore } = asRecord(node);
  const own =
    typeof text === "string"
      ? [lineBreakBefore === undefined || lineBreakBefore === false ? text : `\n${text}`]
      : [];
  return [...own, ...asList(children).flatMap(textsIn)];
}
