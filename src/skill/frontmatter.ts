import matter from "gray-matter";
import {
  fixesOfLine,
  withClosingFence,
  withFrontmatter,
  withKeys,
  withoutNuls,
} from "./frontmatter-fixes.ts";
import type { Report } from "./report.ts";
import type { SourceText } from "./source-text.ts";
import { readYaml, type YamlMap } from "./yaml-tree.ts";

/** A longer SKILL.md is no skill but an accident; agents put the whole file into a prompt. In UTF-16 code units. */
const MAX_SKILL_FILE = 1_000_000;
/** gray-matter takes time in the square of the frontmatter's blank lines, so it may not be long. In UTF-16 code units. */
const MAX_FRONTMATTER = 16_384;

export interface Frontmatter {
  readonly root: YamlMap;
  /** The Markdown after the closing fence. */
  readonly body: string;
  /** Offset of `body` in the file. */
  readonly bodyStart: number;
}

const ADD_FENCES = "Begin the file with a line `---`, then `name:` and `description:`, then a line `---`.";

/**
 * Splits a SKILL.md into frontmatter and body. Whatever is wrong is reported with its place, and the same text gives
 * the same report every time. Only a bare `---` fence is read: gray-matter would run code behind `---js`. `folder` is the name
 * that a fix gives to a skill without one.
 */
export function readFrontmatter(source: SourceText, report: Report, folder = ""): Frontmatter | undefined {
  if (!isReadable(source, report, folder)) return undefined;
  const fence = openingFence(source, report, folder);
  if (fence === undefined || !hasShortBlock(source, fence.end, report)) return undefined;
  const parts = split(source.text);
  const { root, problems } = readYaml(parts.yaml, source, fence.end);
  for (const { message, range } of problems) {
    report.error(
      "HASP106",
      range,
      `The frontmatter is not valid YAML: ${message}.`,
      "Correct the line; quote a text that contains `: ` or begins with a special character.",
      fixesOfLine(source, range),
    );
  }
  if (root === undefined && problems.length > 0) return undefined;
  if (root?.kind !== "map") {
    const range = root?.range ?? source.range(fence.start, fence.end);
    report.error(
      "HASP107",
      range,
      "The frontmatter holds no keys.",
      "Write `name:` and `description:` between the two `---` lines.",
      withKeys(source, fence.end, folder),
    );
    return undefined;
  }
  return { root, body: parts.body, bodyStart: source.text.length - parts.body.length };
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
  } else if (text.length > MAX_SKILL_FILE) {
    const size = (text.length / 1_000_000).toFixed(1);
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

function openingFence(
  source: SourceText,
  report: Report,
  folder: string,
): { start: number; end: number } | undefined {
  const start = source.text.startsWith("\uFEFF") ? 1 : 0;
  // The end of a line as gray-matter sees it: a lone \r does not end one.
  const line = /^[^\n]*?(?=\r?\n|$)/.exec(source.text.slice(start))?.[0] ?? "";
  if (!line.startsWith("---") || line.startsWith("----")) {
    report.error(
      "HASP103",
      source.firstLine(),
      "The file does not begin with frontmatter.",
      ADD_FENCES,
      withFrontmatter(source, folder),
    );
    return undefined;
  }
  const language = line.slice(3).trim();
  if (language !== "") {
    const range = source.range(start + 3, start + line.length);
    report.error(
      "HASP104",
      range,
      `Frontmatter in "${language.slice(0, 40)}" is refused: only YAML behind a bare \`---\` is read, and no code is ever run.`,
      "Make the first line exactly `---` and write the keys as YAML.",
      [
        {
          title: "Make the fence a bare `---`",
          edits: [{ range, newText: "" }],
          ...(!/^ya?ml$/i.test(language) && { byHand: true as const }),
        },
      ],
    );
    return undefined;
  }
  // What follows the dashes, blanks included, is what gray-matter hands to the parser.
  return { start, end: start + 3 };
}

function hasShortBlock(source: SourceText, from: number, report: Report): boolean {
  const close = source.text.indexOf("\n---", from);
  if (close === -1) {
    report.error(
      "HASP105",
      source.range(from - 3, from),
      "The frontmatter is never closed.",
      "Add a line `---` after the last key.",
      withClosingFence(source, from),
    );
    return false;
  }
  if (close - from > MAX_FRONTMATTER) {
    report.error(
      "HASP102",
      source.range(from - 3, from),
      `The frontmatter has ${close - from} characters; it may have ${MAX_FRONTMATTER}.`,
      "Move the long texts below the closing `---`.",
    );
    return false;
  }
  return true;
}

/** Always with options: without them gray-matter caches a text before parsing it, and a second look finds `{}`. */
function split(text: string): { yaml: string; body: string } {
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
  const file = matter(text, { language: "yaml", engines });
  return { yaml, body: file.content };
}
