import { DEFAULT_SAMPLING } from "../model/sampling.ts";
import { CONTROL } from "./control-options.ts";
import { decimal, flag, needed, SKILL_FOLDERS, text, whole, withDefault } from "./options.ts";
import type { OptionsOf, Typed } from "./options.ts";
import type { RetrieverOptions } from "./retriever-options.ts";

/** The models of episodes. */
export const MODELS = {
  policy: needed(
    text("--policy <spec>", "openai:<model>, <url>#<model>, recorded:<run>[#trial] or scripted:<file>"),
  ),
  teacher: text(
    "--teacher <spec>",
    "the model that Program Functions and the harness may ask (default: none)",
  ),
  price: text("--price <in/out>", "dollars for a million tokens of the policy, e.g. 2.50/10"),
  teacherPrice: text("--teacher-price <in/out>", "the same for the teacher"),
  temperature: withDefault(decimal("--temperature <n>", "of the policy"), DEFAULT_SAMPLING.temperature),
  maxTokens: withDefault(
    whole("--max-tokens <n>", "the longest reply of the policy", 1),
    DEFAULT_SAMPLING.maxTokens,
  ),
  seed: whole("--seed <n>", "sent with each request, mixed with the question's id (default: none)"),
};

/** The skills and the control of episodes. `skills` is false with `--no-skills`. */
export const SKILLS_AND_CONTROL = {
  skills: SKILL_FOLDERS as Typed<string[] | boolean | undefined>,
  noSkills: flag("--no-skills", "no skills at all"),
  ...CONTROL,
};

/** Options of every command that makes episodes. */
export type EpisodeOptions = OptionsOf<typeof MODELS & typeof SKILLS_AND_CONTROL> &
  RetrieverOptions & { readonly output: string; readonly maxDollars: number | undefined };
