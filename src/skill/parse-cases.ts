import type { CaseExpectation, SkillCase } from "../model/case.ts";
import type { Action } from "../model/action.ts";
import { characters } from "../model/characters.ts";
import type { Checked, Fix, Range } from "../model/diagnostic.ts";
import {
  executableIn,
  isExecutable,
  scopeOf,
  type DomainScope,
  type DomainSpec,
} from "../model/domain-spec.ts";
import type { Json } from "../model/step-context.ts";
import { CONTEXT_KEYS, readContext } from "./case-context.ts";
import { readAction, readSession, SESSION_KEYS } from "./case-session.ts";
import { duplicateFixes, emptyFileFixes, EXAMPLE_CASE, wrappedInCases } from "./case-fixes.ts";
import { fieldsOf, meantWord, replacing, type FieldCodes, type Fields } from "./fields.ts";
import { fixesOfLine, withoutNuls } from "./frontmatter-fixes.ts";
import { reportOn, type Report } from "./report.ts";
import { sourceText, type SourceText } from "./source-text.ts";
import { didYouMean } from "./suggest.ts";
import { recordOf } from "./yaml-json.ts";
import { readYaml, type YamlMap, type YamlValue } from "./yaml-tree.ts";

const CODES: FieldCodes = { wrongType: "HASP302", unknownKey: "HASP303" };
const INTERVENTIONS = ["MODIFY_ACTION", "INJECT_CONTEXT", "NOOP"] as const;
export const CASE_KEYS: readonly string[] = [
  "name",
  "context",
  "memory",
  ...SESSION_KEYS,
  "proposed",
  "expect",
];
export const EXPECT_KEYS: readonly string[] = [
  "fires",
  "type",
  "newActionType",
  "newActionArg",
  "newInput",
  "contextContains",
];

/** A longer cases.yaml is read by no person. In UTF-16 code units. */
const MAX_CASES_FILE = 1_000_000;

const EXAMPLE =
  "Write `cases:` and below it `- name: …`, with `context`, `proposed: { type: SEARCH, arg: … }` and `expect: { fires: true }`.";

/**
 * Reads a cases.yaml (DESIGN.md "A skill"): contexts with the decision that the PF must come to. Fields that a context does
 * not name take the defaults of `case-context.ts`. The value holds the cases that could be read; those with an error are
 * left out. Never throws on any text.
 */
export function parseCases(
  text: string,
  file: string,
  domains: readonly DomainSpec[],
): Checked<readonly SkillCase[]> {
  const source = sourceText(text);
  const report = reportOn(file, source);
  const root = openCases(source, report);
  const list = root?.list("cases");
  if (root === undefined || list === undefined) return { value: undefined, diagnostics: report.diagnostics };
  root.refuseUnknown(["cases"]);
  if (list.items.length === 0)
    report.warning(
      "HASP307",
      list.range,
      "There is no case yet.",
      EXAMPLE,
      root.setting("Add an example", "cases", `[${EXAMPLE_CASE}]`, "by hand"),
    );
  const scope = scopeOf(file, domains);
  const cases = list.items.flatMap((item) => readCase(item, report, scope) ?? []);
  warnOfDoubles(cases, report);
  return { value: cases, diagnostics: report.diagnostics };
}

function openCases(source: SourceText, report: Report): Fields | undefined {
  const { text } = source;
  const nul = text.indexOf("\0");
  if (nul !== -1) {
    report.error(
      "HASP300",
      source.range(nul, nul + 1),
      "This is not a text file: it holds a NUL character.",
      "Save it as UTF-8 text.",
      withoutNuls(source),
    );
    return undefined;
  }
  if (text.length > MAX_CASES_FILE && characters(text) > MAX_CASES_FILE) {
    report.error(
      "HASP300",
      source.firstLine(),
      `The file has ${characters(text)} characters; a cases.yaml may have ${MAX_CASES_FILE}.`,
      "Keep the cases that tell most.",
    );
    return undefined;
  }
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  const { root, problems } = readYaml(text.slice(start), source, start);
  for (const { message, range, next } of problems) {
    report.error(
      "HASP300",
      range,
      `This is not valid YAML: ${message}.`,
      next ?? "Correct the line; quote a text that contains `: ` or begins with a special character.",
      fixesOfLine(source, range),
    );
  }
  if (problems.length > 0 && root === undefined) return undefined;
  if (root?.kind === "map" && root.entries.has("cases")) return fieldsOf(root, "", report, CODES);
  report.error(
    "HASP301",
    root?.range ?? source.firstLine(),
    "The file has no list `cases`.",
    EXAMPLE,
    root === undefined ? emptyFileFixes(source, start) : wrappedInCases(root, source),
  );
  return undefined;
}

