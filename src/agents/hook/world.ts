import { codingAgent } from "../../domains/coding-agent/coding-agent.ts";
import type { FileChange, World } from "../../model/coding-context.ts";
import { parseJson } from "../../model/read-json.ts";
import type { Proposal } from "../../model/episode.ts";
import { CODING_TOOLS } from "../../model/coding-tools.ts";
import { asRecord, asText } from "../../trace/formats/records.ts";
import type { WorldPort } from "./session-store.ts";
import { contextNow, type Turn } from "./turn.ts";

/** A larger file is said to exist, and nothing more. */
const MAX_FILE = 4_000_000;
const MAX_FILES = 50;

/** Hosts give a file's text to the agent with `\n` and put its line ends back; so they find what this finds. */
const unixLines = (text: string): string => text.replaceAll("\r\n", "\n");

function occurrences(text: string, part: string): number {
  if (part === "") return 0;
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

function touched(turn: Turn, proposal: Proposal): Map<string, FileChange[]> {
  const { own } = codingAgent.contextRules;
  const { changes = [] } = own?.proposed(contextNow(turn.state), proposal) ?? {};
  const files = new Map<string, FileChange[]>();
  for (const change of changes) files.set(change.path, [...(files.get(change.path) ?? []), change]);
  const path = asText(asRecord(parseJson(proposal.action.arg))["path"]);
  if (proposal.action.type === CODING_TOOLS.Read && path !== undefined) files.set(path, []);
  return files;
}

async function look(port: WorldPort, root: string, path: string, changes: readonly FileChange[]) {
  const { exists, text } = await port.file(root, path, MAX_FILE);
  const replaced = changes.flatMap(({ before }) => before ?? []);
  if (text === undefined || replaced.length === 0) return { path, exists };
  const searched = unixLines(text);
  return { path, exists, occurrences: replaced.map((part) => occurrences(searched, unixLines(part))) };
}

/** What the host sees of the world as this call is proposed. It is recorded, so that a replay sees the same. */
export async function worldFor(turn: Turn, proposal: Proposal): Promise<World> {
  const root = turn.state.facts.cwd ?? "";
  const files = [...touched(turn, proposal)].slice(0, MAX_FILES);
  const [branch, seen] = await Promise.all([
    turn.world.branch(root),
    Promise.all(files.map(([path, changes]) => look(turn.world, root, path, changes))),
  ]);
  return { ...(branch !== undefined && { branch }), ...(seen.length > 0 && { files: seen }) };
}
