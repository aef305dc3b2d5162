import fs from "node:fs";
import path from "node:path";
import { unreadPart, type WorkspacePart } from "../agents/hook/library.ts";
import { AGENT_SKILL_FOLDERS } from "../skill/agent-folders.ts";
import { buildOf, readPrepared, type PreparedWorkspace } from "./hook-cache.ts";
import { trustedHash } from "./trust.ts";

/** Places in which a workspace can bring skills or settings: `hasp.yaml` names further folders (evaluation/workspace-config.ts, DEFAULT_LIBRARIES). */
const PLACES = ["hasp.yaml", "skills", ...AGENT_SKILL_FOLDERS];

function bringsAnything(root: string): boolean {
  return PLACES.some((name) => fs.existsSync(path.join(root, ...name.split("/"))));
}

async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, ms));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

export interface Preparing {
  /** The file of the whole command. */
  readonly cli: string;
  /** Prepares the workspace; undefined where that came to nothing. Never rejects. It goes on where nobody waits for it. */
  readonly prepare: () => Promise<PreparedWorkspace | undefined>;
  /** Milliseconds to wait for it. */
  readonly waitMs: number;
}

/**
 * The part of a workspace that is known now. It is prepared anew where something has changed, and only a workspace that somebody said yes to
 * is waited for: of any other nothing may act.
 */
export async function workspacePart(
  root: string,
  { cli, prepare, waitMs }: Preparing,
): Promise<WorkspacePart | undefined> {
  if (!bringsAnything(root)) return undefined;
  const trusted = trustedHash(root);
  const kept = readPrepared(root, buildOf(cli), trusted);
  if (kept !== undefined) return kept.part;
  const preparing = prepare();
  if (trusted === undefined) return undefined;
  const prepared = await within(preparing, waitMs);
  return prepared === undefined ? unreadPart(trusted, "are not compiled yet") : prepared.part;
}
