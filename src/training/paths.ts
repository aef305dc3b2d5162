/** Files of the folder of an experiment. */
export function experimentPaths(folder: string) {
  return {
    /** The order, and what its inputs were when it began: `hasp.experiment/1`. */
    state: `${folder}/experiment.json`,
    /** Another process asks for a stop by it. */
    stop: `${folder}/stop`,
    /** A job folder. */
    job: (name: string) => `${folder}/jobs/${name}`,
    run: (name: string) => `${folder}/runs/${name}`,
    /** Training data of an iteration; 0: of what comes before the first one. */
    data: (iteration: number) => `${folder}/data/${iteration}`,
    /** Output of the trainer. */
    train: (iteration: number) => `${folder}/train/${iteration}`,
    evolution: (phase: number) => `${folder}/evolution/${phase}`,
    /** The skills that evolve in closed loop. */
    generated: (domain: string) => `${folder}/library/${domain}/generated`,
  };
}

/** Files of the output folder of the trainer. */
export const trainPaths = (output: string) => ({
  metrics: `${output}/metrics.jsonl`,
  /** Written last: with it the training is done. */
  result: `${output}/result.json`,
  /** A LoRA adapter, or the whole model where all weights were trained. */
  adapter: `${output}/adapter`,
});
