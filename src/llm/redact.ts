/** Keeps secrets out of what is logged, written or shown. One for a process: what one part learns, all hide. */
export interface Redactor {
  /** Makes a secret known. Under 8 characters it is ignored: `EMPTY` and `none` are no secrets, but they are words. */
  learn(secret: string): void;
  /** Hides known secrets, also as they stand in JSON and URLs, and whatever has the form of a key. For logs and messages. */
  redact(text: string): string;
  /** Hides known secrets only. For texts that must not change otherwise, such as what a model says. */
  hideKnown(text: string): string;
  /**
   * For texts that arrive in pieces: how many characters at the end could be the beginning of a known secret, and must be
   * kept back until more is there.
   */
  openEnd(text: string): number;
}

/** Characters. */
export const SHORTEST_SECRET = 8;
const HIDDEN = "[redacted]";

/** User and password in a URL. The second group is the password. */
export const CREDENTIALS_IN_URL = /(:\/\/)[^\s/@:]*:([^\s/@]+)(?=@)/g;

/** Forms in which services hand out keys, also within JSON within JSON, whose quotes have backslashes. The first group is what may stay. */
const KEY_FORMS: readonly RegExp[] = [
  /\b(bearer\s+|basic\s+)[\w.~+/=-]{12,}/gi,
  /\b((?:api[-_]?key|access[-_]?token|authorization)\\{0,7}["']?\s*[:=]\s*\\{0,7}["']?)(?!bearer\b|basic\b)[\w.~+/-]{8,}=*/gi,
  /\b()sk-[\w-]{8,}/g,
  /\b()(?:hf_|gsk_|xai-|pplx-|github_pat_|gh[pousr]_)[A-Za-z0-9_-]{12,}/g,
  /\b()AIza[\w-]{30,}/g,
  /\b()(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\b()(?:glpat-|npm_|xox[abeoprs]-|[sr]k_live_)[\w-]{12,}/g,
  /\b()eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?/g,
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]+?(?=-----END)/g,
  // Cut off before its end; what else follows the marker stays.
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)(?:(?:\s|\\{1,7}[nr])*[A-Za-z0-9+/=]{8,})+/g,
  CREDENTIALS_IN_URL,
];

/** A text without any of these matches none of `KEY_FORMS`, and most texts are without. */
const HINTS =
  /bearer|basic|api[-_]?key|access[-_]?token|authorization|sk-|hf_|gsk_|xai-|pplx-|github_pat_|gh[pousr]_|AIza|A[KS]IA[A-Z0-9]{16}|glpat-|npm_|xox|k_live_|eyJ|PRIVATE KEY|:\/\//i;

/** The secret as it stands in plain text, in JSON and in a URL. */
function formsOf(secret: string): readonly string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
}

function overlap(text: string, secret: string): number {
  for (let length = Math.min(text.length, secret.length - 1); length > 0; length--) {
    if (text.endsWith(secret.slice(0, length))) return length;
  }
  return 0;
}

/** A redactor that knows these secrets; `learn` adds more. */
export function createRedactor(secrets: readonly string[] = []): Redactor {
  // Longest first: a secret may begin with another one.
  let known: readonly string[] = [];
  const hideKnown = (text: string): string =>
    known.reduce((hidden, secret) => hidden.replaceAll(secret, HIDDEN), text);
  const learn = (secret: string): void => {
    if (secret.length < SHORTEST_SECRET) return;
    known = [...new Set([...known, ...formsOf(secret)])].toSorted((a, b) => b.length - a.length);
  };
  for (const secret of secrets) learn(secret);
  return {
    learn,
    hideKnown,
    redact(text) {
      const hidden = hideKnown(text);
      if (!HINTS.test(hidden)) return hidden;
      return KEY_FORMS.reduce((rest, form) => rest.replace(form, `$1${HIDDEN}`), hidden);
    },
    openEnd: (text) => Math.max(0, ...known.map((secret) => overlap(text, secret))),
  };
}

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/** What a stranger sent, fit for one line of a message: no control characters, no reordering marks, at most `length` characters. */
export function oneLine(text: string, length = 300): string {
  const flat = text.replace(CONTROL, " ").trim();
  return flat.length <= length ? flat : `${flat.slice(0, length)}…`;
}

/** A copy of plain data in which every text is redacted; the same object where none changes. Keys stay. */
export function redactTexts<T>(value: T, redact: (text: string) => string): T {
  return redactValue(value, redact) as T;
}

function redactValue(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const clean = items.map((item) => redactValue(item, redact));
    return clean.every((item, i) => item === items[i]) ? value : clean;
  }
  const entries = Object.entries(value);
  const clean = entries.map(([key, inner]) => [key, redactValue(inner, redact)] as const);
  return clean.every(([, inner], i) => inner === entries[i]?.[1]) ? value : Object.fromEntries(clean);
}
