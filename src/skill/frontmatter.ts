import matter from "gray-matter";
import { characters } from "../model/characters.ts";
import { findFences, type Fences } from "./fences.ts";
import { fixesOfLine, NOT_YAML, withFrontmatter, withKeys, withoutNuls } from "./frontmatter-fixes.ts";
import type { Report } from "./report.ts";
import type { SourceText } from "./source-text.ts";
import { slipsIn } from "./yaml-slips.ts";
import type { Slip } from "./text-slips.ts";
import { readYaml, type YamlMap } from "./yaml-tree.ts";

/** A longer SKILL.md is no skill but an accident; agents put the whole file into a prompt. */
const MAX_SKILL_FILE = 1_000_000;
/** Agents read the frontmatter of every skill when they start. gray-matter takes time in the square of its blank lines. */
const MAX_FRONTMATTER = 16_384;

export interface Frontmatter {
  readonly root: YamlMap;
  /** The Markdown after the closing fence. */
  readonly body: string;
  /** Offset of `body` in the file. */
  readonly bodyStart: number;
}

/**
 * Splits a SKILL.md into frontmatter and body. Whatever is wrong is reported with its place, and the same text gives
 * the same report every time. Only a bare `---` fence is read. `folder` is the name that a fix gives to a skill without one.
 */
export function readFrontmatter(source: SourceText, report: Report, folder = ""): Frontmatter | undefined {
  if (!isReadable(source, report, folder)) return undefined;
  const fences = findFences(source, report, folder);
  if (fences === undefined || !hasShortBlock(source, fences, report)) return undefined;
  const { yaml, body } = split(source.text, fences);
  const root = readBlock(source, yaml, fences, report, folder);
  return root && { root, body, bodyStart: source.text.length - body.length };
}

/**
 * Cuts the text at its fences. Always with options: without them gray-matter caches a text before parsing it, and a second look finds
 * `{}`. By itself it would end the block at any line that begins with three dashes, which hosts do not.
 */
function split(text: string, { close, body }: Fences): { yaml: string; body: string } {
  let yaml = "";
  const keep = (block: string): object => {
    // The line break before the closing fence is cut at its \n; a lone \r would count to the last value.
    yaml = block.replace(/\r$/, "");
    return {};
  };
  const refuse = (): object => {
    throw new Error("Only YAML frontmatter is read.");
  };
  const engines = { yaml: keep, json: refuse, javascript: refuse };
  const end = text.slice(close, body);
  const isLast = !end.endsWith("\n");
  const closing = isLast ? `${end}\n` : end;
  const file = matter(isLast ? `${text}\n` : text, {
    language: "yaml",
    delimiters: ["---", closing],
    engines,
  });
  return { yaml, body: file.content };
}

function readBlock(
  source: SourceText,
  yaml: string,
  { open, yaml: start }: Fences,
  report: Report,
  folder: string,
): YamlMap | undefined {
  warnOfDashes(source, yaml, start, report);
  const { root, problems } = readYaml(yaml, source, start);
  const slips = slipsIn(yaml).filter(({ kind }) => kind !== "fails" || problems.length > 0);
  for (const slip of slips) reportSlip(slip, source, start, report);
  const isExplained = slips.some(({ kind }) => kind === "fails" || kind === "misread");
  const places = new Set(slips.map((slip) => start + slip.start));
  for (const { message, range, next } of problems) {
    // A parser goes on after a slip, and gives up further down.
    if (next === undefined ? isExplained : places.has(source.offsetAt(range.start))) continue;
    report.error(
      "HASP106",
      range,
      `${NOT_YAML}: ${message}.`,
      next ?? "Correct the line; quote a text that contains `: ` or begins with a special character.",
      fixesOfLine(source, range),
    );
  }
  if (root?.kind === "map") return root;
  if (problems.length > 0 || isExplained) return undefined;
  report.error(
    "HASP107",
    root?.range ?? source.range(open, start),
    "The frontmatter holds no keys.",
    "Write `name:` and `description:` between the two `---` lines.",
    withKeys(source, start, folder),
  );
  return undefined;
}

function reportSlip(
  { start, end, kind, fix, ...said }: Slip,
  source: SourceText,
  base: number,
  report: Report,
): void {
  const fixes =
    fix === undefined
      ? []
      : [
          {
            ...fix,
            edits: fix.edits.map((edit) => ({
              range: source.range(base + edit.start, base + edit.end),
              newText: edit.newText,
            })),
          },
        ];
  const range = source.range(base + start, base + end);
  if (kind === "cut") report.warning("HASP127", range, said.message, said.next, fixes);
  else if (kind === "refused") report.warning("HASP106", range, said.message, said.next, fixes);
  else report.error("HASP106", range, said.message, said.next, fixes);
}

/** Some hosts end the frontmatter at the first three dashes, wherever they stand. */
function warnOfDashes(source: SourceText, yaml: string, base: number, report: Report): void {
  const found = /-{3,}/.exec(yaml);
  if (found === null) return;
  const range = source.range(base + found.index, base + found.index + found[0].length);
  report.warning(
    "HASP126",
    range,
    "Claude Code ends the frontmatter at these dashes, and reads nothing of what follows them in it.",
    "Write another dash, such as `—`.",
    [{ title: "Write `—`", edits: [{ range, newText: "—" }], byHand: true }],
  );
}

function isReadable(source: SourceText, report: Report, folder: string): boolean {
  const { text } = source;
  const nul = text.indexOf("\0");
  if (text.replace(/^\uFEFF/, "").trim() === "") {
    report.error(
      "HASP100",
      source.firstLine(),
      "The file is empty.",
      "Run `HASP: New Skill`, or copy the frontmatter of another skill.",
      withFrontmatter(source, folder),
    );
  } else if (text.length > MAX_SKILL_FILE && characters(text) > MAX_SKILL_FILE) {
    const size = (characters(text) / 1_000_000).toFixed(1);
    report.error(
      "HASP102",
      source.firstLine(),
      `The file has ${size} million characters; a SKILL.md may have 1 million.`,
      "Move long material into a file beside SKILL.md and name it in the text.",
    );
  } else if (nul !== -1) {
    report.error(
      "HASP101",
      source.range(nul, nul + 1),
      "This is not a text file: it holds a NUL character.",
      "Save it as UTF-8 text.",
      withoutNuls(source),
    );
  } else return true;
  return false;
}

function hasShortBlock(source: SourceText, { open, yaml, close }: Fences, report: Report): boolean {
  const length = characters(source.text.slice(yaml, close));
  if (length <= MAX_FRONTMATTER) return true;
  report.error(
    "HASP102",
    source.range(open, yaml),
    `The frontmatter has ${length} characters; it may have ${MAX_FRONTMATTER}.`,
    "Move the long texts below the closing `---`.",
  );
  return false;
}
