import type * as vscode from "vscode";
import type { Fact } from "../model/facts.ts";
import { ownRecords } from "../platform/own-records.ts";
import { sha256 } from "../platform/sha256.ts";
import { askYes } from "./ask-yes.ts";
import { plainLine } from "./experiments/words.ts";
import { Unmet } from "./failure.ts";

/** An order that lies in a workspace: the file that says what is done. */
export interface OrderFile {
  /** `job run-1126`. */
  readonly name: string;
  /** Absolute. */
  readonly file: string;
  readonly text: string;
  readonly facts: readonly Fact[];
  /** Why nobody may allow it. */
  readonly refused?: string | undefined;
}

const rowOf = ([name, value]: Fact): vscode.QuickPickItem => ({
  label: `$(info) ${plainLine(name)}`,
  detail: plainLine(value),
});

/** Asks for a yes to exactly this content where this user has not made the order. False: nothing is done. */
export async function requireOwn(
  title: string,
  { name, file, text, facts, refused }: OrderFile,
): Promise<boolean> {
  const own = ownRecords();
  if (own.has(file, text)) return true;
  if (refused !== undefined)
    throw new Unmet(`You did not make the ${plainLine(name)}. ${plainLine(refused)}`, "Make it yourself.");
  const agreed = await askYes({
    title: `HASP: ${title}`,
    question: `You did not make the ${plainLine(name)} on this machine, or it was changed since. Allow exactly this?`,
    yes: "Allow exactly this",
    detail: "Kept for this user and for this very content; a change of it asks again",
    about: [...facts, ["content", sha256(text)] as const].map(rowOf),
  });
  if (agreed) own.keep(file, text);
  return agreed;
}
