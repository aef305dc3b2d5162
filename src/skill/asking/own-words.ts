/** Elements in which a host or a program speaks in the person's place. */
const HOST_ELEMENT =
  /^(?:local-command-[\w-]+|command-[\w-]+|system-reminder|system_reminder|task-notification|bash-(?:input|stdout|stderr)|user-prompt-submit-hook|ide_[\w-]+|environment_context|environment_details|user_instructions|instructions|permissions|turn_aborted|attachments?|editor_?context|reminder_?instructions|reminder|context|tool_result|tool-result|function_results)$/i;
const TAG = /<(\/?)([A-Za-z][\w.:-]{0,60})(?:\s[^<>]{0,500})?>/g;

type Region = readonly [start: number, end: number];

/** Elements and comments of a text, outer ones around inner ones, in the order of their ends. One pass. */
function regionsOf(text: string, counts: (name: string) => boolean): Region[] {
  const open = new Map<string, number[]>();
  const regions: Region[] = [];
  for (const match of text.matchAll(TAG)) {
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
    if (HOST_ELEMENT.test(name)) for (const start of starts) regions.push([start, text.length]);
  return regions.sort(([a], [b]) => a - b);
}

function without(text: string, regions: readonly Region[]): string {
  let kept = "";
  let at = 0;
  for (const [start, end] of regions) {
    if (start > at) kept += `${text.slice(at, start)}\n`;
    at = Math.max(at, end);
  }
  return kept + text.slice(at);
}

/**
 * A prompt without the elements that a host or a program put into it (`<system-reminder>`, `<local-command-stdout>`, `<command-name>`,
 * `<task-notification>` and others), trimmed. Empty where no person spoke. Importers and hooks keep a prompt in this form.
 */
export function ownWords(prompt: string): string {
  if (!prompt.includes("<")) return prompt.trim();
  return without(
    prompt,
    regionsOf(prompt, (name) => HOST_ELEMENT.test(name)),
  ).trim();
}

/** The same without any element, be it a host's or pasted: `<issue>…</issue>` holds somebody else's words. */
export function withoutElements(prompt: string): string {
  if (!prompt.includes("<")) return prompt;
  return without(
    prompt,
    regionsOf(prompt, () => true),
  );
}
