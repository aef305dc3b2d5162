import type { Domain } from "../domains/domain.ts";
import { DEFAULT_CONTROL, SETTING_CONTROL, type Control, type Setting } from "../model/control.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { contradictions } from "./control-conflicts.ts";
import { EMPTY_LAYER, nameOfKnob, type ControlLayer, type Place } from "./control-layer.ts";
import { NO_TOOLS, type ToolsConfig } from "./tools-config.ts";
import type { PlacedSetting, WorkspaceConfig } from "./workspace-config.ts";

/** How the episodes of a run are controlled, and where each part of it was said. */
export interface ControlChoice {
  readonly setting: Setting;
  readonly control: Control;
  /** By key, `setting` and those of `tools` included; a key that nobody set has none. */
  readonly places: ReadonlyMap<string, Place>;
}

export interface ControlSources {
  /** Undefined where there is no `hasp.yaml`. */
  readonly config?: Pick<WorkspaceConfig, "setting" | "control" | "tools"> | undefined;
  /** `--setting`; replaces that of the file. */
  readonly setting?: PlacedSetting | undefined;
  /** `--set`. */
  readonly sets?: ControlLayer | undefined;
  /** Its defaults stand in place of the general ones. The tools of the file are not for one that searches nothing. */
  readonly domain?: Pick<Domain, "defaults" | "needsPassages"> | undefined;
}

/** Switches at the teacher's sites, later layers over earlier ones. */
function sitesOff(layers: readonly ControlLayer[]): readonly string[] {
  const sites = new Map(layers.flatMap(({ teacherSites }) => [...teacherSites]));
  return [...sites].flatMap(([site, isOn]) => (isOn ? [] : [site]));
}

/** What a layer or the command line switches back although the setting says otherwise. */
function againstSetting(
  setting: PlacedSetting,
  control: Control,
  places: ControlChoice["places"],
): Diagnostic[] {
  const changes = Object.entries(SETTING_CONTROL[setting.setting]) as [keyof Control, unknown][];
  return changes.flatMap(([key, value]) => {
    const name = nameOfKnob(key);
    const place = places.get(name);
    if (place === undefined || control[key] === value) return [];
    return [
      {
        code: "HASP416",
        severity: "warning" as const,
        message: `${name} is ${String(control[key])} here; the setting "${setting.setting}" has ${String(value)}. What is set by name counts.`,
        next: `Leave ${name} out, where the run is to be compared with others of this setting.`,
        ...place,
      },
    ];
  });
}

function placesOf(
  setting: PlacedSetting | undefined,
  tools: ToolsConfig | undefined,
  layers: readonly ControlLayer[],
): ControlChoice["places"] {
  return new Map([
    ...(setting === undefined ? [] : [["setting", setting.place] as const]),
    ...(tools?.places ?? []),
    ...layers.flatMap(({ places }) => [...places]),
  ]);
}

/**
 * Puts the sources together: defaults, then the setting, then the knobs of `hasp.yaml`, then `--set`; and says where they contradict
 * each other. The value is always there, with what was said last.
 */
export function chooseControl({ config, setting: asked, sets = EMPTY_LAYER, domain }: ControlSources): {
  readonly value: ControlChoice;
  readonly diagnostics: readonly Diagnostic[];
} {
  const setting = asked ?? config?.setting;
  const layers = [config?.control ?? EMPTY_LAYER, sets];
  const control: Control = {
    ...DEFAULT_CONTROL,
    ...domain?.defaults,
    ...SETTING_CONTROL[setting?.setting ?? "full"],
    // Each layer was read with the knob's own kind of value.
    ...(Object.assign({}, ...layers.map(({ knobs }) => knobs)) as Partial<Control>),
    pinnedSkills: layers.findLast(({ pinnedSkills }) => pinnedSkills !== undefined)?.pinnedSkills ?? [],
    teacherSitesOff: sitesOff(layers),
  };
  const isSearching = domain === undefined || domain.needsPassages !== undefined;
  const tools = isSearching ? (config?.tools ?? NO_TOOLS) : undefined;
  const places = placesOf(setting, tools, layers);
  const value = { setting: setting?.setting ?? ("full" as const), control, places };
  return {
    value,
    diagnostics: [
      ...(setting === undefined ? [] : againstSetting(setting, control, places)),
      ...contradictions(control, places, layers, tools),
    ],
  };
}
