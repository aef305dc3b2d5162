import { characters, firstCharacters } from "../model/characters.ts";
import type { Checked, Fix, Range } from "../model/diagnostic.ts";
import { modesOf, scopeOf, type DomainScope, type DomainSpec } from "../model/domain-spec.ts";
import type { Skill } from "../model/skill.ts";
import { fieldsOf, meantWord, replacing, type FieldCodes, type Fields, type StringItem } from "./fields.ts";
import { readFrontmatter, type Frontmatter } from "./frontmatter.ts";
import { parseHandler, parseSupersedes } from "./parse-handler.ts";
import { parsePhases } from "./parse-phases.ts";
import { warnOfQuestions } from "./question-marks.ts";
import { reportOn, type Report } from "./report.ts";
import { movedToMetadata, shorterDescription } from "./skill-fixes.ts";
import { HASP_KEYS, STANDARD_KEYS } from "./skill-keys.ts";
import { checkSkillName, kebabName } from "./skill-name.ts";
import { sourceText } from "./source-text.ts";
import { closest, didYouMean } from "./suggest.ts";
import {
  APPLICABLE_PHASES,
  KEBAB_CASE,
  MAX_COMPATIBILITY,
  MAX_DESCRIPTION,
  MAX_NAME,
  SNAKE_CASE,
} from "./vocabulary.ts";
import { quoted } from "./yaml-edits.ts";

const CODES: FieldCodes = { wrongType: "HASP111", unknownKey: "HASP112" };

/** What a skill that says nothing gets: asked in the middle of the queue, everywhere. */
const DEFAULT_PRIORITY = 0.5;

/** Where a SKILL.md stands: `file` for messages, `folder` the name of the folder that holds it, empty when unknown. */
export interface SkillPlace {
  readonly file: string;
  readonly folder: string;
}

/** The frontmatter seen as HASP reads it: the paper's top-level keys and the nested ones behind one door. */
interface Sheet {
  readonly top: Fields;
  readonly hasp: Fields;
  /** HASP's keys stand at top level and `name` is a title, as in the paper. */
  readonly isPaperForm: boolean;
  /** Moves the keys that stand at top level. */
  readonly move: readonly Fix[];
}

/**
 * Reads a SKILL.md (SPEC §2, DESIGN.md "A skill"). Every complaint has a range on the key or value that caused it. The
 * value is there as soon as the frontmatter could be read, with defaults for what was missing or wrong: use it only where
 * `isClean(diagnostics)`. Never throws on any text.
 */
export function parseSkill(text: string, where: SkillPlace, domains: readonly DomainSpec[]): Checked<Skill> {
  const source = sourceText(text);
  const report = reportOn(where.file, source);
  const front = readFrontmatter(source, report, where.folder);
  if (front === undefined) return { value: undefined, diagnostics: report.diagnostics };
  const sheet = openSheet(front, where, report);
  const value = readSkill(sheet, front, { ...where, domains }, report);
  const handler = parseHandler(sheet.hasp, front, report);
  const scope = scopeOfSkill(where.file, value.applicableModes, domains);
  return {
    value: {
      ...value,
      phases: parsePhases(sheet.hasp, { front, source, scope, report }),
      ...(handler !== undefined && { handler }),
      supersedes: parseSupersedes(sheet.hasp, value.skillId, report),
      body: front.body,
    },
    diagnostics: report.diagnostics,
  };
}

/** The scope of the file's folder; where that names no domain, the domains that the skill is for. */
function scopeOfSkill(file: string, modes: readonly string[], domains: readonly DomainSpec[]): DomainScope {
  const scope = scopeOf(file, domains);
  const named = domains.filter(({ name }) => modes.includes(name));
  return scope.own !== undefined || named.length === 0 ? scope : { own: undefined, all: named };
}

