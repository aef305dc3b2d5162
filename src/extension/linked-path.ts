import * as vscode from "vscode";
import { canonicalLink, allowLink } from "../platform/link-consent.ts";
import { LinkedPathError, writePath } from "../platform/write-path.ts";

export const ALLOW_LINK = "Allow Writing Through This Link";

/**
 * Before an edit of VS Code's that makes or saves a file: those follow links. Throws LinkedPathError where a link on the way was not allowed. Other
 * schemes than `file` are not on this disk.
 */
export function checkWritable(file: vscode.Uri): void {
  if (file.scheme === "file") writePath(file.fsPath);
}

/** An error that a person can settle by one yes: there is a link, and it leads to something. */
export function isAllowable(error: unknown): error is LinkedPathError & { readonly target: string } {
  return error instanceof LinkedPathError && error.target !== undefined;
}

/** Keeps the yes to the link as the message showed it. Does the work again where `repeat` can. */
export async function allowAndRepeat(
  { link, target }: { readonly link: string; readonly target: string },
  repeat: (() => Promise<unknown>) | undefined,
): Promise<void> {
  allowLink({ link: canonicalLink(link), target }, new Date().toISOString());
  if (repeat !== undefined) await repeat();
  else
    void vscode.window.showInformationMessage(
      "HASP may write through the link, as long as it leads there. Do again what failed.",
    );
}
