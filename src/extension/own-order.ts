import type * as vscode from "vscode";
import type { Fact } from "../model/facts.ts";
import type { WorkspaceOrder } from "../model/own-records.ts";
import { ownRecords } from "../platform/own-records.ts";
import { sha256 } from "../platform/sha256.ts";
import { askYes } from "./ask-yes.ts";
import { plainLine } from "./experiments/words.ts";
import { Unmet } from "./failure.ts";

/** Characters of a row: a list cuts longer ones off, and all of an order is to be read. */
const WIDTH = 80;

/** A row for each part of a value that fits. */
function rowsOf([name, value]: Fact): readonly vscode.QuickPickItem[] {
  const text = plainLine(value);
  const parts = Array.from({ length: Math.max(1, Math.ceil(text.length / WIDTH)) }, (_, i) =>
    text.slice(i * WIDTH, (i + 1) * WIDTH),
  );
  return parts.map((detail, i) => ({
    label: `$(info) ${plainLine(name)}${parts.length > 1 ? ` (${i + 1} of ${parts.length})` : ""}`,
    detail,
  }));
}

/** Asks for a yes to exactly this content where this user has not made the order. False: nothing is done. */
export async function requireOwn(
  title: string,
  { name, file, text, facts, refused }: WorkspaceOrder,
): Promise<boolean> {
  const own = ownRecords();
  if (own.has(file, text)) return true;
  if (refused !== undefined)
    throw new Unmet(`You did not make the ${plainLine(name)}. ${plainLine(refused)}`, "Make it yourself.");
  const agreed = await askYes({
    title: `HASP: ${title}`,
    question: `You did not make the ${plainLine(name)} here, or it has changed. Allow exactly this?`,
    yes: "Allow exactly this",
    isCautious: true,
    detail: "Kept for this user and for this very content; a change of it asks again",
    about: [...facts, ["content", sha256(text)] as const].flatMap(rowsOf),
  });
  if (agreed) own.keep(file, text);
  return agreed;
}