function readCase(item: YamlValue, report: Report, scope: DomainScope): SkillCase | undefined {
  if (item.kind !== "map") {
    report.error("HASP302", item.range, "A case must be a mapping.", EXAMPLE);
    return undefined;
  }
  const before = report.diagnostics.filter((d) => d.severity === "error").length;
  const fields = fieldsOf(item, "", report, CODES);
  fields.refuseUnknown(CASE_KEYS);
  const name = fields.string("name")?.trim() ?? "";
  if (name === "")
    report.error(
      "HASP301",
      fields.rangeOf("name"),
      "The case has no `name`.",
      "Say in a few words what it shows, e.g. `name: a long query is cut`.",
      nameFixes(fields),
    );
  const proposed = readProposed(fields, report, scope);
  const contextFields = fields.map("context");
  contextFields?.refuseUnknown(CONTEXT_KEYS);
  const context = readContext(contextFields, report);
  const session = readSession(fields, report, scope);
  const expect = readExpectation(fields, report, scope);
  const after = report.diagnostics.filter((d) => d.severity === "error").length;
  if (after > before || proposed === undefined || expect === undefined) return undefined;
  const memory = readMemory(fields, report);
  const range = placeOf(item);
  const expectAt = placesIn(fields.map("expect"));
  return { name, context, memory, proposed, ...(session && { session }), expect, range, expectAt };
}

/** The ranges of the values of `expect`. */
function placesIn(expect: Fields | undefined): NonNullable<SkillCase["expectAt"]> {
  const keys = EXPECT_KEYS.filter((key) => expect?.entry(key) !== undefined);
  return Object.fromEntries(keys.map((key) => [key, expect?.rangeOf(key)]));
}

/** Named after its place in the file, until somebody says better. */
function nameFixes(fields: Fields): readonly Fix[] {
  const name = `case in line ${fields.range.start.line + 1}`;
  return fields.entry("name") === undefined
    ? fields.adding("Add a name", `name: ${name}`)
    : fields.setting("Write a name", "name", name);
}

/** The name, which is what a person looks for; else the case. */
function placeOf(item: YamlMap): Range {
  return item.entries.get("name")?.value.range ?? item.range;
}

function readProposed(fields: Fields, report: Report, scope: DomainScope): Action | undefined {
  const proposed = fields.map("proposed");
  if (proposed === undefined) {
    if (fields.entry("proposed") === undefined)
      report.error(
        "HASP301",
        start(fields.range),
        "The case has no `proposed` action.",
        "Add `proposed: { type: SEARCH, arg: … }`.",
        fields.adding("Add a `proposed` action", 'proposed: { type: SEARCH, arg: "" }', "by hand"),
      );
    return undefined;
  }
  proposed.refuseUnknown(["type", "arg", "input", "raw"]);
  const action = readAction(proposed, "proposed action", report, scope);
  // `Read` with an input is a tool of a coding agent; with an argument, in no domain, it is `READ` misspelt.
  const isCall = action !== undefined && proposed.entry("input") !== undefined;
  if (action !== undefined && !(isCall && isExecutable(action.type, { ...scope, own: undefined })))
    checkActionType(action.type, proposed.rangeOf("type"), report, scope);
  return action;
}

/** The types of the file's own domain, else of the default one. */
function knownTypes({ own, all }: DomainScope): readonly string[] {
  return [...executableIn({ own: own ?? all[0], all }), "other", "invalid"];
}

/** Other domains have other actions, so only what looks like a slip is an error. */
function checkActionType(type: string, range: Range, report: Report, scope: DomainScope): void {
  const known = knownTypes(scope);
  if (type === "")
    report.error(
      "HASP304",
      range,
      "The action type is empty.",
      `Use one of ${known.join(", ")}.`,
      known.slice(0, 3).map((one) => ({ ...replacing(range, one), byHand: true })),
    );
  if (known.includes(type)) return;
  const meant = known.find((one) => one.toLowerCase() === type.toLowerCase());
  if (meant === undefined) return;
  report.error("HASP304", range, `"${type}" is no action type.`, `Did you mean "${meant}"?`, [
    replacing(range, meant),
  ]);
}

/** What is expected besides can only be of a PF that fires; where nothing is, a person has to say. */
function expectFixes(fields: Fields, expect: Fields | undefined): readonly Fix[] {
  if (expect === undefined)
    return ["true", "false"].flatMap((fires) =>
      fields.adding(`Add \`expect: { fires: ${fires} }\``, `expect: { fires: ${fires} }`, "by hand"),
    );
  const says = EXPECT_KEYS.some((key) => expect.entry(key) !== undefined);
  if (says) return expect.adding("Add `fires: true`", "fires: true");
  return ["true", "false"].flatMap((fires) =>
    expect.adding(`Add \`fires: ${fires}\``, `fires: ${fires}`, "by hand"),
  );
}

