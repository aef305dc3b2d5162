import * as vscode from "vscode";
import { Unmet } from "../failure.ts";

export const MANAGE_TRUST = { label: "Manage trust", command: "workbench.trust.manage" };

/** Unmet in restricted mode, with a button that leads to the trust editor. */
export function requireTrust(what: string): void {
  if (vscode.workspace.isTrusted) return;
  const next = "Until then skills are only read and type-checked.";
  throw new Unmet(`${what} needs your trust in this workspace.`, next, MANAGE_TRUST);
}
