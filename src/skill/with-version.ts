import { START_OF_FILE, type Checked, type TextEdit } from "../model/diagnostic.ts";
import type { DomainSpec } from "../model/domain-spec.ts";
import { applyEdits } from "./fix-skill.ts";
import { readFrontmatter } from "./frontmatter.ts";
import { readSkillMd } from "./read-skill.ts";
import { reportOn } from "./report.ts";
import { sourceText, type SourceText } from "./source-text.ts";
import { addBelow, addEntry, setValue } from "./yaml-edits.ts";
import type { YamlMap } from "./yaml-tree.ts";

/** Writes a key of ours with this value, where it is already, else among the other keys of ours. */
function editOf(root: YamlMap, key: string, value: string, source: SourceText): TextEdit | undefined {
  const metadata = root.entries.get("metadata")?.value;
  const hasp = metadata?.kind === "map" ? metadata.entries.get("hasp")?.value : undefined;
  const nested = hasp?.kind === "map" ? hasp.entries.get(key) : undefined;
  const entry = nested ?? root.entries.get(key);
  if (entry !== undefined) return setValue(entry, value, source);
  const isPaperForm = hasp === undefined && root.entries.has("skill_id");
  return isPaperForm
    ? addEntry(root, `${key}: ${value}`)
    : addBelow(root, ["metadata", "hasp"], `${key}: ${value}`);
}

function withKey(text: string, key: string, value: string): string {
  const source = sourceText(text);
  const root = readFrontmatter(source, reportOn("SKILL.md", source))?.root;
  const edit = root === undefined ? undefined : editOf(root, key, value, source);
  return edit === undefined ? text : applyEdits(text, [edit]);
}

/**
 * The text of a SKILL.md with this id and version in its frontmatter; nothing else changes, and nothing at all where it has them. HASP663
 * where it cannot be written so.
 */
export function withVersion(
  text: string,
  { skillId, version }: { readonly skillId: string; readonly version: number },
  { file, domains }: { readonly file: string; readonly domains: readonly DomainSpec[] },
): Checked<string> {
  const read = (now: string) => readSkillMd(file, now, domains).skill;
  let written = text;
  if (read(written)?.version !== version) written = withKey(written, "version", String(version));
  if (read(written)?.skillId !== skillId) written = withKey(written, "skill_id", skillId);
  const skill = read(written);
  if (skill?.version === version && skill.skillId === skillId) return { value: written, diagnostics: [] };
  const message = `Version ${version} of ${skillId} cannot be written into the frontmatter.`;
  const next = "Correct the YAML between the two `---` lines of its SKILL.md.";
  return {
    value: undefined,
    diagnostics: [{ code: "HASP663", severity: "error", message, next, file, range: START_OF_FILE }],
  };
}
