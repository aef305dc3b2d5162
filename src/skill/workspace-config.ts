import type { Checked } from "../model/diagnostic.ts";
import { fieldsOf, type Fields, type FieldCodes, type StringItem } from "./fields.ts";
import { reportOn, type Report } from "./report.ts";
import { sourceText } from "./source-text.ts";
import { readYaml } from "./yaml-tree.ts";

/** What `hasp.yaml` at the root of a workspace says. */
export interface WorkspaceConfig {
  readonly libraries: readonly LibraryRef[];
}

/** Skills that came with HASP Studio, by domain; or a folder of the workspace, with `/`. */
export type LibraryRef =
  | { readonly kind: "builtin"; readonly domain: string }
  | { readonly kind: "folder"; readonly path: string };

/** What a workspace without a `hasp.yaml` uses: everything that came with HASP Studio, and its own `skills`. */
export const DEFAULT_LIBRARIES: readonly LibraryRef[] = [
  { kind: "builtin", domain: "web-search" },
  { kind: "folder", path: "skills" },
];

const CODES: FieldCodes = { wrongType: "HASP412", unknownKey: "HASP413" };
const BUILTIN = /^builtin:([a-z][a-z0-9-]*)$/;
const EXAMPLE = "Write `libraries: [builtin:web-search, skills]`.";

/** Paths from a file stay inside its folder (DESIGN.md, "Untrusted"). */
function leavesFolder(path: string): boolean {
  return /^([/\\]|[A-Za-z]:)/.test(path) || path.split(/[/\\]/).includes("..");
}

function readLibrary({ text, range }: StringItem, report: Report): LibraryRef[] {
  const domain = BUILTIN.exec(text)?.[1];
  if (domain !== undefined) return [{ kind: "builtin", domain }];
  if (text.trim() !== "" && !leavesFolder(text))
    return [{ kind: "folder", path: text.replaceAll("\\", "/") }];
  report.error(
    "HASP414",
    range,
    `The library ${JSON.stringify(text)} is not inside the workspace.`,
    "Name a folder below hasp.yaml, or `builtin:web-search`.",
  );
  return [];
}

function openConfig(text: string, report: Report): Fields | undefined {
  const source = sourceText(text);
  const { root, problems } = readYaml(text, source, 0);
  for (const { message, range } of problems)
    report.error("HASP410", range, `This YAML cannot be read: ${message}.`, EXAMPLE);
  if (root?.kind === "map") return fieldsOf(root, "", report, CODES);
  if (problems.length === 0 && root !== undefined) {
    report.error("HASP411", root.range, "hasp.yaml must hold keys and values.", EXAMPLE);
  }
  return undefined;
}

/** Reads a `hasp.yaml`. The value holds what could be read, with defaults for what the file leaves out; never throws. */
export function parseWorkspaceConfig(text: string, file: string): Checked<WorkspaceConfig> {
  const report = reportOn(file);
  const fields = openConfig(text, report);
  fields?.refuseUnknown(["libraries"]);
  const named = fields?.strings("libraries");
  const libraries = named?.flatMap((item) => readLibrary(item, report)) ?? DEFAULT_LIBRARIES;
  return { value: { libraries }, diagnostics: report.diagnostics };
}
