import { allDomains, domainNames } from "../domains/registry.ts";
import { SETTINGS, type Setting } from "../model/control.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import { DEFAULT_LIST, SHIPPED_LISTS, TRIGGERS, type ShippedList } from "../model/shipped-lists.ts";
import type { NamedTarget } from "../model/target.ts";
import { AGENT_SKILL_FOLDERS } from "../skill/agent-folders.ts";
import { describe, fieldsOf, type FieldCodes, type StringItem } from "../skill/fields.ts";
import { reportOn, type Report } from "../skill/report.ts";
import { sourceText } from "../skill/source-text.ts";
import { didYouMean } from "../skill/suggest.ts";
import { readYaml, type YamlMap } from "../skill/yaml-tree.ts";
import { CONFIG_KEYS, DISABLED } from "./config-keys.ts";
import { readControl, readSkillIds, refuseKey } from "./control-config.ts";
import { EMPTY_LAYER, type ControlLayer, type Place } from "./control-layer.ts";
import { readHook } from "./hook-config.ts";
import { HOOK_DEFAULTS, type HookSettings } from "./hook-settings.ts";
import { readTargetGroups } from "./targets-config.ts";
import { leavesFolder, NO_TOOLS, readTools, type ToolsConfig } from "./tools-config.ts";

/** The content of `hasp.yaml` at the root of a workspace. It is read in this room because it needs the knobs of the harness. */
export interface WorkspaceConfig {
  /** The file, as messages name it. */
  readonly file: string;
  readonly libraries: readonly LibraryRef[];
  /** The list of shipped skills that `builtin:<domain>` means. */
  readonly triggers: ShippedList;
  /** Ids of skills that do not act. */
  readonly disabledSkills: readonly string[];
  readonly domain: string | undefined;
  readonly setting: PlacedSetting | undefined;
  readonly control: ControlLayer;
  readonly tools: ToolsConfig;
  readonly hook: HookSettings;
  /** Machines and clusters that jobs are sent to, those that can be used. */
  readonly targets: readonly NamedTarget[];
}

export interface PlacedSetting {
  readonly setting: Setting;
  readonly place: Place;
}

/** Skills that came with HASP Studio, by domain; or a folder of the workspace, with `/`. */
export type LibraryRef =
  | { readonly kind: "builtin"; readonly domain: string }
  | { readonly kind: "folder"; readonly path: string };

/** What a workspace without a `hasp.yaml` uses: everything that came with HASP Studio, its own `skills`, and those of coding agents. */
export const DEFAULT_LIBRARIES: readonly LibraryRef[] = [
  ...allDomains().flatMap(({ name, shipsSkills }) =>
    shipsSkills === true ? [{ kind: "builtin" as const, domain: name }] : [],
  ),
  { kind: "folder", path: "skills" },
  ...AGENT_SKILL_FOLDERS.map((path) => ({ kind: "folder" as const, path })),
];

const CODES: FieldCodes = { wrongType: "HASP412", unknownKey: "HASP413" };
const BUILTIN = /^builtin:([a-z][a-z0-9-]*)$/;
const EXAMPLE = "Write `libraries: [builtin:web-search, skills]`.";

/** Keys that a workspace may not have, and what to do in their place (DESIGN.md, "Untrusted"). */
const COMMAND_LINE_ONLY: Readonly<Record<string, string>> = {
  policy: "--policy",
  teacher: "--teacher",
  model: "--policy",
  url: "--retriever-url",
  endpoint: "--policy",
};

/** Keys that would name a program. */
const PROGRAM_KEYS: ReadonlySet<string> = new Set(["trainer", "python"]);

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

function openConfig(text: string, report: Report): YamlMap | undefined {
  const source = sourceText(text);
  const { root, problems } = readYaml(text, source, 0, { firstOfDuplicates: true });
  for (const { message, range, next } of problems)
    report.error("HASP410", range, `This YAML cannot be used: ${message}.`, next ?? EXAMPLE);
  if (root?.kind === "map") return root;
  const isEmpty = root === undefined || (root.kind === "scalar" && root.value === null);
  if (problems.length === 0 && !isEmpty)
    report.error("HASP411", root.range, "hasp.yaml must hold keys and values.", EXAMPLE);
  return undefined;
}

