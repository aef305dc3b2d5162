import { describe, expect, it } from "vitest";
import type { HookEventKind } from "../../../../src/agents/hook/event.ts";
import { adapterOf } from "../../../../src/agents/hook/hosts/hosts.ts";
import { HOST_CONFIGS } from "../../../../src/agents/hook/install/host-configs.ts";
import type { HostInventory } from "../../../../src/agents/hook/inventory/host-inventory.ts";
import { HOST_INVENTORIES } from "../../../../src/agents/hook/inventory/host-inventories.ts";
import { kindOf } from "../../../../src/agents/hook/raw-event.ts";
import { CLAUDE_CODE_TOOLS } from "../../../../src/trace/formats/tools/claude-code.ts";
import { CODEX_TOOLS } from "../../../../src/trace/formats/tools/codex.ts";
import { COPILOT_TOOLS } from "../../../../src/trace/formats/tools/copilot.ts";
import type { ToolTable } from "../../../../src/trace/formats/tools/tool-shape.ts";

const TABLES: Readonly<Record<string, ToolTable>> = {
  "claude-code": CLAUDE_CODE_TOOLS,
  codex: CODEX_TOOLS,
  copilot: COPILOT_TOOLS,
};
/** Canonical tools that run a command or write a file. */
const ACTS = new Set(["Bash", "PowerShell", "Write", "Edit", "MultiEdit", "Patch", "Agent"]);
const sorted = (words: Iterable<string>): string[] => [...words].toSorted();

function subscribed({ events }: HostInventory): [string, HookEventKind][] {
  return Object.entries(events).flatMap(([name, entry]) => ("kind" in entry ? [[name, entry.kind]] : []));
}

describe.each(HOST_INVENTORIES)("The inventory of $host $version", (inventory) => {
  const { host, events, tools, harmless, others } = inventory;
  const reasons = [...Object.values(events), ...Object.values(tools)].flatMap((entry) =>
    "why" in entry ? [entry.why] : [],
  );

  it("names as subscribed what installing subscribes to, of the kind that is judged", () => {
    const found = subscribed(inventory);
    expect(sorted(found.map(([name]) => name))).toEqual(sorted(HOST_CONFIGS[host].events));
    for (const [name, kind] of found) expect([name, kindOf(name)]).toEqual([name, kind]);
  });

  it("tells nothing of an event that is left out to be judged or answered", () => {
    for (const [name, entry] of Object.entries(events))
      if ("why" in entry) expect(kindOf(name)).toBe("other");
  });

  it("says why in one sentence", () => {
    for (const reason of reasons) expect(reason).toMatch(/^[A-Z][^\n]*\.$/);
    expect(inventory.read).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });

  it("judges each tool as it says", () => {
    for (const [name, entry] of Object.entries(tools)) {
      if (!("as" in entry)) continue;
      const { type } = adapterOf(host).canonical({ name, input: entry.sample }, "/repo");
      expect([name, type]).toEqual([name, entry.as]);
    }
  });

  it("knows each tool of the tables that runs a command or writes a file", () => {
    const known = new Set([...Object.keys(tools), ...others]);
    const acting = Object.entries(TABLES[host]?.tools ?? {}).filter(([, { tool }]) => ACTS.has(tool));
    expect(acting.map(([name]) => name).filter((name) => !known.has(name))).toEqual([]);
  });

  it("names nothing twice", () => {
    const parts = Object.values(tools).flatMap(({ part }) => part ?? []);
    const all = [...harmless, ...(parts.length > 0 ? parts : Object.keys(tools))];
    expect(sorted(all)).toEqual(sorted(new Set(all)));
  });
});
