/** Words to choose from with their meaning, or a list that depends on the library or the domain. */
export type Words =
  | Readonly<Record<string, string>>
  | "skill ids"
  | "modes"
  | "conditions"
  | "phase actions"
  | "proposed actions"
  | "executable actions"
  | "actions";

/** What stands behind a key. */
export type Shape =
  | { readonly kind: "text" | "number" | "open" }
  | { readonly kind: "word" | "words"; readonly words: Words }
  | { readonly kind: "map" | "list"; readonly keys: readonly KeySpec[] };

/** One key of SKILL.md or cases.yaml: what completion writes and what a hover says. */
export interface KeySpec {
  readonly name: string;
  readonly about: string;
  /** What holds without it. */
  readonly without?: string;
  /** The rules that look at it. */
  readonly codes?: readonly string[];
  readonly shape: Shape;
  /** What is written after the key, as a snippet; a text with line breaks is for block style only. `{id}` is the skill's id; `filled` (complete-yaml.ts) has the others. */
  readonly write: string;
  /** The same in braces, where it differs. */
  readonly flow?: string;
}

const FLAGS = { true: "", false: "" };
export const text = (name: string, about: string, write: string, rest: Partial<KeySpec> = {}): KeySpec => ({
  name,
  about,
  write,
  shape: { kind: "text" },
  ...rest,
});
export const flag = (name: string, about: string, without = "false"): KeySpec => ({
  name,
  about,
  without,
  shape: { kind: "word", words: FLAGS },
  write: "${1|true,false|}",
});
export const count = (name: string, about: string, without: string, write = "${1:1}"): KeySpec => ({
  name,
  about,
  without,
  shape: { kind: "number" },
  write,
});

/** The key at the end of a path from these; undefined where one of the path is none of ours. */
export function specAt(specs: readonly KeySpec[], path: readonly string[]): KeySpec | undefined {
  const [first, ...rest] = path;
  const spec = specs.find(({ name }) => name === first);
  if (spec === undefined || rest.length === 0) return spec;
  return specAt(keysBelow(spec), rest);
}

export function keysBelow({ shape }: KeySpec): readonly KeySpec[] {
  return shape.kind === "map" || shape.kind === "list" ? shape.keys : [];
}
