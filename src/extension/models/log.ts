import type * as vscode from "vscode";
import type { Redactor } from "../../llm/redact.ts";

function hidden(redactor: Redactor, argument: unknown): unknown {
  if (typeof argument === "string") return redactor.redact(argument);
  if (argument instanceof Error) return redactor.redact(argument.stack ?? argument.message);
  return argument;
}

/** The log as everybody here writes it: secrets are hidden before a word reaches the channel. */
export function redactedLog(channel: vscode.LogOutputChannel, redactor: Redactor): vscode.LogOutputChannel {
  const clean = (text: string): string => redactor.redact(text);
  const each = (rest: unknown[]): unknown[] => rest.map((argument) => hidden(redactor, argument));
  return {
    name: channel.name,
    get logLevel() {
      return channel.logLevel;
    },
    onDidChangeLogLevel: channel.onDidChangeLogLevel,
    trace: (message, ...rest) => channel.trace(clean(message), ...each(rest)),
    debug: (message, ...rest) => channel.debug(clean(message), ...each(rest)),
    info: (message, ...rest) => channel.info(clean(message), ...each(rest)),
    warn: (message, ...rest) => channel.warn(clean(message), ...each(rest)),
    error: (error, ...rest) => channel.error(clean(String(hidden(redactor, error))), ...each(rest)),
    append: (value) => channel.append(clean(value)),
    appendLine: (value) => channel.appendLine(clean(value)),
    replace: (value) => channel.replace(clean(value)),
    clear: () => channel.clear(),
    show: () => channel.show(),
    hide: () => channel.hide(),
    dispose: () => channel.dispose(),
  };
}
