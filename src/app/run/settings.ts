import type { Domain } from "../../domains/domain.ts";
import { chooseControl, type ControlChoice } from "../../evaluation/choose-control.ts";
import { parseSets } from "../../evaluation/control-set.ts";
import { parseWorkspaceConfig, type WorkspaceConfig } from "../../evaluation/workspace-config.ts";
import type { Setting } from "../../model/control.ts";
import { START_OF_FILE, type Checked } from "../../model/diagnostic.ts";
import { unreadable } from "../../skill/read-skill.ts";
import type { SkillFiles } from "../../skill/skill-files.ts";
import { failed } from "../refusal.ts";

export type { ControlChoice } from "../../evaluation/choose-control.ts";
export type { WorkspaceConfig } from "../../evaluation/workspace-config.ts";

/** A value that is always there. An error among the diagnostics says that it must not be used. */
export type Total<T> = Checked<T> & { readonly value: T };

const CONFIG_FILE_BYTES = 1_000_000;

/** The `hasp.yaml` at this path; without one, the settings in force then. */
export async function readWorkspaceConfig(
  files: Pick<SkillFiles, "readText">,
  file: string,
): Promise<Total<WorkspaceConfig>> {
  const found = await files
    .readText(file, CONFIG_FILE_BYTES)
    .catch((error: unknown) => ({ kind: "failed" as const, problem: unreadable(file, error) }));
  const read = parseWorkspaceConfig(found.kind === "text" ? found.text : "", file);
  if (found.kind === "failed") return { value: read.value, diagnostics: [found.problem] };
  if (found.kind !== "too-large") return read;
  const message = `${file} has ${found.size} bytes; at most ${CONFIG_FILE_BYTES} are read.`;
  return { ...failed("HASP410", message, "Keep data out of it.", file), value: read.value };
}

/** A person's choice of control, over `hasp.yaml`. */
export interface ControlOrder {
  readonly config: WorkspaceConfig | undefined;
  /** Undefined where there is none, as in a check of `hasp.yaml` alone. */
  readonly domain: Domain | undefined;
  readonly setting?: Setting | undefined;
  /** Where the person named it: `--setting`, or the command. */
  readonly by: string;
  /** `key=value`, in order. */
  readonly sets?: readonly string[] | undefined;
}

/** The control of a run's episodes (docs/settings.md, "Order"). */
export function controlOf({ config, domain, setting, by, sets = [] }: ControlOrder): Total<ControlChoice> {
  const layer = parseSets(sets);
  const place = { file: by, range: START_OF_FILE };
  const chosen = chooseControl({
    config,
    sets: layer.value,
    domain,
    ...(setting !== undefined && { setting: { setting, place } }),
  });
  return { value: chosen.value, diagnostics: [...layer.diagnostics, ...chosen.diagnostics] };
}