function openSheet(front: Frontmatter, where: SkillPlace, report: Report): Sheet {
  const top = fieldsOf(front.root, "", report, CODES);
  const nested = top.map("metadata")?.map("hasp");
  nested?.refuseUnknown(HASP_KEYS);
  const strays = HASP_KEYS.filter((key) => top.entry(key) !== undefined);
  const isPaperForm = nested === undefined && strays.includes("skill_id");
  const move = movedToMetadata(front.root, isPaperForm ? where.folder : undefined, report.source);
  for (const key of strays) warnOfStray(top, key, nested, move, report);
  warnOfNearMisses(front, report);
  return { top, hasp: withFallback(nested ?? top, top), isPaperForm, move };
}

function warnOfStray(
  top: Fields,
  key: string,
  nested: Fields | undefined,
  move: readonly Fix[],
  report: Report,
): void {
  const range = top.entry(key)?.keyRange ?? top.range;
  const isDouble = nested?.entry(key) !== undefined;
  const message = isDouble
    ? `"${key}" stands here and under metadata.hasp; the one under metadata.hasp counts.`
    : `"${key}" stands at top level, where VS Code calls it unsupported; HASP still reads it.`;
  report.warning(
    "HASP116",
    range,
    message,
    isDouble ? "Delete this one." : `Move it under \`metadata: hasp:\`.`,
    isDouble ? top.removing(key) : move,
  );
}

/** VS Code itself marks keys it does not know; we add only what it cannot know, that the key looks like one of ours. */
function warnOfNearMisses(front: Frontmatter, report: Report): void {
  const known: readonly string[] = [...STANDARD_KEYS, ...HASP_KEYS];
  for (const { key, keyRange } of front.root.entries.values()) {
    if (known.includes(key)) continue;
    const match = closest(key, known);
    if (match === undefined) continue;
    report.warning(
      "HASP112",
      keyRange,
      `"${key}" is no key of a skill and is not read.`,
      `Did you mean "${match}"?`,
      front.root.entries.has(match) ? [] : [replacing(keyRange, match)],
    );
  }
}

/** Each key from `first` where it has it, else from `second`; ranges go with the value. */
function withFallback(first: Fields, second: Fields): Fields {
  if (first === second) return first;
  const from = (key: string): Fields => (first.entry(key) === undefined ? second : first);
  return {
    range: first.range,
    entry: (key) => from(key).entry(key),
    rangeOf: (key) => from(key).rangeOf(key),
    string: (key) => from(key).string(key),
    number: (key) => from(key).number(key),
    boolean: (key) => from(key).boolean(key),
    strings: (key) => from(key).strings(key),
    list: (key) => from(key).list(key),
    map: (key) => from(key).map(key),
    refuseUnknown: (known) => first.refuseUnknown(known),
    adding: (...entry) => first.adding(...entry),
    setting: (title, key, ...value) => from(key).setting(title, key, ...value),
    removing: (key) => from(key).removing(key),
    removingItem: (key, item) => from(key).removingItem(key, item),
  };
}

function readSkill(
  sheet: Sheet,
  front: Frontmatter,
  where: SkillPlace & { readonly domains: readonly DomainSpec[] },
  report: Report,
): Omit<Skill, "phases" | "handler" | "supersedes" | "body"> {
  const { hasp } = sheet;
  const { name, title } = readNames(sheet, where, report);
  const agrees = where.folder === "" || where.folder === name;
  const skillId = readSkillId(hasp, name, agrees, report);
  const summary = hasp.string("system_summary")?.trim();
  if (summary !== undefined) warnOfQuestions(summary, hasp.rangeOf("system_summary"), report.source, report);
  const description = readDescription(sheet, summary, front, where, report);
  checkCompatibility(sheet.top, report);
  return {
    skillId,
    name,
    title,
    description,
    version: readVersion(hasp, report),
    priority: readPriority(hasp, report),
    errorCategory: hasp.string("error_category") ?? skillId,
    applicableModes: readWords(hasp, "applicable_modes", modesOf(where.domains), ["all"], report),
    applicablePhases: readWords(
      hasp,
      "applicable_phases",
      APPLICABLE_PHASES,
      Object.keys(APPLICABLE_PHASES),
      report,
    ),
    systemSummary: summary ?? description,
  };
}

