import { InvalidArgumentError, Option } from "commander";
import { DEFAULT_SAMPLING, REPLY_FORMS, type ReplyForm } from "../model/sampling.ts";
import { CONTROL } from "./control-options.ts";
import { flag, needed, SKILL_FOLDERS, text, TRIGGERS, whole, withDefault } from "./options.ts";
import { amount } from "./numbers.ts";
import type { OptionsOf, Typed } from "./options.ts";
import type { RetrieverOptions } from "./retriever-options.ts";

const LARGEST_TEMPERATURE = 2;

function temperature(given: string): number {
  const value = amount(0)(given);
  if (value <= LARGEST_TEMPERATURE) return value;
  throw new InvalidArgumentError(`It must be at most ${LARGEST_TEMPERATURE}.`);
}

/** One temperature, or one for each sample in turn: `0.7`, `0,0.7,1`. */
function temperatures(given: string): number | readonly number[] {
  const all = given.split(",").map((part) => temperature(part.trim()));
  return all.length === 1 ? (all[0] ?? 0) : all;
}

function share(given: string): number {
  const value = amount(0)(given);
  if (value > 0 && value <= 1) return value;
  throw new InvalidArgumentError("It must be over 0 and at most 1.");
}

/** The models of episodes. */
export const MODELS = {
  policy: needed(
    text("--policy <spec>", "openai:<model>, <url>#<model>, recorded:<run>[#sample] or scripted:<file>"),
  ),
  teacher: text(
    "--teacher <spec>",
    "the model that Program Functions and the harness may ask (default: none)",
  ),
  price: text("--price <in/out>", "dollars for a million tokens of the policy, e.g. 2.50/10"),
  teacherPrice: text("--teacher-price <in/out>", "the same for the teacher"),
  temperature: withDefault(
    new Option("--temperature <n>", "of the policy; 0,0.7,1 gives each sample its own").argParser(
      temperatures,
    ) as Typed<number | readonly number[] | undefined>,
    DEFAULT_SAMPLING.temperature,
  ),
  topP: new Option(
    "--top-p <p>",
    "the policy draws from this share of the probability (default: none is sent)",
  ).argParser(share) as Typed<number | undefined>,
  maxTokens: whole(
    "--max-tokens <n>",
    `the longest reply of the policy (default: the domain's, else ${DEFAULT_SAMPLING.maxTokens})`,
    1,
  ),
  replies: new Option(
    "--replies <form>",
    "of the policy: text, or json, which its server holds the model to (default: text)",
  ).choices(REPLY_FORMS) as Typed<ReplyForm | undefined>,
  seed: whole("--seed <n>", "sent with each request, mixed with the question's id (default: none)"),
};

/** The skills and the control of episodes. `skills` is false with `--no-skills`. */
export const SKILLS_AND_CONTROL = {
  skills: SKILL_FOLDERS as Typed<string[] | boolean | undefined>,
  noSkills: flag("--no-skills", "no skills at all"),
  triggers: TRIGGERS,
  ...CONTROL,
};

/** Options of every command that makes episodes. */
export type EpisodeOptions = OptionsOf<typeof MODELS & typeof SKILLS_AND_CONTROL> &
  RetrieverOptions & { readonly output: string; readonly maxDollars: number | undefined };
