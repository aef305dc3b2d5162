import { domainOf } from "../domains/registry.ts";
import { formatAction, type Action } from "../model/action.ts";
import type { Episode } from "../model/episode.ts";
import { tellingLine } from "../model/telling-line.ts";
import { testEvidenceOf } from "../model/test-evidence.ts";
import { CAN_BE_FORGED, isUnloaded } from "../model/test-words.ts";
import type { Verdict } from "../model/verdict.ts";

/** Lines of a program, and characters of each, that a terminal shows. */
const MOST_LINES = 80;
const MOST_CHARACTERS = 400;
/** Characters of a program in one line. */
const ONE_LINE = 100;

/** The episode's answers are programs: its domain says so. */
export function answersArePrograms({ facts }: Pick<Episode, "facts">): boolean {
  return domainOf(facts.domain)?.answersIn !== undefined;
}

/** A program line by line, as it is indented, with its length where it is cut. */
export function programLines(program: string): readonly string[] {
  const lines = program.replace(/\n$/, "").split(/\r\n|\n/);
  const shown = lines.slice(0, MOST_LINES).map((line) => line.slice(0, MOST_CHARACTERS));
  return lines.length <= MOST_LINES ? shown : [...shown, `… ${lines.length - MOST_LINES} more lines`];
}

/** A text in one line: of a program or its task, the line that tells most. */
export function textInLine(text: string, isProgram: boolean): string {
  return isProgram ? tellingLine(text, ONE_LINE) : text;
}

/** The same of an action. */
export function actionInLine(action: Pick<Action, "type" | "arg">, isProgram: boolean): string {
  return isProgram ? `${action.type}(${textInLine(action.arg, isProgram)})` : formatAction(action);
}

/** The details of a verdict by tests besides its counts, each a label with its text; empty for the verdict of another judge. */
export function testRows({ evidence }: Verdict): readonly (readonly [label: string, text: string])[] {
  const tests = testEvidenceOf(evidence);
  if (tests === undefined) return [];
  const { first, containment, ms, canBeForged } = tests;
  const failing = first && [
    [isUnloaded(tests) ? "Failed while" : "Failing test", first.name],
    ...(first.input === undefined ? [] : [["  input", first.input]]),
    ...(first.expected === undefined ? [] : [["  expected", first.expected]]),
    ["  actual", first.actual],
  ];
  const rows = [
    ...(failing ?? []),
    ["Ran in", `${containment}, ${Math.round(ms)} ms`],
    ...(canBeForged === true ? [["", `can be forged: ${CAN_BE_FORGED}`]] : []),
  ];
  return rows.map(([label = "", text = ""]) => [label, text]);
}
