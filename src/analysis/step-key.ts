/** A recorded step as one text: its run, the place of its episode in the run, and its number there. */
export const stepKey = (run: string, index: number, t: number): string => `${run}#${index}/${t}`;
