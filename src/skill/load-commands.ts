import { findFences } from "./fences.ts";
import { reportOn } from "./report.ts";
import { sourceText } from "./source-text.ts";
import { readYaml, type YamlMap } from "./yaml-tree.ts";
import type { Range } from "../model/diagnostic.ts";

/** A shell line in the text of a skill that Claude Code runs when it loads the skill, before anybody reads the text. */
export interface LoadCommand {
  readonly command: string;
  readonly range: Range;
  /** The entry of `allowed-tools` by which it runs without a question. */
  readonly allowedBy: string | undefined;
}

/** The commands of a skill, and the shell that they are for. */
export interface LoadCommands {
  readonly tool: "Bash" | "PowerShell";
  readonly commands: readonly LoadCommand[];
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly command: string;
}

/** A fenced block whose info string is `!`. */
function blocksIn(text: string): Found[] {
  const found: Found[] = [];
  for (let start = text.indexOf("```!"); start !== -1;) {
    const inside = start + 4;
    const close = text.indexOf("```", inside);
    if (close === -1) break;
    found.push({ start, end: close + 3, command: text.slice(inside, close) });
    start = text.indexOf("```!", close + 3);
  }
  return found;
}

/** `` !`command` `` after a blank or at the start of a line. In other code it is text: Claude Code looks no deeper than backticks in pairs. */
function inlineIn(text: string): Found[] {
  if (!text.includes("!`")) return [];
  const masked = text.replaceAll(/`[^`\n]+`/g, (code, at: number) =>
    /[!`]/.test(text[at - 1] ?? "") ? code : `\`${" ".repeat(code.length - 2)}\``,
  );
  return [...masked.matchAll(/(?<=^|\s)!`([^`]+)`/gm)].map(({ index, 0: raw, 1: command = "" }) => ({
    start: index,
    end: index + raw.length,
    command,
  }));
}

/** The frontmatter where it can be read, and where the text begins. */
function partsOf(skillMd: string): { readonly root: YamlMap | undefined; readonly body: number } {
  const source = sourceText(skillMd);
  const fences = findFences(source, reportOn("SKILL.md", source), "");
  if (fences === undefined) return { root: undefined, body: 0 };
  const { root } = readYaml(skillMd.slice(fences.yaml, fences.close), source, fences.yaml);
  return { root: root?.kind === "map" ? root : undefined, body: fences.body };
}

function wordsOf(root: YamlMap | undefined, key: string): readonly string[] {
  const value = root?.entries.get(key)?.value;
  if (value?.kind === "list")
    return value.items.flatMap((item) => (item.kind === "scalar" ? `${item.value}` : []));
  if (value?.kind !== "scalar" || typeof value.value !== "string") return [];
  return value.value.match(/[^\s,(]+(?:\([^)]*\))?/g) ?? [];
}

/** Whether an entry such as `Bash(git push:*)` lets a command run. Of several commands in one line it looks at the first. */
function allows(entry: string, tool: string, command: string): boolean {
  const [, name, pattern] = /^([^(]+)(?:\((.*)\))?$/s.exec(entry.trim()) ?? [];
  if (name !== tool) return false;
  if (pattern === undefined || pattern === "*" || pattern === ":*") return true;
  const words = pattern
    .replace(/:\*$/, " *")
    .split("*")
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${words.join("[^]*").replace(/ \[\^\]\*$/, "(?: [^]*)?")}$`).test(command);
}

/** Finds the shell lines that Claude Code 2.1.332 runs when it loads a skill. */
export function loadCommandsIn(skillMd: string): LoadCommands {
  if (!/```!|!`/.test(skillMd)) return { tool: "Bash", commands: [] };
  const { root, body } = partsOf(skillMd);
  const tool = wordsOf(root, "shell")[0] === "powershell" ? "PowerShell" : "Bash";
  const allowed = wordsOf(root, "allowed-tools");
  const text = skillMd.slice(body);
  const source = sourceText(skillMd);
  const commands = [...blocksIn(text), ...inlineIn(text)]
    .map((found) => ({ ...found, command: found.command.trim().replaceAll("\r\n", "\n") }))
    .filter(({ command }) => command !== "")
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, end, command }) => ({
      command,
      range: source.range(body + start, body + end),
      allowedBy: allowed.find((entry) => allows(entry, tool, command)),
    }));
  return { tool, commands };
}
