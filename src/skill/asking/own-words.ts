/** Elements in which a host or a program speaks in the person's place. */
const HOST_ELEMENT =
  /^(?:local-command-[\w-]+|command-(?:name|message|args|contents)|system-reminder|system_reminder|task-notification|bash-(?:input|stdout|stderr)|user-prompt-submit-hook|ide_[\w-]+|environment_(?:context|details)|user_instructions|turn_aborted|tool[-_]result|function_results)$/i;
/** Those that hold what a program printed, which may hold an end of its own. */
const PRINTED =
  /<(task-notification|(?:bash|local-command)-std(?:out|err)|tool[-_]result|function_results)>/gi;
/** Short ones, which are written whole: without an end they are a person's own, who speaks of them. */
const WHOLE = /^command-(?:name|message|args)$/i;
const TAG = /<(\/?)([A-Za-z][\w.:-]{0,60})(?:\s[^<>]{0,500})?>/g;

const MAX_TAGS = 300;

type Region = readonly [start: number, end: number];

/** Elements and comments of a text, outer ones around inner ones, in the order of their ends. One pass. */
function regionsOf(text: string, counts: (name: string) => boolean, isCut = false): Region[] {
  const open = new Map<string, number[]>();
  const regions: Region[] = [];
  let tags = 0;
  for (const match of text.matchAll(TAG)) {
    // A page of markup holds nobody's wish: all that follows is left out.
    if (++tags > MAX_TAGS) return [...regions.sort(([a], [b]) => a - b), [match.index, text.length]];
    const [tag, slash = "", written = ""] = match;
    const name = written.toLowerCase();
    if (!counts(name) || tag.endsWith("/>")) continue;
    const starts = open.get(name) ?? [];
    open.set(name, starts);
    const start = slash === "" ? undefined : starts.pop();
    if (slash === "") starts.push(match.index);
    else if (start !== undefined) regions.push([start, match.index + tag.length]);
  }
  for (const [name, starts] of open)
    // A program that was cut off speaks to the end.
    if (isCut || (HOST_ELEMENT.test(name) && !WHOLE.test(name)))
      for (const start of starts) regions.push([start, text.length]);
  return regions.sort(([a], [b]) => a - b);
}

/** A text in two: what lies outside of the regions, and what lies in them. */
function split(text: string, regions: readonly Region[]): { outside: string; inside: string } {
  const outside: string[] = [];
  const inside: string[] = [];
  let at = 0;
  for (const [start, end] of regions) {
    if (end <= at) continue;
    if (start > at) outside.push(text.slice(at, start));
    inside.push(text.slice(Math.max(start, at), end));
    at = end;
  }
  return { outside: [...outside, text.slice(at)].join("\n"), inside: inside.join("\n") };
}

/** From the first beginning of an element with a program's output to its last end: between them a program may speak as anybody. */
function printedIn(text: string): Region[] {
  const first = new Map<string, number>();
  for (const { 1: name = "", index } of text.matchAll(PRINTED)) if (!first.has(name)) first.set(name, index);
  return Array.from(first, ([name, start]) => {
    const end = `</${name}>`;
    const at = text.lastIndexOf(end);
    return [start, at < start ? text.length : at + end.length];
  });
}

/** A prompt in two parts, both trimmed: the person's own words, and what a host or a program said in their place. */
export function splitWords(prompt: string): { readonly own: string; readonly host: string } {
  if (!prompt.includes("<")) return { own: prompt.trim(), host: "" };
  const elements = regionsOf(prompt, (name) => HOST_ELEMENT.test(name));
  const regions = [...printedIn(prompt), ...elements].sort(([a], [b]) => a - b);
  const { outside, inside } = split(prompt, regions);
  return { own: outside.trim(), host: inside.trim() };
}

/**
 * A prompt without the elements that a host or a program put into it (`<system-reminder>`, `<local-command-stdout>`, `<command-name>`,
 * `<task-notification>` and others), trimmed. Empty where no person spoke.
 */
export function ownWords(prompt: string): string {
  return splitWords(prompt).own;
}

/**
 * The same without any element, be it a host's or pasted: `<issue>…</issue>` holds somebody else's words. Of a prompt that was cut, an
 * element without an end goes to its end.
 */
export function withoutElements(prompt: string, isCut = false): string {
  if (!prompt.includes("<")) return prompt;
  const regions = regionsOf(prompt, () => true, isCut);
  return split(prompt, regions).outside;
}
