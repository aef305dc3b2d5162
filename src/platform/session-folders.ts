import path from "node:path";
import { userWorkspace } from "./user-folders.ts";

/** The run that the sessions of a workspace are episodes of, from its root. */
export const SESSIONS_RUN = ".hasp/runs/agent-sessions";

/** A run folder for the sessions of a workspace. */
export interface SessionFolder {
  readonly folder: string;
  /** Of the run, for people. */
  readonly title: string;
}

/** The folders of a workspace's sessions: in its `.hasp`, or with the user if the workspace cannot hold them. */
export function sessionFolders(root: string): readonly [inWorkspace: SessionFolder, withUser: SessionFolder] {
  return [
    { folder: path.join(root, SESSIONS_RUN), title: "agent sessions" },
    {
      folder: path.join(userWorkspace(root), SESSIONS_RUN),
      title: "agent sessions, kept outside the workspace",
    },
  ];
}
