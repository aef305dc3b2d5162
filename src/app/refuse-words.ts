import { whyNoWords, type GoldSource } from "../scoring/math-answers.ts";
import { datasetOf, domainsThatReadGold } from "../domains/registry.ts";
import type { Run } from "../model/episode.ts";
import { z } from "../model/zod.ts";
import { refuse } from "./refusal.ts";

/** Ways to judge math: a model as the judge. */
const MODEL_JUDGE = "`--judge openai:<model>` or `--judge <url>#<model>`";

/** Ways to judge math: the judge of a domain, or a model. */
export function nameAnotherJudge(): string {
  const exact = domainsThatReadGold().map(({ judge }) => `\`--judge ${judge.name}\``);
  return exact.length === 0
    ? `Name a model as the judge: ${MODEL_JUDGE}.`
    : `Name a judge that reads math, ${exact.join(" or ")}, or a model: ${MODEL_JUDGE}.`;
}

/** The names by which a run's questions may be known. */
export function namesOf(run: Run | undefined): GoldSource["from"] {
  const { dataset, questions } = run?.settings ?? {};
  const file = z.object({ file: z.string() }).safeParse(questions).data?.file;
  return [typeof dataset === "string" ? dataset : undefined, file];
}

/** Accepted answers with the names of their source; the data set that one of them names says whether it asks for words. */
export function goldSource(golds: GoldSource["golds"], from: GoldSource["from"]): GoldSource {
  const asksForWords = from.some((name) => name !== undefined && datasetOf(name)?.asksForWords === true);
  return { golds, from, asksForWords };
}

/** Refuses to compare words where the accepted answers are math (HASP599). `next`: how these answers can be judged. */
export function refuseWords(source: GoldSource, next: string, file?: string): void {
  const why = whyNoWords(source);
  if (why !== undefined) refuse("HASP599", why, next, file);
}
