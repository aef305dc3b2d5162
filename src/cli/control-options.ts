import { Option } from "commander";
import { controlOf, readWorkspaceConfig, type WorkspaceConfig } from "../app/run/settings.ts";
import type { Domain } from "../domains/domain.ts";
import { SETTINGS } from "../model/control.ts";
import { isClean, type Checked } from "../model/diagnostic.ts";
import type { NodeFiles } from "../platform/files.ts";
import { CONFIG_FILE } from "../skill/workspace-files.ts";
import { formatDiagnostic } from "./format-diagnostic.ts";
import { oneOf, type OptionsOf, type Typed } from "./options.ts";
import { CliError } from "./terminal.ts";

/** The options about control. */
export const CONTROL = {
  setting: oneOf(
    "--setting <name>",
    "what of the harness takes part (default: that of hasp.yaml, else full)",
    SETTINGS,
  ),
  set: new Option(
    "--set <key=value>",
    "a switch, threshold or budget by its name in docs/settings.md; again for more",
  )
    // One value each, so that it may stand before an argument.
    .default([], "none")
    .argParser((value: string, before: readonly string[]) => [...before, value]) as Typed<readonly string[]>,
};

/** A command line's words about control; the values of `--set` in their order. */
export type ControlOptions = Partial<OptionsOf<typeof CONTROL>>;

/** The control that the command line chooses over `hasp.yaml`. Errors among the diagnostics end the command (`withoutErrors`). */
export function controlFor(
  { setting, set }: ControlOptions,
  config: WorkspaceConfig | undefined,
  domain?: Domain,
): ReturnType<typeof controlOf> {
  return controlOf({ config, domain, setting, by: `--setting ${setting ?? ""}`, sets: set });
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

/** The `hasp.yaml` of the current folder; without one, the settings in force then. */
export const readConfig = (
  files: Pick<NodeFiles, "readText">,
  file = CONFIG_FILE,
): ReturnType<typeof readWorkspaceConfig> => readWorkspaceConfig(files, file);
