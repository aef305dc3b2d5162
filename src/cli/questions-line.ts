import type { QuestionFigures } from "../scoring/group-figures.ts";
import { passAtKText } from "../scoring/pass-at-k.ts";

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/**
 * The figures of several samples a question, in a line, and their pass@k in another.
 *
 * @param wanted the k that a person asked for; those without a figure are named.
 */
export function questionsLines(figures: QuestionFigures, wanted: readonly number[] = []): readonly string[] {
  const { questions, samples, mostSamples, meanRight, mean, bestOf, allRight, passAtK } = figures;
  // Of a judge of yes and no the mean score is the share of right samples.
  const score = Math.abs(mean - meanRight) < 1e-9 ? "" : `, mean score ${mean.toFixed(3)}`;
  const missing = wanted
    .filter((k) => passAtK.every((one) => one.k !== k))
    .map((k) => `no question has ${k} judged samples for pass@${k}`);
  const passAt = [...(passAtK.length === 0 ? [] : [passAtKText(passAtK)]), ...missing];
  return [
    `questions: ${questions} with ${samples} judged samples; mean right ${percent(meanRight)}, best of ${mostSamples} ${percent(bestOf)}, all right ${allRight}${score}`,
    ...(passAt.length === 0 ? [] : [passAt.join("; ")]),
  ];
}
