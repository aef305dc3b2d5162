/** The step that called a sub-agent. */
export interface CalledAgent {
  readonly episode: string;
  readonly t: number;
  readonly isAbandoned: boolean;
}

/** The calls of sub-agents in the files of one import so far, by the sub-agent's episode: it may stand in a file of its own. */
export type CalledAgents = Map<string, CalledAgent>;