function readExpectation(fields: Fields, report: Report, scope: DomainScope): CaseExpectation | undefined {
  const expect = fields.map("expect");
  const fires = expect?.boolean("fires");
  if (expect === undefined || fires === undefined) {
    const isThere = fields.entry("expect") !== undefined;
    if (!isThere || (expect !== undefined && expect.entry("fires") === undefined)) {
      report.error(
        "HASP301",
        isThere ? fields.rangeOf("expect") : start(fields.range),
        "The case does not say whether the PF fires.",
        "Add `expect: { fires: true }` or `expect: { fires: false }`.",
        expectFixes(fields, expect),
      );
    }
    return undefined;
  }
  expect.refuseUnknown(EXPECT_KEYS);
  const type = readInterventionType(expect, report);
  const newActionType = expect.string("newActionType");
  if (newActionType !== undefined)
    checkActionType(newActionType, expect.rangeOf("newActionType"), report, scope);
  const newActionArg = expect.string("newActionArg");
  const newInput = readNewInput(expect, report);
  const contextContains = expect.string("contextContains");
  checkSense(expect, fires, type, report);
  return {
    fires,
    ...(type === undefined ? {} : { type }),
    ...(newActionType === undefined ? {} : { newActionType }),
    ...(newActionArg === undefined ? {} : { newActionArg }),
    ...(newInput === undefined ? {} : { newInput }),
    ...(contextContains === undefined ? {} : { contextContains }),
  };
}

function readNewInput(expect: Fields, report: Report): CaseExpectation["newInput"] {
  const value = expect.entry("newInput")?.value;
  if (value === undefined) return undefined;
  if (value.kind === "map") return recordOf(value);
  report.error(
    "HASP302",
    value.range,
    "`newInput` must be a mapping: the inputs that matter.",
    "Write for example `newInput: { command: git push --force-with-lease }`.",
    expect.removing("newInput"),
  );
  return undefined;
}

function readInterventionType(expect: Fields, report: Report): CaseExpectation["type"] {
  const written = expect.string("type");
  if (written === undefined) return undefined;
  const type = INTERVENTIONS.find((known) => known === written);
  if (type === undefined)
    report.error(
      "HASP304",
      expect.rangeOf("type"),
      `"${written}" is no intervention.`,
      didYouMean(written, INTERVENTIONS),
      [...meantWord(written, expect.rangeOf("type"), INTERVENTIONS), ...expect.removing("type")],
    );
  return type;
}

/** An expectation that no answer of a PF could meet. */
function checkSense(expect: Fields, fires: boolean, type: CaseExpectation["type"], report: Report): void {
  const refuse = (key: string, why: string): void => {
    const entry = expect.entry(key);
    if (entry !== undefined)
      report.error(
        "HASP306",
        entry.keyRange,
        `\`${key}\` cannot hold: ${why}.`,
        "Delete the one that is wrong.",
        [
          ...expect.removing(key),
          ...(fires ? [] : expect.setting("Write `fires: true`", "fires", "true", "by hand")),
        ],
      );
  };
  if (!fires) for (const key of EXPECT_KEYS.slice(1)) refuse(key, "the PF is not to fire");
  else if (type === "MODIFY_ACTION") refuse("contextContains", "MODIFY_ACTION has no context");
  else if (type !== undefined)
    for (const key of ["newActionType", "newActionArg", "newInput"]) refuse(key, `${type} changes no action`);
  if (type === "NOOP") refuse("contextContains", "NOOP has no context");
}

function readMemory(fields: Fields, report: Report): Json | undefined {
  const value = fields.entry("memory")?.value;
  if (value === undefined) return undefined;
  if (value.kind === "map") return recordOf(value);
  report.error(
    "HASP302",
    value.range,
    "`memory` must be a mapping, as `ctx.memory` is.",
    "Write for example `memory: { warned: true }`.",
    fields.removing("memory"),
  );
  return undefined;
}

function warnOfDoubles(cases: readonly SkillCase[], report: Report): void {
  const names = cases.map(({ name }) => name);
  const seen = new Set<string>();
  for (const { name, range } of cases) {
    if (seen.has(name))
      report.warning(
        "HASP305",
        range,
        `Another case is called "${name}" too.`,
        "Give it a name of its own, so that a report tells them apart.",
        duplicateFixes(name, range, names),
      );
    seen.add(name);
  }
}

function start(range: Range): Range {
  return { start: range.start, end: range.start };
}
