import { Option } from "commander";
import type { Domain } from "../domains/domain.ts";
import { chooseControl, type ControlChoice } from "../evaluation/choose-control.ts";
import { parseSets } from "../evaluation/control-set.ts";
import { parseWorkspaceConfig, type WorkspaceConfig } from "../evaluation/workspace-config.ts";
import { SETTINGS, type Setting } from "../harness/control.ts";
import { isClean, START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";
import type { NodeFiles } from "../platform/files.ts";
import { unreadable } from "../skill/read-skill.ts";
import { CONFIG_FILE } from "../skill/workspace-files.ts";
import { formatDiagnostic } from "./format-diagnostic.ts";
import { CliError } from "./terminal.ts";

/** What a command line says about control. */
export interface ControlOptions {
  readonly setting?: Setting;
  /** The values of `--set`, in their order. */
  readonly set?: readonly string[];
}

/** The options, in the order in which `--help` lists them. */
export function controlOptions(): readonly Option[] {
  return [
    new Option(
      "--setting <name>",
      "what of the harness takes part (default: that of hasp.yaml, else full)",
    ).choices([...SETTINGS]),
    new Option(
      "--set <key=value>",
      "a switch, threshold or budget by its name in docs/settings.md; again for more",
    )
      // One value each, so that it may stand before an argument.
      .default([], "none")
      .argParser((value: string, before: readonly string[]) => [...before, value]),
  ];
}

/**
 * How the episodes of a run are controlled (docs/settings.md, "Order"). The value is always there; errors among the diagnostics are
 * to end the command (`needControl`).
 */
export function controlFor(
  { setting, set = [] }: ControlOptions,
  config: WorkspaceConfig | undefined,
  domain?: Pick<Domain, "thresholds">,
): Checked<ControlChoice> & { readonly value: ControlChoice } {
  const sets = parseSets(set);
  const place = { file: `--setting ${setting ?? ""}`, range: START_OF_FILE };
  const chosen = chooseControl({
    config,
    sets: sets.value,
    domain,
    ...(setting !== undefined && { setting: { setting, place } }),
  });
  return { value: chosen.value, diagnostics: [...sets.diagnostics, ...chosen.diagnostics] };
}

/** The value; the end of the command, with all errors, where there are any. */
export function withoutErrors<T>(
  { value, diagnostics }: Checked<T> & { readonly value: T },
  next?: string,
): T {
  if (isClean(diagnostics)) return value;
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  throw new CliError(errors.map(formatDiagnostic).join("\n"), next);
}

const CONFIG_FILE_BYTES = 1_000_000;

/** The `hasp.yaml` of the current folder; without one, what is in force then. */
export async function readConfig(
  files: Pick<NodeFiles, "readText">,
  file = CONFIG_FILE,
): Promise<ReturnType<typeof parseWorkspaceConfig>> {
  const found = await files
    .readText(file, CONFIG_FILE_BYTES)
    .catch((error: unknown) => ({ kind: "failed" as const, problem: unreadable(file, error) }));
  const read = parseWorkspaceConfig(found.kind === "text" ? found.text : "", file);
  if (found.kind === "failed") return { value: read.value, diagnostics: [found.problem] };
  return found.kind === "too-large" ? { value: read.value, diagnostics: [tooLarge(file, found.size)] } : read;
}

function tooLarge(file: string, size: number): Diagnostic {
  return {
    code: "HASP410",
    severity: "error",
    message: `${file} has ${size} bytes; at most ${CONFIG_FILE_BYTES} are read.`,
    next: "Keep data out of it.",
    file,
    range: START_OF_FILE,
  };
}
