import { isMap, isScalar, parseDocument, type YAMLMap } from "yaml";

/** Hosts whose reading of a SKILL.md is known, with the version whose program it was read from. */
export const LOADING_READ_FROM = { "claude-code": "2.1.332", codex: "0.171.0" } as const;
export type LoadingHost = keyof typeof LOADING_READ_FROM;
export const LOADING_HOSTS = Object.keys(LOADING_READ_FROM) as readonly LoadingHost[];

/** What a host makes of a SKILL.md. */
export type Loading =
  | { readonly loads: "yes"; readonly name: string; readonly description: string }
  /** It lists the skill under its folder's name, and takes the description from the text. */
  | { readonly loads: "without frontmatter"; readonly reason: string }
  | { readonly loads: "no"; readonly reason: string };

/** Keys of a mapping; undefined where YAML refuses the text, or it is none. */
type Keys = YAMLMap | undefined;

function parsed(yaml: string): { readonly fails: boolean; readonly keys: Keys } {
  try {
    const document = parseDocument(yaml, { uniqueKeys: false, logLevel: "silent", prettyErrors: false });
    const keys = isMap(document.contents) ? document.contents : undefined;
    return { fails: document.errors.length > 0, keys };
  } catch (error) {
    // Nested beyond what the parser's stack holds.
    if (!(error instanceof RangeError)) throw error;
    return { fails: true, keys: undefined };
  }
}

/** The value of a key as text; the last one of a key that stands several times. */
function textOf(keys: YAMLMap, key: string): string | undefined {
  const pair = keys.items.findLast((item) => isScalar(item.key) && item.key.value === key);
  const value: unknown = isScalar(pair?.value) ? pair.value.value : null;
  if (!["string", "number", "boolean", "bigint"].includes(typeof value)) return undefined;
  const text = `${value as string | number}`.replaceAll(/\s+/g, " ").trim();
  return text === "" ? undefined : text;
}

const timesOf = (keys: YAMLMap, key: string): number =>
  keys.items.filter((item) => isScalar(item.key) && item.key.value === key).length;

const isEnclosed = (value: string): boolean => /^"[^]*"$|^'[^]*'$/.test(value) && value.length > 1;

/** Claude Code quotes the value of each line `key: value` that holds a special character, and takes tabs for blanks. */
function repairedByClaude(yaml: string): string {
  const lines = yaml.split("\n").map((line) => {
    const [, key, value = ""] = /^([a-zA-Z_-]+):\s+(\S.*)$/.exec(line) ?? [];
    if (key === undefined || isEnclosed(value) || !/[{}[\]*&#!|>%@`]|: /.test(value)) return line;
    if (/^\[.*\]$/.test(value) && !parsed(value).fails) return line;
    return `${key}: ${JSON.stringify(value)}`;
  });
  return lines.join("\n").replaceAll(/^\t+/gm, (tabs) => "  ".repeat(tabs.length));
}

function claudeCode(bytes: Uint8Array, folder: string): Loading {
  const without = (reason: string): Loading => ({ loads: "without frontmatter", reason });
  const text = new TextDecoder().decode(bytes);
  const yaml = /^---\s*\n([^]*?)---\s*\n?/.exec(text)?.[1];
  if (yaml === undefined) return without("it finds no frontmatter");
  if (yaml.includes("\0")) return without("the frontmatter holds a NUL character");
  const strict = parsed(yaml);
  const { fails, keys } = strict.fails ? parsed(repairedByClaude(yaml)) : strict;
  if (fails) return without("the frontmatter is not valid YAML, and it cannot repair it");
  const description = keys && textOf(keys, "description");
  if (keys === undefined || description === undefined) return without("the frontmatter has no description");
  return { loads: "yes", name: textOf(keys, "name") ?? folder, description };
}

/** Of Codex's library: these end a line. */
const LINE_SEPARATORS = /[\u0085\u2028\u2029]/g;
// oxlint-disable-next-line no-control-regex -- what that library refuses
const REFUSED = /[\0-\x08\v\f\x0E-\x1F\x7F-\x84\x86-\x9F\uFEFF]/;
const isCodexFence = (line: string): boolean => !line.includes("\uFEFF") && line.trim() === "---";

/** Codex puts a value in quotes that has `: ` in it, or begins like a list, a mapping or a reserved character and is none. */
function repairedByCodex(yaml: string): string {
  let block: number | undefined;
  const lines = yaml.split("\n").map((line) => {
    const indent = /^ */.exec(line)?.[0].length ?? 0;
    if (block !== undefined && (line.trim() === "" || indent > block)) return line;
    block = undefined;
    const colon = line.indexOf(":");
    const [, blanks = "", rest = ""] = /^(\s*)(.*)$/.exec(line.slice(colon + 1)) ?? [];
    if (colon === -1 || line.slice(0, colon).trim() === "" || (blanks === "" && rest !== "")) return line;
    const hash = /(?:^|\s)#/.exec(rest);
    const scalar = (hash === null ? rest : rest.slice(0, hash.index)).trimEnd();
    if (/^[|>]/.test(scalar)) block = indent;
    if (/^(?:[|>'"]|$)/.test(scalar)) return line;
    if (!/:\s/.test(scalar) && !(/^[[{@`]/.test(scalar) && parsed(scalar).fails)) return line;
    const quoted = `'${scalar.replaceAll("'", "''")}'`;
    return `${line.slice(0, colon + 1)}${blanks}${quoted}${rest.slice(scalar.length)}`;
  });
  return lines.join("\n");
}

function frontmatterForCodex(text: string): string | undefined {
  const [first = "", ...lines] = text.split("\n").map((line) => line.replace(/\r$/, ""));
  const close = lines.findIndex(isCodexFence);
  return isCodexFence(first) && close > 0 ? lines.slice(0, close).join("\n") : undefined;
}

function codex(bytes: Uint8Array, folder: string): Loading {
  const refuse = (reason: string): Loading => ({ loads: "no", reason });
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return refuse("the file is not UTF-8");
  }
  const yaml = frontmatterForCodex(text);
  if (yaml === undefined) return refuse("missing YAML frontmatter delimited by ---");
  if (REFUSED.test(yaml)) return refuse("invalid YAML: a control character");
  const lines = yaml.replaceAll(LINE_SEPARATORS, "\n");
  const strict = parsed(lines);
  const { fails, keys } = strict.fails ? parsed(repairedByCodex(lines)) : strict;
  if (fails || keys === undefined) return refuse("invalid YAML");
  const twice = ["name", "description", "metadata"].find((key) => timesOf(keys, key) > 1);
  if (twice !== undefined) return refuse(`invalid YAML: duplicate field \`${twice}\``);
  const isText = (key: string): boolean => !keys.has(key) || isScalar(keys.get(key, true));
  if (!isText("name") || !isText("description")) return refuse("invalid YAML: expected a string");
  const [name, description] = [textOf(keys, "name") ?? folder, textOf(keys, "description")];
  if (Array.from(name).length > 64) return refuse("invalid name: exceeds maximum length of 64 characters");
  return description === undefined
    ? refuse("missing field `description`")
    : { loads: "yes", name, description };
}

const READERS: Readonly<Record<LoadingHost, (bytes: Uint8Array, folder: string) => Loading>> = {
  "claude-code": claudeCode,
  codex,
};

/** What a host makes of the bytes of a SKILL.md, by the rules of `LOADING_READ_FROM`. Never throws. */
export const loadingBy = (host: LoadingHost, bytes: Uint8Array, folder: string): Loading =>
  READERS[host](bytes, folder);
