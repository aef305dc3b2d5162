import { asRecord } from "./records.ts";
import { toolsText, withPrompts } from "./talk.ts";
import type { AgentTurn, Turn } from "./turn.ts";

/** The parts of a request besides its messages. */
interface Request {
  /** Those that it offers; in what the agent read they stand at the end of the system message. */
  readonly tools: readonly unknown[];
  /** The last reply was cut off at its longest. */
  readonly cut: boolean;
}

/** The turns of a request whose messages are all that the model read, each of the agent's with what it read and its reply. */
export function promptedTurns(turns: readonly Turn[], { tools, cut }: Request): readonly Turn[] {
  const offered = toolsText(tools);
  const [first] = turns;
  const leads = first?.kind === "system";
  const system: Turn = { kind: "system", text: leads ? joined(first.text, offered) : offered };
  const rest = leads ? turns.slice(1) : turns;
  const told = withPrompts(offered === "" ? turns : [system, ...rest], "whole");
  const shift = told.length - turns.length;
  return turns.map((turn, at) => {
    const read = told[at + shift];
    if (turn.kind !== "agent" || read?.kind !== "agent" || isNotTrained(turn)) return turn;
    const { completion } = read;
    const isLast = cut && at === turns.length - 1;
    return {
      ...turn,
      read: read.read,
      completion: isLast && completion !== undefined ? { ...completion, finish: "length" } : completion,
    };
  });
}

const joined = (...texts: readonly string[]): string => texts.filter((text) => text !== "").join("\n\n");

/** Rows for fine-tuning mark with a weight of 0 what a model should not learn to say. */
const isNotTrained = ({ extra }: AgentTurn): boolean => asRecord(extra?.["message"])["weight"] === 0;
