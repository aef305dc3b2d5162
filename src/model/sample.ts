/** The id of an episode that a run makes: the question and the number of the sample. */
export function sampleId(questionId: string, sample: number): string {
  return `${questionId}#${sample}`;
}
