import * as vscode from "vscode";
import { ASSIST_TOOLS, failureText, type AssistTool } from "../../agents/assist/tools.ts";
import type { AssistCall } from "../../agents/assist/world.ts";
import { printable } from "../../model/printable.ts";
import { editorWorld, type AssistServices } from "./world.ts";

function toolOf(name: string): AssistTool {
  const tool = ASSIST_TOOLS.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`No tool is called ${name}`);
  return tool;
}

/** Backticks and brackets would end a code span or make a link of a text that a model chose. */
function named(input: unknown): string {
  const skill = typeof input === "object" && input !== null && "skill" in input ? input.skill : undefined;
  return typeof skill === "string" ? printable(skill.replaceAll(/[`[\]()<>\s]+/g, " ")).slice(0, 80) : "";
}

/** The text that a person reads while the tool runs; a tool that runs code of the workspace asks before. */
export function prepareTool(name: string, input: unknown): vscode.PreparedToolInvocation {
  const tool = toolOf(name);
  const skill = named(input);
  const what = skill === "" ? tool.title : `${tool.title}: ${skill}`;
  if (tool.runsCode === false) return { invocationMessage: `HASP: ${what}` };
  const message = new vscode.MarkdownString();
  message.appendText(
    `${what}. Its Program Function runs in HASP's sandbox, without files, network or clock; no model is called.`,
  );
  return {
    invocationMessage: `HASP: ${what}`,
    confirmationMessages: { title: `HASP: ${tool.title}`, message },
  };
}

function callOf(token: vscode.CancellationToken): AssistCall & vscode.Disposable {
  const abort = new AbortController();
  if (token.isCancellationRequested) abort.abort();
  const listening = token.onCancellationRequested(() => abort.abort());
  return { signal: abort.signal, onProgress: () => undefined, dispose: () => listening.dispose() };
}

const part = (text: string): vscode.LanguageModelTextPart => new vscode.LanguageModelTextPart(text);

/** Runs one tool on the open workspace. What the caller can fix is an answer; a cancelled call rejects. */
export async function invokeTool(
  name: string,
  input: unknown,
  token: vscode.CancellationToken,
  services: AssistServices,
): Promise<vscode.LanguageModelToolResult> {
  const tool = toolOf(name);
  const world = await editorWorld(services);
  const call = callOf(token);
  try {
    const { text, data } = await tool.run(world, input, call);
    return new vscode.LanguageModelToolResult([part(text), part(JSON.stringify(data))]);
  } catch (error) {
    if (token.isCancellationRequested) throw new vscode.CancellationError();
    const text = failureText(error);
    if (text === undefined) throw error;
    return new vscode.LanguageModelToolResult([part(printable(text))]);
  } finally {
    call.dispose();
  }
}
