// SKILL.md files in the ways in which people and their editors write them, with what hosts make of each. The file is in a folder of the
// kind's name. Read in Claude Code 2.1.332 and Codex 0.171.0; the stage `hosts` asks the programs themselves.

/** `yes`: with its own description. `bare`: listed, with a description that was made of the text. */
type Loads = "yes" | "bare" | "no";

export interface SkillKind {
  readonly folder: string;
  readonly bytes: Uint8Array;
  readonly claudeCode: Loads;
  readonly codex: Loads;
}

const text = (folder: string, description = "Use it when a build fails."): string =>
  `---\nname: ${folder}\ndescription: ${description}\n---\n\n# Steps\n\nRead the log.\n`;

const utf8 = (file: string): Uint8Array => new TextEncoder().encode(file);
const utf16 = (file: string): Uint8Array => Buffer.from(file, "utf16le");

/** A kind by the SKILL.md of a folder. */
const kind = (
  folder: string,
  claudeCode: Loads,
  codex: Loads,
  file: string | Uint8Array = text(folder),
): SkillKind => ({ folder, claudeCode, codex, bytes: typeof file === "string" ? utf8(file) : file });

/** By what the description begins with or holds. */
const described = (folder: string, claudeCode: Loads, codex: Loads, description: string): SkillKind =>
  kind(folder, claudeCode, codex, text(folder, description));

/** By the lines of its frontmatter after the name. */
const keyed = (folder: string, claudeCode: Loads, codex: Loads, lines: string): SkillKind =>
  kind(folder, claudeCode, codex, `---\nname: ${folder}\n${lines}\n---\n\n# Steps\n`);

const named = (folder: string, claudeCode: Loads, codex: Loads, name: string): SkillKind =>
  kind(folder, claudeCode, codex, text(name));

export const SKILL_KINDS: readonly SkillKind[] = [
  kind("plain", "yes", "yes"),
  kind("windows-lines", "yes", "yes", text("windows-lines").replaceAll("\n", "\r\n")),
  // Bytes.
  kind("byte-order-mark", "yes", "no", `\uFEFF${text("byte-order-mark")}`),
  kind("utf-16-marked", "bare", "no", utf16(`\uFEFF${text("utf-16-marked")}`)),
  kind("utf-16-bare", "bare", "no", utf16(text("utf-16-bare"))),
  kind("latin-1-in-keys", "yes", "no", Buffer.from(text("latin-1-in-keys", "Für alle"), "latin1")),
  kind("latin-1-in-text", "yes", "no", Buffer.from(`${text("latin-1-in-text")}Für alle.\n`, "latin1")),
  kind("carriage-returns", "bare", "no", text("carriage-returns").replaceAll("\n", "\r")),
  described("nul-in-keys", "bare", "no", "a\0b"),
  described("bell-in-keys", "yes", "no", "ring \u0007 it"),
  described("line-separator", "yes", "no", "one\u2028two"),
  // Fences.
  kind("blank-line-first", "bare", "no", `\n${text("blank-line-first")}`),
  kind("blanks-first", "bare", "yes", `  ${text("blanks-first")}`),
  kind("comment-first", "bare", "no", `<!-- MIT -->\n${text("comment-first")}`),
  kind("blanks-behind-fence", "yes", "yes", text("blanks-behind-fence").replaceAll("---\n", "--- \t\n")),
  kind("four-dashes-open", "bare", "no", `-${text("four-dashes-open")}`),
  kind("four-dashes-close", "yes", "no", text("four-dashes-close").replace("\n---\n", "\n----\n")),
  kind("indented-close", "yes", "yes", text("indented-close").replace("\n---\n", "\n ---\n")),
  kind("dots-close", "bare", "no", text("dots-close").replace("\n---\n", "\n...\n")),
  kind("never-closed", "bare", "no", text("never-closed").replace("\n---\n", "\n")),
  kind("no-frontmatter", "bare", "no", "# Steps\n\nRead the log.\n"),
  kind("empty-file", "bare", "no", ""),
  kind("empty-frontmatter", "bare", "no", "---\n---\n\n# Steps\n"),
  keyed("dashes-in-text", "bare", "yes", "license: MIT --- or so\ndescription: Use it."),
  // YAML.
  described("colon", "yes", "yes", "Along two axes: standards and style."),
  keyed("colon-further-line", "bare", "no", "description: Use it for the CLI and for\n  Neo4j: always"),
  described("comment-in-text", "yes", "yes", "Use it for C #and F#."),
  described("at", "yes", "yes", "@files and more"),
  described("backtick", "yes", "yes", "`git` and more"),
  described("asterisk", "yes", "no", "*all* of it"),
  described("ampersand", "yes", "yes", "&all of it"),
  described("exclamation-mark", "yes", "yes", "!now or never"),
  described("percent", "yes", "no", "%d of it"),
  described("bracket", "yes", "yes", "[draft] and more"),
  described("brace", "yes", "yes", "{draft} and more"),
  described("angle-bracket", "yes", "no", "> a quote"),
  described("pipe", "yes", "no", "| a table"),
  described("dash", "bare", "no", "- an item"),
  described("question-mark", "bare", "no", "? a question"),
  described("open-quote", "bare", "no", '"never closed'),
  described("text-after-quote", "bare", "no", '"quoted" and more'),
  keyed("tab", "yes", "no", "description: Use it.\nmetadata:\n\tauthor: me"),
  keyed("key-twice", "yes", "no", "description: One.\ndescription: Two."),
  keyed("no-blank-after-colon", "bare", "no", "description:Use it."),
  keyed("no-break-space", "bare", "no", "description:\u00a0Use it."),
  keyed("block-not-indented", "bare", "no", "description: |\nUse it."),
  keyed("block-dedented", "bare", "no", "description: |\n    Use it\n  now."),
  keyed("block", "yes", "yes", "description: >-\n  Use it\n  now."),
  keyed("text-not-indented", "bare", "no", "description: Use it\nnow."),
  // Values.
  kind("no-name", "yes", "yes", "---\ndescription: Use it.\n---\n\n# Steps\n"),
  keyed("no-description", "bare", "no", "license: MIT"),
  keyed("empty-description", "bare", "no", "description:"),
  keyed("description-is-a-list", "bare", "no", "description: [a, b]"),
  described("description-is-a-number", "yes", "yes", "42"),
  described("long-description", "yes", "yes", "x".repeat(1_025)),
  described("emoji-description", "yes", "yes", "🚀".repeat(600)),
  keyed("long-compatibility", "yes", "yes", `description: Use it.\ncompatibility: ${"x".repeat(501)}`),
  named("other-name", "yes", "yes", "another-name"),
  named("upper-case-name", "yes", "yes", "Upper-Case-Name"),
  named("long-name", "yes", "no", "a".repeat(65)),
];
