import type { CaseExpectation, SkillCase } from "../model/case.ts";
import type { Fix, Range } from "../model/diagnostic.ts";
import { sourceText, type SourceText } from "./source-text.ts";
import { plainOrQuoted, quoted, setValue } from "./yaml-edits.ts";
import { readYaml, type YamlMap, type YamlValue } from "./yaml-tree.ts";

/** A case to begin with, on one line. */
export const EXAMPLE_CASE =
  '{ name: says nothing of its own, context: { question: "Who?" }, proposed: { type: SEARCH, arg: "who" }, expect: { fires: false } }';

/** A file that holds nothing gets an example. */
export function emptyFileFixes(source: SourceText, from: number): readonly Fix[] {
  if (source.text.slice(from).trim() !== "") return [];
  const range = source.range(from, source.text.length);
  return [
    {
      title: "Add an example",
      edits: [{ range, newText: `cases:\n  - ${EXAMPLE_CASE}\n` }],
      byHand: true,
    },
  ];
}

/** A bare list of cases gets its key; a single case its list. */
export function wrappedInCases(root: YamlValue, source: SourceText): readonly Fix[] {
  const at = { line: root.range.start.line, character: 0 };
  const isCase = root.kind === "map" && (root.entries.has("proposed") || root.entries.has("expect"));
  if (root.kind === "list" && !root.isFlow)
    return [
      {
        title: "Put `cases:` above the list",
        edits: [{ range: { start: at, end: at }, newText: "cases:\n" }],
      },
    ];
  if (!isCase || root.isFlow) return [];
  const end = source.text.trimEnd().length;
  const range = { start: at, end: source.positionAt(end) };
  const lines = source.slice(range).split(/\r?\n/);
  const item = lines.map((line, i) => (line === "" ? "" : `${i === 0 ? "  - " : "    "}${line}`));
  return [
    { title: "Put the case into a list `cases`", edits: [{ range, newText: `cases:\n${item.join("\n")}` }] },
  ];
}

/** The same name with the first number that is free. */
export function duplicateFixes(name: string, range: Range, taken: readonly string[]): readonly Fix[] {
  let n = 2;
  while (taken.includes(`${name} (${n})`)) n++;
  const free = plainOrQuoted(`${name} (${n})`);
  return [{ title: `Name it ${free}`, edits: [{ range, newText: free }] }];
}

const INLINE = 120;

/** An expectation as a mapping on one line. */
function written(expect: CaseExpectation): string {
  const texts = (["newActionType", "newActionArg", "contextContains"] as const).flatMap((key) => {
    const value = expect[key];
    return value === undefined ? [] : [`${key}: ${quoted(value)}`];
  });
  const type = expect.type === undefined ? [] : [`type: ${expect.type}`];
  return `{ ${[`fires: ${expect.fires}`, ...type, ...texts].join(", ")} }`;
}

/** The case whose name stands at a place, as `SkillCase.range` gives it. */
function caseAt(text: string, { start }: Range): YamlMap | undefined {
  const from = text.startsWith("\uFEFF") ? 1 : 0;
  const { root } = readYaml(text.slice(from), sourceText(text), from);
  const list = root?.kind === "map" ? root.entries.get("cases")?.value : undefined;
  const items = list?.kind === "list" ? list.items : [];
  return items.find((item): item is YamlMap => {
    const place =
      item.kind === "map" ? (item.entries.get("name")?.value.range ?? item.range).start : undefined;
    return place?.line === start.line && place.character === start.character;
  });
}

/** Makes a case expect what the PF does today (HASP310). A person has to say that the decision is right. */
export function renewedExpectation(
  text: string,
  made: Pick<SkillCase, "range">,
  now: CaseExpectation,
): readonly Fix[] {
  const expect = caseAt(text, made.range)?.entries.get("expect");
  if (expect === undefined) return [];
  const { contextContains: whole, ...rest } = now;
  const [line = ""] = whole?.split("\n") ?? [];
  const shown = whole === undefined ? {} : { contextContains: line.slice(0, INLINE) };
  const edit = setValue(expect, written({ ...rest, ...shown }), sourceText(text));
  return [{ title: "Expect what the PF does now", edits: [edit], byHand: true }];
}
