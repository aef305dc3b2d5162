import { EPISODE_SCHEMA, EPISODE_SCHEMA_1 } from "../model/episode.ts";
import { recordedControlSchema } from "../model/control.ts";
import { recordedSettingsSchema } from "../model/recorded-settings.ts";

const FIELDS = recordedSettingsSchema.shape;
const KNOBS = Object.entries((recordedControlSchema as unknown as { shape: typeof FIELDS }).shape);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The knobs of a control that are of the right kind. */
function controlIn(control: Record<string, unknown>): Record<string, unknown> {
  const fits = KNOBS.filter(([key, schema]) => schema.safeParse(control[key]).success);
  return Object.fromEntries(fits.flatMap(([key]) => (key in control ? [[key, control[key]]] : [])));
}

/** Plain data became typed fields: a value that does not fit one said nothing to any reader, and is left out. */
function settingsIn({ trial: _trial, ...settings }: Record<string, unknown>): Record<string, unknown> {
  const { control } = settings;
  const given: Record<string, unknown> = { ...settings };
  if (isRecord(control)) given["control"] = controlIn(control);
  const misfits = Object.entries(FIELDS).filter(([key, schema]) => !schema.safeParse(given[key]).success);
  const out = new Set(misfits.map(([key]) => key));
  return Object.fromEntries(Object.entries(given).filter(([key]) => !out.has(key)));
}

/** Number of the try of its question; imported runs kept it in their settings, and any other episode was the only one. */
function sampleIn(settings: unknown): number {
  const trial = isRecord(settings) ? settings["trial"] : undefined;
  return typeof trial === "number" && Number.isSafeInteger(trial) && trial >= 0 ? trial : 1;
}

/**
 * A value of `hasp.episode/1` as one of `hasp.episode/2`, unchecked; any other value as it is. The old schema had no completions, no
 * messages and no verdicts, and these stay absent.
 */
export function fromEpisode1(value: unknown): unknown {
  if (!isRecord(value) || value["schema"] !== EPISODE_SCHEMA_1) return value;
  const { settings } = value;
  return {
    ...value,
    schema: EPISODE_SCHEMA,
    sample: sampleIn(settings),
    ...(isRecord(settings) && { settings: settingsIn(settings) }),
  };
}
