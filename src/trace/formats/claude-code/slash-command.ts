/** Elements in which the program writes down a command of a person. */
const ELEMENTS = ["command-name", "command-message", "command-args", "command-contents", "skill-format"];
const PRINTED = /^\s*<local-command-(?:stdout|stderr)>/;

/** A command of a person to the program, e.g. `/fix 123`. */
export interface SlashCommand {
  /** The command as the person typed it, with whatever stands beside it. */
  readonly typed: string;
  readonly hasArguments: boolean;
}

/** Start and end of the first element of this name, with its tags; undefined where none is whole. */
function elementAt(text: string, name: string): readonly [number, number] | undefined {
  const start = text.indexOf(`<${name}>`);
  const end = start === -1 ? -1 : text.indexOf(`</${name}>`, start);
  return end === -1 ? undefined : [start, end + name.length + 3];
}

function elementText(text: string, name: string): string {
  const [start, end] = elementAt(text, name) ?? [];
  return start === undefined ? "" : text.slice(start + name.length + 2, (end ?? 0) - name.length - 3).trim();
}

function withoutElement(text: string, name: string): string {
  const [start, end] = elementAt(text, name) ?? [];
  return start === undefined ? text : text.slice(0, start) + text.slice(end);
}

/** The command that a person typed, from the elements in which the program writes it down. */
export function slashCommandIn(text: string): SlashCommand | undefined {
  const name = text.includes("<command-name>") ? elementText(text, "command-name") : "";
  if (name === "") return undefined;
  const given = elementText(text, "command-args");
  const beside = ELEMENTS.reduce(withoutElement, text).trim();
  const command = `${name.startsWith("/") ? name : `/${name}`}${given === "" ? "" : ` ${given}`}`;
  return { typed: beside === "" ? command : `${command}\n${beside}`, hasArguments: given !== "" };
}

/** Whether the text is what a command to the program itself printed: such a command is no prompt. */
export const isPrinted = (text: string): boolean => PRINTED.test(text);
