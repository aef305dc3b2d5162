import { foreignNameFault, nameKey } from "../../model/foreign-name.ts";

/** An output of a job: its name there, relative to the folder of the group, and its place here, absolute. */
export interface OutputPlace {
  readonly at: string;
  readonly to: string;
}

/** Names that other programs read settings or code from, wherever they are: git runs the hooks of any folder that holds one. */
const OF_TOOLS: ReadonlySet<string> = new Set(
  [
    [".git", ".hg", ".svn", ".jj", ".husky", ".gitmodules"],
    [".vscode", ".idea", ".devcontainer", ".devcontainer.json", ".zed", ".cursor", ".windsurf"],
    [".claude", ".codex", ".gemini", ".copilot", ".mcp.json", ".hasp", "hasp.yaml"],
    [
      ".envrc",
      ".npmrc",
      ".yarnrc",
      ".yarnrc.yml",
      ".bashrc",
      ".bash_profile",
      ".profile",
      ".zshrc",
      ".zshenv",
    ],
  ].flat(),
);

/** The name of a file as git and Windows take it: without a stream behind a colon, and `git~1` for `.git`. */
function toolKey(part: string): string {
  const key = nameKey(part)
    .replace(/:.*$/s, "")
    .replace(/[. ]+$/, "");
  return /^git~\d+$/.test(key) ? ".git" : key;
}

/** The part of a path that a program other than HASP takes settings or code from; undefined where there is none. */
export const toolPart = (path: string): string | undefined =>
  path.split("/").find((part) => OF_TOOLS.has(toolKey(part)));

/**
 * The place here of a file by its name on a target: the one way in which an output gets its place. It is that of the output with this name, or
 * below it. Otherwise `fault`: why it has none, in words that follow the name.
 */
export function placeOfOutput(
  outputs: readonly OutputPlace[],
  name: string,
): { readonly to: string; readonly fault?: undefined } | { readonly fault: string } {
  const wrong = foreignNameFault(name);
  if (wrong !== undefined) return { fault: wrong };
  const whole = outputs.find(({ at }) => at === name);
  if (whole !== undefined) return { to: whole.to };
  const above = outputs.find(({ at }) => name.startsWith(`${at}/`));
  if (above === undefined) return { fault: "is none of the job's outputs" };
  const below = name.slice(above.at.length + 1);
  const tool = toolPart(below);
  if (tool !== undefined) return { fault: `has the part \`${tool}\`, which other programs take orders from` };
  return { to: `${above.to}/${below}` };
}

/**
 * Two of some places that cannot both be files, on any system: the same by case or Unicode form, or one below the other. Undefined where there
 * are none.
 */
export function clashOf(places: readonly string[]): readonly [string, string] | undefined {
  const byKey = new Map<string, string>();
  for (const place of places) {
    const same = byKey.get(nameKey(place));
    if (same !== undefined) return [same, place];
    byKey.set(nameKey(place), place);
  }
  for (const place of places) {
    const key = nameKey(place);
    for (let end = key.lastIndexOf("/"); end > 0; end = key.lastIndexOf("/", end - 1)) {
      const above = byKey.get(key.slice(0, end));
      if (above !== undefined) return [above, place];
    }
  }
  return undefined;
}
