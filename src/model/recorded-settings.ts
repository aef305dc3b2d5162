import { recordedControlSchema, SETTINGS } from "./control.ts";
import { samplingSchema } from "./sampling.ts";
import { z } from "./zod.ts";

/**
 * The settings of an episode, as its record has them. Importers add the settings of their files beside the named keys: strategy, model,
 * agent.
 */
export const recordedSettingsSchema = z.looseObject({
  /** Id of the policy; `served` for an external agent. */
  policy: z.string().optional(),
  /** Id of the teacher's model, or `none`. */
  teacher: z.string().optional(),
  /** Version of the domain's prompt. */
  prompt: z.string().optional(),
  setting: z.enum(SETTINGS).optional(),
  /** Every switch, threshold and budget that the version of HASP knew that ran it. */
  control: recordedControlSchema.optional(),
  /** The list of shipped skills, of this version or of another. */
  triggers: z.string().optional(),
  /** As this very sample was drawn: `seed` is the one that was sent. */
  sampling: samplingSchema.optional(),
});
export type RecordedSettings = z.infer<typeof recordedSettingsSchema>;
