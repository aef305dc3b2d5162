import { joined, plainWord, type ShellWord } from "./shell-reading.ts";

/** Characters of a text that is decoded or rewritten. */
const MAX_TEXT = 200_000;

/**
 * What a program prints that only passes on, decodes or writes what it is given: `echo`, `printf`, `base64 -d`. Undefined for all others,
 * and where only the shell knows a part of what would be decoded.
 */
export function outputOf(
  name: string,
  args: readonly ShellWord[],
  input: ShellWord | undefined,
): ShellWord | undefined {
  const written = args.map(({ text }) => text);
  switch (name) {
    case "echo":
      return echoed(args);
    case "printf":
      return printed(args);
    case "cat":
    case "tee":
    case "sponge":
      return name !== "cat" || written.every((arg) => arg.startsWith("-")) ? input : undefined;
    case "true":
    case ":":
      return plainWord("");
    case "which":
      return args.findLast(({ text }) => !text.startsWith("-"));
    case "head":
      return mapped(input, (text) => (has1(written) ? text.split("\n", 1)[0] : undefined));
    case "command":
    case "type":
      return args.length === 2 && /^-[vpP]$/.test(written[0] ?? "") ? args[1] : undefined;
    case "basename":
      return args.length === 1
        ? mapped(args[0], (text) => text.replace(/\/+$/, "").replace(/^.*\//s, ""))
        : undefined;
    default:
      return args.every(({ literal }) => literal) ? mapped(input, changerOf(name, written)) : undefined;
  }
}

const has1 = (args: readonly string[]): boolean => /^-n?1$|^-n 1$/.test(args.join(" "));

function mapped(
  word: ShellWord | undefined,
  change: ((text: string) => string | undefined) | undefined,
): ShellWord | undefined {
  if (word?.literal !== true || change === undefined || word.text.length > MAX_TEXT) return undefined;
  const text = change(word.text);
  return text === undefined ? undefined : plainWord(text);
}

type Changer = (text: string) => string | undefined;

/** How a filter changes the text that goes through it. */
function changerOf(name: string, args: readonly string[]): Changer | undefined {
  const has = (pattern: RegExp): boolean => args.some((arg) => pattern.test(arg));
  switch (name) {
    case "base64":
    case "gbase64":
      return has(/^(?:-\w*[dD]\w*|--decode)$/) ? fromBase64 : undefined;
    case "base32":
      return undefined;
    case "openssl":
      return has(/^(?:-?base64|-a)$/) && has(/^-d$/) ? fromBase64 : undefined;
    case "xxd":
      return has(/^-\w*r/) && has(/^-\w*p/) ? fromHex : undefined;
    case "rev":
      return (text) =>
        text
          .split("\n")
          .map((line) => Array.from(line).toReversed().join(""))
          .join("\n");
    case "tr":
      return translated(args);
    case "sed":
      return args.length === 1 ? replaced(args[0] ?? "") : undefined;
    default:
      return undefined;
  }
}

function echoed(args: readonly ShellWord[]): ShellWord {
  const start = args.findIndex(({ text }) => !/^-[neE]+$/.test(text));
  const said = joined(start === -1 ? [] : args.slice(start));
  const isEscaped = args.slice(0, start === -1 ? args.length : start).some(({ text }) => text.includes("e"));
  return isEscaped ? { ...said, text: unescaped(said.text) } : said;
}

function printed(args: readonly ShellWord[]): ShellWord {
  const [format, ...values] = args[0]?.text === "--" ? args.slice(1) : args;
  if (format === undefined) return plainWord("");
  const all = joined([format, ...values]);
  const slots = format.text.match(/%[sbcqd]/g)?.length ?? 0;
  const rounds = slots === 0 ? 1 : Math.max(1, Math.ceil(values.length / slots));
  let next = 0;
  let text = "";
  for (let round = 0; round < rounds; round++)
    text += unescaped(format.text).replace(/%(?:%|[sbcqd])/g, (mark) => {
      if (mark === "%%") return "%";
      const value = values[next++]?.text ?? "";
      return mark === "%b" ? unescaped(value) : value;
    });
  return { ...all, text };
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "\\": "\\",
  a: "",
  b: "",
  e: "\u001B",
};

function unescaped(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|0?([0-7]{1,3})|(.))/gs,
    (whole, hex?: string, unicode?: string, octal?: string, other?: string) => {
      const code = hex ?? unicode;
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
      return ESCAPES[other ?? ""] ?? whole;
    },
  );
}

/** The text behind base64; undefined where it is none. */
export function fromBase64(text: string): string | undefined {
  const plain = text.replace(/\s/g, "");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(plain)) return undefined;
  try {
    return atob(plain);
  } catch {
    return undefined;
  }
}

function fromHex(text: string): string | undefined {
  const digits = text.replace(/\s/g, "");
  if (!/^(?:[0-9a-fA-F]{2})*$/.test(digits)) return undefined;
  return digits.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)));
}

function translated(args: readonly string[]): Changer | undefined {
  const [first = "", second] = args.filter((arg) => !arg.startsWith("-"));
  const from = setOf(first);
  if (args.includes("-d"))
    return (text) =>
      Array.from(text)
        .filter((c) => !from.includes(c))
        .join("");
  if (second === undefined || from.length === 0 || args.some((arg) => arg.startsWith("-"))) return undefined;
  const to = setOf(second);
  return (text) =>
    Array.from(text, (c) => {
      const at = from.indexOf(c);
      return at === -1 ? c : (to[Math.min(at, to.length - 1)] ?? c);
    }).join("");
}

/** The characters of a set of `tr`, ranges written out. */
function setOf(text: string): string[] {
  const all: string[] = [];
  const marks = Array.from(unescaped(text.slice(0, 400)));
  for (let i = 0; i < marks.length; i++) {
    const c = marks[i] ?? "";
    const last = marks[i + 2];
    if (marks[i + 1] !== "-" || last === undefined) all.push(c);
    else {
      for (let code = c.charCodeAt(0); code <= last.charCodeAt(0) && all.length < 400; code++)
        all.push(String.fromCharCode(code));
      i += 2;
    }
  }
  return all;
}

/** `s/a/b/g` of plain texts. */
function replaced(script: string): Changer | undefined {
  const [, , from = "", to = "", flags = ""] =
    /^s([/|#,@])([\w ~./-]+)\1([\w ~./-]*)\1(g?)$/.exec(script) ?? [];
  if (from === "" || /[.*[]/.test(from)) return undefined;
  return (text) =>
    text
      .split("\n")
      .map((line) => (flags === "g" ? line.replaceAll(from, () => to) : line.replace(from, () => to)))
      .join("\n");
}
