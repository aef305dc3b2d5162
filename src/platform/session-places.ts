import path from "node:path";
import { claudeProjects, hostHome } from "./host-logs.ts";
import { homeFolder } from "./surroundings.ts";

/** A folder in which a host of agents keeps its sessions. */
export interface SessionPlace {
  readonly host: string;
  /** Whose sessions, as a person says it. */
  readonly of: "this workspace" | "all workspaces";
  readonly folder: string;
}

/**
 * Folders in which the hosts of this user keep the sessions of a workspace, or of all where their names do not tell them apart; whether
 * they exist or not. `chats`: where this editor keeps its chats.
 */
export async function sessionPlaces(root: string, chats: string | undefined): Promise<SessionPlace[]> {
  const claude = hostHome("claude-code", root);
  const projects = await claudeProjects(claude, root);
  const all = (host: string, ...folder: readonly string[]): SessionPlace => ({
    host,
    of: "all workspaces",
    folder: path.join(...folder),
  });
  return [
    ...projects.map((folder) => ({ host: "Claude Code", of: "this workspace" as const, folder })),
    ...(chats === undefined ? [] : [{ host: "VS Code", of: "this workspace" as const, folder: chats }]),
    all("Claude Code", claude, "projects"),
    all("Codex", hostHome("codex", root), "sessions"),
    // The folders of the projects below it have names that only its registry explains.
    all("Gemini CLI", homeFolder(), ".gemini", "tmp"),
  ];
}
