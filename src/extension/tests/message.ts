import * as vscode from "vscode";
import { firstPlace, placeOf, type CaseOutcome } from "../../model/case-result.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { toVsRange } from "../diagnostics/convert.ts";
import { shownFile } from "../workspace/readonly-files.ts";
import type { LocatedSkill } from "../workspace/library.ts";
import { filesOf, nameOf } from "../workspace/skill-folders.ts";

/** The message of a failed case: expected beside actual, the PF's reason, the operand that decided and its line. */
function wholeMessage({ result, reason, why, sides }: CaseOutcome, skill: LocatedSkill): vscode.TestMessage {
  const said = [
    `Expected: ${result.expected}. Actual: ${result.actual}.`,
    ...(reason === undefined ? [] : [`Reason: ${reason}`]),
    ...(why === undefined ? [] : [`Because ${why.sentence}.`]),
  ];
  const message = vscode.TestMessage.diff(said.join("\n"), sides.expected, sides.actual);
  const { cases = skill.skillMd, pf } = skill;
  message.location = new vscode.Location(shownFile(skill, cases), toVsRange(firstPlace(result)));
  const line = result.line ?? why?.deciding?.line;
  if (pf !== undefined && line !== undefined) {
    const label = why?.deciding?.expression ?? "pf.ts";
    const frame = new vscode.TestMessageStackFrame(
      label,
      shownFile(skill, pf),
      new vscode.Position(line - 1, 0),
    );
    message.stackTrace = [frame];
  }
  return message;
}

/** The failed case at the first field that differs, and each further one at its own. */
export function failedMessages(outcome: CaseOutcome, skill: LocatedSkill): readonly vscode.TestMessage[] {
  const { result } = outcome;
  const further = result.differences.slice(1).map((difference) => {
    const { key, expected, actual } = difference;
    const text = `Expected ${key}: ${expected}. Actual: ${actual}.`;
    const message = vscode.TestMessage.diff(text, `${key}: ${expected}`, `${key}: ${actual}`);
    const file = shownFile(skill, skill.cases ?? skill.skillMd);
    message.location = new vscode.Location(file, toVsRange(placeOf(result, difference)));
    return message;
  });
  return [wholeMessage(outcome, skill), ...further];
}

/** Why no case of a skill could be run. */
export function brokenMessage(diagnostic: Diagnostic | undefined, skill: LocatedSkill): vscode.TestMessage {
  if (diagnostic === undefined) return new vscode.TestMessage("The skill has no Program Function to run.");
  const { message: what, next, file, range } = diagnostic;
  const message = new vscode.TestMessage(next === undefined ? what : `${what}\n${next}`);
  const place = filesOf(skill).find((one) => file?.endsWith(`/${nameOf(one)}`)) ?? skill.skillMd;
  message.location = new vscode.Location(shownFile(skill, place), toVsRange(range));
  return message;
}
