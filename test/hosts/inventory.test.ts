import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { agentHostFolder, HOST_PACKAGES, type AgentHostName } from "../../scripts/lib/agent-hosts.mts";
import type { HostInventory } from "../../src/agents/hook/inventory/host-inventory.ts";
import { HOST_INVENTORIES } from "../../src/agents/hook/inventory/host-inventories.ts";

// The packages are binaries of 100 to 400 MB; their lists stand in them as text.
const PIECE = 16 * 1024 * 1024;
/** Bytes that two pieces share: no match is longer. */
const OVERLAP = 64 * 1024;

/** All matches of the patterns in a file, in one pass. */
function matchesIn(file: string, patterns: readonly RegExp[]): RegExpExecArray[][] {
  const handle = openSync(file, "r");
  const buffer = Buffer.alloc(PIECE);
  const found = patterns.map((): RegExpExecArray[] => []);
  try {
    for (let at = 0, read = PIECE; read === PIECE; at += PIECE - OVERLAP) {
      read = readSync(handle, buffer, 0, PIECE, at);
      const text = buffer.toString("latin1", 0, read);
      for (const [i, pattern] of patterns.entries()) found[i]?.push(...text.matchAll(pattern));
    }
  } finally {
    closeSync(handle);
  }
  return found;
}

const sorted = (words: Iterable<string>): string[] => [...new Set(words)].toSorted();
const quotedIn = (text = ""): string[] => [...text.matchAll(/"([^"]+)"/g)].map(([, word = ""]) => word);
const longest = (found: readonly RegExpExecArray[] = []): string =>
  found.map(([text]) => text).reduce((a, b) => (a.length >= b.length ? a : b), "");

function fileBelow(folder: string, name: string): string {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).find(
    (entry) => entry.isFile() && entry.name === name,
  );
  if (found === undefined) throw new Error(`There is no ${name} below ${folder}.`);
  return path.join(found.parentPath, name);
}

interface Listed {
  readonly events: readonly string[];
  /** Tools, or parts of the code that have them. */
  readonly tools: readonly string[];
}

const packages = (host: AgentHostName): string => path.join(agentHostFolder(host), "node_modules");

const LISTED: Readonly<Record<AgentHostName, () => Listed>> = {
  "claude-code": () => {
    const [events, tools, commands] = matchesIn(fileBelow(packages("claude-code"), "claude"), [
      /\["PreToolUse"(?:,"[A-Za-z]+"){20,60}\]/g,
      /\["Agent","Artifact"(?:,"\w+"){20,200}\]/g,
      // The host's own table of tools whose input holds something to run.
      /\["Bash","command"\](?:,\["\w+","(?:command|code)"\]){2,20}/g,
    ]);
    const running = quotedIn(longest(commands)).filter((word) => word !== "command" && word !== "code");
    return { events: quotedIn(longest(events)), tools: [...quotedIn(longest(tools)), ...running] };
  },
  codex: () => {
    const [events = [], handlers = []] = matchesIn(fileBelow(packages("codex"), "codex"), [
      /"hook_event_name": \{\s*"const": "(\w+)"/g,
      /core\/src\/tools\/handlers\/([a-z_0-9/]+)\.rs/g,
    ]);
    return { events: events.map(([, name = ""]) => name), tools: handlers.map(([, name = ""]) => name) };
  },
  copilot: () => {
    const [events = [], parts = []] = matchesIn(fileBelow(agentHostFolder("copilot"), "runtime.node"), [
      /"path":"hooks\.([A-Za-z]+)","leafKind"/g,
      /src\/runtime\/src\/tools\/([a-z_0-9/]+)\.rs/g,
    ]);
    return { events: events.map(([, name = ""]) => name), tools: parts.map(([, name = ""]) => name) };
  },
};

/** What the inventory says of tools, in the words that the package lists. */
function named({ tools, harmless }: HostInventory): readonly string[] {
  const parts = Object.values(tools).flatMap(({ part }) => part ?? []);
  return [...harmless, ...(parts.length > 0 ? parts : Object.keys(tools))];
}

describe.each(HOST_INVENTORIES)("The package of $host $version", (inventory) => {
  const host = inventory.host as AgentHostName;
  const listed = (): Listed => LISTED[host]();

  it("is the pinned one, and installed", () => {
    expect(inventory.version).toBe(HOST_PACKAGES[host].version);
    expect(existsSync(agentHostFolder(host))).toBe(true);
  });

  it("has the events and the tools that the inventory names, and no others", () => {
    const { events, tools } = listed();
    expect(sorted(Object.keys(inventory.events))).toEqual(sorted(events));
    expect(sorted(named(inventory))).toEqual(sorted(tools));
  });
});
