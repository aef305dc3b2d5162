import type { AgentPrompt } from "../domains/domain.ts";
import type { ControlChoice } from "../evaluation/choose-control.ts";
import type { EpisodeSettings } from "../evaluation/run-settings.ts";
import { DEFAULT_SAMPLING } from "../harness/model-policy.ts";
import type { ModelDesk } from "./models.ts";
import type { RunOptions } from "./run-options.ts";

/** What a command line says of the models. */
export type AgentOptions = Pick<
  RunOptions,
  "policy" | "teacher" | "price" | "teacherPrice" | "temperature" | "maxTokens" | "seed"
>;

/** The models that the specs name, with how episodes tell of them. */
export async function openAgents(
  desk: ModelDesk,
  prompt: AgentPrompt,
  options: AgentOptions,
  choice: ControlChoice,
) {
  const { temperature, maxTokens, seed } = options;
  const priced = (price: string | undefined) => (price === undefined ? {} : { price });
  const sampling = { ...DEFAULT_SAMPLING, temperature, maxTokens, ...(seed !== undefined && { seed }) };
  const policy = await desk.openPolicy(options.policy, { prompt, sampling, ...priced(options.price) });
  const named = options.teacher;
  const teacher = named === undefined ? undefined : await desk.open(named, priced(options.teacherPrice));
  const { setting, control } = choice;
  const settings: EpisodeSettings = {
    policy: policy.id,
    teacher: teacher?.id ?? "none",
    prompt: prompt.version,
    setting,
    control,
    sampling,
  };
  return { policy, ...(teacher !== undefined && { teacher }), settings };
}
