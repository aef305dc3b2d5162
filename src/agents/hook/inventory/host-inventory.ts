import type { CodingTool } from "../../../model/coding-tools.ts";
import type { HookEventKind, HookHost } from "../event.ts";

/** An event that HASP subscribes to, as what kind; or the reason why not. */
export type EventEntry = { readonly kind: HookEventKind } | { readonly why: string };

/** The canonical tool that a call such as `sample` is judged as; or the reason why none. */
export type ToolEntry = ({ readonly as: CodingTool; readonly sample: object } | { readonly why: string }) & {
  /** The package's own name of the part that has the tool, where it lists parts. */
  readonly part?: string;
};

/** Everything in one version of a host that could ask HASP, or do something that HASP should be asked about. No part of the hook's bundle. */
export interface HostInventory {
  readonly host: HookHost;
  readonly version: string;
  /** The day on which the package was read. */
  readonly read: string;
  readonly events: Readonly<Record<string, EventEntry>>;
  /** Tools that run a command or write a file. */
  readonly tools: Readonly<Record<string, ToolEntry>>;
  /** What else the package lists: tools, or parts of its code, that do neither. */
  readonly harmless: readonly string[];
  /** Names of tools that do, which this version has not and others have. */
  readonly others: readonly string[];
}

export const names = (text: string): readonly string[] => text.split(" ");

/** Sentences that several entries share. */
export const WHY = {
  notices: "It tells what the host does with itself; no call and no word of a person is in it.",
  asked: "The event before a call has asked about the same call.",
  agents: "It starts agents; their own calls are asked about one by one.",
} as const;