function readNames(sheet: Sheet, where: SkillPlace, report: Report): { name: string; title: string } {
  const written = sheet.top.string("name");
  const title = sheet.hasp.string("title");
  const folder = where.folder === "" ? "my-skill" : where.folder;
  if (sheet.isPaperForm && written !== undefined && !KEBAB_CASE.test(written)) {
    report.warning(
      "HASP116",
      sheet.top.rangeOf("name"),
      `"${written}" is read as the title; \`name\` must be kebab-case and equal the folder.`,
      `Write \`name: ${folder}\`, and the title under \`metadata: hasp: title:\`.`,
      sheet.move,
    );
    return { name: folder, title: title ?? written };
  }
  if (sheet.top.entry("name") === undefined) {
    const add = sheet.top.adding(`Add \`name: ${folder}\``, `name: ${folder}`);
    report.error("HASP110", firstKey(sheet), "The skill has no `name`.", `Add \`name: ${folder}\`.`, add);
  } else if (written !== undefined) checkName(written, sheet, where, report);
  const name = written ?? folder;
  return { name, title: title ?? titleOf(name) };
}

function checkName(name: string, { top }: Sheet, where: SkillPlace, report: Report): void {
  const range = top.rangeOf("name");
  const rename = (to: string): readonly Fix[] => top.setting(`Write \`name: ${to}\``, "name", to);
  const isFolderName = checkSkillName(where.folder) === undefined;
  const problem = checkSkillName(name);
  if (problem !== undefined) {
    const next = `Name the skill and its folder for example ${kebab(name)}.`;
    report.error("HASP113", range, problem, next, rename(isFolderName ? where.folder : kebab(name)));
  } else if (where.folder !== "" && name !== where.folder) {
    report.error(
      "HASP114",
      range,
      `The name "${name}" differs from the folder "${where.folder}"; VS Code does not load the skill, and the format of Agent Skills does not allow it.`,
      "Rename one of the two.",
      [
        ...(isFolderName ? rename(where.folder) : []),
        { title: `Rename the folder to \`${name}\``, edits: [], renameFolder: name, byHand: true },
      ],
    );
  }
}

const kebab = (text: string): string => kebabName(text) || "my-skill";