function refuseUnknown(root: YamlMap, report: Report): void {
  for (const entry of root.entries.values()) {
    const option = COMMAND_LINE_ONLY[entry.key];
    if (CONFIG_KEYS.some(({ name }) => name === entry.key)) continue;
    if (PROGRAM_KEYS.has(entry.key))
      report.error(
        "HASP418",
        entry.keyRange,
        `hasp.yaml names no ${entry.key}: a workspace cannot choose the programs that run on your machine.`,
        "Pass `--python` on the command line, or set HASP_TRAINER_PYTHON.",
      );
    else if (option === undefined) refuseKey(entry, undefined, report);
    else
      report.error(
        "HASP418",
        entry.keyRange,
        `hasp.yaml names no ${entry.key}: a workspace cannot send your questions anywhere by itself.`,
        `Pass it on the command line with \`${option}\`.`,
      );
  }
}

/** One of a few words; anything else is reported with the likely one. */
function readChoice<T extends string>(
  root: YamlMap,
  key: string,
  words: readonly T[],
  report: Report,
): T | undefined {
  const value = root.entries.get(key)?.value;
  if (value === undefined) return undefined;
  const text = value.kind === "scalar" && typeof value.value === "string" ? value.value : undefined;
  const word = words.find((one) => one === text);
  if (word !== undefined) return word;
  const what = text === undefined ? describe(value) : JSON.stringify(text.slice(0, 60));
  const code = text === undefined ? "HASP412" : "HASP419";
  report.error(code, value.range, `${key} cannot be ${what}.`, didYouMean(text ?? "", words));
  return undefined;
}

function readSetting(root: YamlMap, report: Report): PlacedSetting | undefined {
  const setting = readChoice(root, "setting", SETTINGS, report);
  const entry = root.entries.get("setting");
  if (setting === undefined || entry === undefined) return undefined;
  return { setting, place: { file: report.file, range: entry.keyRange } };
}

function readDisabled(root: YamlMap, report: Report): readonly string[] {
  const entry = root.entries.get(DISABLED);
  // Its entries may all be commented out.
  if (entry === undefined || (entry.value.kind === "scalar" && entry.value.value === null)) return [];
  return readSkillIds(entry, report) ?? [];
}

/** What is in force without a `hasp.yaml`. */
function emptyConfig(file: string): WorkspaceConfig {
  return {
    file,
    libraries: DEFAULT_LIBRARIES,
    triggers: DEFAULT_LIST,
    disabledSkills: [],
    domain: undefined,
    setting: undefined,
    control: EMPTY_LAYER,
    tools: NO_TOOLS,
    hook: HOOK_DEFAULTS,
    targets: [],
  };
}

/** Reads a `hasp.yaml`. The value holds what could be read, with defaults for what the file leaves out; never throws. */
export function parseWorkspaceConfig(
  text: string,
  file: string,
): Checked<WorkspaceConfig> & { readonly value: WorkspaceConfig } {
  const report = reportOn(file);
  const root = openConfig(text, report);
  if (root === undefined) return { value: emptyConfig(file), diagnostics: report.diagnostics };
  refuseUnknown(root, report);
  const named = fieldsOf(root, "", report, CODES).strings("libraries");
  const value: WorkspaceConfig = {
    file,
    libraries: named?.flatMap((item) => readLibrary(item, report)) ?? DEFAULT_LIBRARIES,
    triggers: readChoice(root, TRIGGERS, SHIPPED_LISTS, report) ?? DEFAULT_LIST,
    disabledSkills: readDisabled(root, report),
    domain: readChoice(root, "domain", domainNames(), report),
    setting: readSetting(root, report),
    control: readControl(root, report),
    tools: readTools(root, report),
    hook: readHook(root, report),
    targets: readTargetGroups(root, report),
  };
  return { value, diagnostics: report.diagnostics.toSorted(byPlace) };
}

function byPlace({ range: { start: a } }: Diagnostic, { range: { start: b } }: Diagnostic): number {
  return a.line - b.line || a.character - b.character;
}
