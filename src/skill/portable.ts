import { isMap, isScalar, parseDocument, type Document, type YAMLMap } from "yaml";
import { readJson } from "../model/read-json.ts";
import { isClean, START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";
import type { DomainSpec } from "../model/domain-spec.ts";
import { parseSkill, type SkillPlace } from "./parse-skill.ts";
import { HASP_KEYS } from "./skill-keys.ts";
import { sourceText } from "./source-text.ts";
import { readYaml } from "./yaml-tree.ts";

/** In a portable SKILL.md every key of HASP is a text of its own under `metadata`, as strict readers of Agent Skills want it. */
const PREFIX = "hasp_";
/** Keys whose value is a text, and is written as it is; the others are written as JSON. */
const TEXT_KEYS: ReadonlySet<string> = new Set([
  "skill_id",
  "title",
  "error_category",
  "system_summary",
  "handler",
] satisfies (typeof HASP_KEYS)[number][]);

interface Parts {
  readonly before: string;
  readonly yaml: string;
  readonly after: string;
}

/** Splits where the reader does (frontmatter.ts): at the first line that begins with the closing dashes. */
function partsOf(text: string): Parts | undefined {
  const open = /^\uFEFF?---[ \t]*\r?\n/.exec(text)?.[0];
  if (open === undefined) return undefined;
  const close = text.indexOf("\n---", open.length - 1);
  if (close === -1) return undefined;
  const end = text[close - 1] === "\r" ? close - 1 : close;
  return { before: open, yaml: text.slice(open.length, Math.max(end, open.length)), after: text.slice(end) };
}

/**
 * The frontmatter with `change` made to it; undefined where it cannot be written again. Comments and the order of the keys stay, and
 * the text below is not touched.
 */
function withFrontmatter(
  { before, yaml, after }: Parts,
  change: (document: Document) => void,
): string | undefined {
  // As strict as the reader: an alias, or what is nested too deeply, cannot be written again.
  if (readYaml(yaml, sourceText(yaml), 0).problems.length > 0) return undefined;
  const document = parseDocument(yaml, { logLevel: "silent" });
  change(document);
  const eol = before.endsWith("\r\n") ? "\r\n" : "\n";
  const written = document.toString({ lineWidth: 0 }).replace(/\n+$/, "").replaceAll("\n", eol);
  return before + written + after;
}

function metadataOf(document: Document): YAMLMap | undefined {
  const node = document.get("metadata", true);
  return isMap(node) ? node : undefined;
}

function json(value: unknown): unknown {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown);
}

function flatten(document: Document): void {
  const own = metadataOf(document)?.get("hasp", true);
  const values = new Map<string, unknown>();
  // The nested key counts where it stands in both places, as for the reader.
  for (const key of HASP_KEYS) {
    const stray = document.get(key, true);
    if (stray !== undefined) values.set(key, json(document.toJS()[key]));
    document.delete(key);
  }
  if (isMap(own)) for (const [key, value] of Object.entries(own.toJSON() as object)) values.set(key, value);
  metadataOf(document)?.delete("hasp");
  for (const [key, value] of values) {
    const isText = TEXT_KEYS.has(key) && typeof value === "string";
    document.setIn(["metadata", `${PREFIX}${key}`], isText ? value : JSON.stringify(value));
  }
}

function unflattened(key: string, text: string): unknown {
  if (TEXT_KEYS.has(key)) return text;
  const { value, problem } = readJson(text);
  // Written by hand: the reader says what it expects there.
  return problem === undefined ? value : text;
}

function nest(document: Document): void {
  const metadata = metadataOf(document);
  for (const { key, value } of metadata?.items.slice() ?? []) {
    const name = isScalar(key) ? String(key.value) : "";
    if (!name.startsWith(PREFIX) || !isScalar(value)) continue;
    metadata?.delete(name);
    const own = name.slice(PREFIX.length);
    document.setIn(["metadata", "hasp", own], document.createNode(unflattened(own, String(value.value))));
  }
}

/** Whether a SKILL.md holds HASP's keys in the portable form. */
export function isPortable(skillMd: string): boolean {
  const yaml = partsOf(skillMd)?.yaml;
  return yaml !== undefined && /^[ \t]+hasp_[a-z_]+[ \t]*:/m.test(yaml) && !/^[ \t]+hasp[ \t]*:/m.test(yaml);
}

function refused(file: string): Diagnostic {
  return {
    code: "HASP106",
    severity: "error",
    message: "The frontmatter cannot be brought into the other form.",
    next: "Correct the YAML between the two `---` lines.",
    file,
    range: START_OF_FILE,
  };
}

/** A SKILL.md with its HASP keys as texts under `metadata`. Only one without errors is written, with what keeps it from that. */
export function toPortable(text: string, where: SkillPlace, domains: readonly DomainSpec[]): Checked<string> {
  const { value, diagnostics } = parseSkill(text, where, domains);
  const parts = partsOf(text);
  if (value === undefined || parts === undefined || !isClean(diagnostics))
    return { value: undefined, diagnostics };
  const written = withFrontmatter(parts, flatten);
  return written === undefined
    ? { value: undefined, diagnostics: [refused(where.file)] }
    : { value: written, diagnostics: [] };
}

/** The way back: HASP's keys nested under `metadata.hasp` again. A SKILL.md in any other form comes back as it is. */
export function fromPortable(text: string, file: string): Checked<string> {
  const parts = partsOf(text);
  if (parts === undefined || !isPortable(text)) return { value: text, diagnostics: [] };
  const written = withFrontmatter(parts, nest);
  return written === undefined
    ? { value: undefined, diagnostics: [refused(file)] }
    : { value: written, diagnostics: [] };
}