function titleOf(name: string): string {
  const words = name.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function firstKey(sheet: Sheet): Range {
  return { start: sheet.top.range.start, end: sheet.top.range.start };
}

function readDescription(
  sheet: Sheet,
  summary: string | undefined,
  front: Frontmatter,
  where: SkillPlace,
  report: Report,
): string {
  const written = sheet.top.string("description")?.trim();
  const range = sheet.top.rangeOf("description");
  const isThere = front.root.entries.has("description");
  if (!isThere && sheet.isPaperForm && summary !== undefined) {
    report.warning(
      "HASP110",
      firstKey(sheet),
      "The skill has no `description`; its system_summary is used.",
      "Add `description:` saying when to use the skill.",
      sheet.top.adding("Add `description` from system_summary", `description: ${quoted(summary)}`),
    );
    return summary;
  }
  if (!isThere || written === "") {
    report.error(
      "HASP110",
      isThere ? range : firstKey(sheet),
      "The skill has no `description`.",
      "Add one sentence that says when to use the skill.",
      describing(sheet, summary, titleOf(where.folder || "my-skill"), isThere),
    );
  } else if (written !== undefined && characters(written) > MAX_DESCRIPTION) {
    report.error(
      "HASP115",
      range,
      `The description has ${characters(written)} characters; it may have ${MAX_DESCRIPTION}.`,
      "Say when to use the skill, and move the rest into the text.",
      shorterDescription(front, written, report.source),
    );
  }
  return written ?? "";
}

/** For people and hosts; HASP does not read it. */
function checkCompatibility(top: Fields, report: Report): void {
  const length = characters(top.string("compatibility") ?? "");
  if (length > MAX_COMPATIBILITY)
    report.error(
      "HASP115",
      top.rangeOf("compatibility"),
      `The compatibility has ${length} characters; it may have ${MAX_COMPATIBILITY}.`,
      "Name the products and programs that the skill needs, and move the rest into the text.",
    );
}

/** The skill's own summary, or a beginning that a person has to go on with. */
function describing(
  sheet: Sheet,
  summary: string | undefined,
  title: string,
  isThere: boolean,
): readonly Fix[] {
  const text = quoted(summary ?? `Use when … (${title})`);
  const byHand = summary === undefined ? "by hand" : undefined;
  return isThere
    ? sheet.top.setting("Write a `description`", "description", text, byHand)
    : sheet.top.adding("Add a `description`", `description: ${text}`, byHand);
}

/** `late-read-v2` may hold version 2 of `late_read`. */
function isVersionOf(name: string, id: string): boolean {
  return name.startsWith(`${id}_`) && /^_v?\d+$/.test(name.slice(id.length));
}

function readSkillId(hasp: Fields, name: string, nameAgrees: boolean, report: Report): string {
  const fallback = name.replaceAll("-", "_");
  const written = hasp.string("skill_id")?.trim();
  if (written === undefined) return fallback;
  const known = SNAKE_CASE.test(fallback) ? fallback : "my_skill";
  if (SNAKE_CASE.test(written) && characters(written) <= MAX_NAME) {
    if (nameAgrees && written !== fallback && SNAKE_CASE.test(fallback) && !isVersionOf(fallback, written))
      report.warning(
        "HASP119",
        hasp.rangeOf("skill_id"),
        `The skill_id "${written}" does not follow from the name "${name}", so events and statistics call the skill otherwise than its folder.`,
        `Write \`skill_id: ${fallback}\`, or rename the skill.`,
        hasp.setting(`Write \`skill_id: ${fallback}\``, "skill_id", fallback, "by hand"),
      );
    return written;
  }
  report.error(
    "HASP113",
    hasp.rangeOf("skill_id"),
    `"${firstCharacters(written, 80)}" is not snake_case: lower-case letters and digits in words joined by single underscores, at most ${MAX_NAME} characters.`,
    `Write for example \`skill_id: ${known}\`.`,
    hasp.setting(`Write \`skill_id: ${known}\``, "skill_id", known),
  );
  return fallback;
}

function readVersion(hasp: Fields, report: Report): number {
  const version = hasp.number("version") ?? 1;
  if (Number.isInteger(version) && version >= 1) return version;
  report.error(
    "HASP115",
    hasp.rangeOf("version"),
    `The version is ${version}; versions are whole numbers from 1.`,
    "Write `version: 1` and count up with each change.",
    clamped(hasp, "version", Math.max(1, Math.round(version))),
  );
  return 1;
}

function readPriority(hasp: Fields, report: Report): number {
  const priority = hasp.number("priority") ?? DEFAULT_PRIORITY;
  if (priority >= 0 && priority <= 1) return priority;
  const inside = Math.min(1, Math.max(0, priority));
  report.error(
    "HASP115",
    hasp.rangeOf("priority"),
    `The priority is ${priority}; it must lie between 0 and 1, and higher is asked first.`,
    "Write for example `priority: 0.8`.",
    clamped(hasp, "priority", inside),
  );
  return inside;
}

const clamped = (fields: Fields, key: string, value: number): readonly Fix[] =>
  fields.setting(`Write \`${key}: ${value}\``, key, `${value}`);

function readWords(
  hasp: Fields,
  key: string,
  known: Readonly<Record<string, string>>,
  fallback: readonly string[],
  report: Report,
): readonly string[] {
  const items = hasp.strings(key);
  if (items === undefined) return fallback;
  for (const item of items) checkWord(item, key, known, hasp, report);
  return items.map((item) => item.text);
}

function checkWord(
  item: StringItem,
  key: string,
  known: Readonly<Record<string, string>>,
  hasp: Fields,
  report: Report,
): void {
  if (Object.hasOwn(known, item.text)) return;
  report.error(
    "HASP117",
    item.range,
    `"${item.text}" is unknown to \`${key}\`.`,
    didYouMean(item.text, Object.keys(known)),
    [...meantWord(item.text, item.range, Object.keys(known)), ...hasp.removingItem(key, item)],
  );
}
