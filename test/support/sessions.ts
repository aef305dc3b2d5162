/** Sessions of other programs, as training data are made of them: chats with calls of tools, in the form of OpenAI. */
import { cpSync, rmSync } from "node:fs";
import type { Episode } from "../../src/model/episode.ts";
import { jsonl, linesOf, type TrainScene } from "./train-data.ts";

export interface ChatLine {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
  readonly reasoning?: string;
}

export interface Chat {
  readonly id: string;
  readonly messages: readonly ChatLine[];
}

/** A call of a reply. */
export const toolCall = (id: string, name: string, args: object): object => ({
  id,
  type: "function",
  function: { name, arguments: JSON.stringify(args) },
});

export const calls = (content: string | null, ...made: readonly object[]): ChatLine => ({
  role: "assistant",
  content,
  tool_calls: made,
});

export const answered = (id: string, content: string): ChatLine => ({
  role: "tool",
  tool_call_id: id,
  content,
});

export const SYSTEM = "You look after a garden.";
export const QUESTION = "Which bed needs water?";

/** A chat with so many steps: one call of a tool each, and an answer at the end. */
export function chatOf(id: string, steps: number, question = QUESTION): Chat {
  const looks = Array.from({ length: steps - 1 }, (_, i) => [
    calls(`I look at bed ${i}.`, toolCall(`${id}-${i}`, "look", { bed: i })),
    answered(`${id}-${i}`, `bed ${i} is wet`),
  ]);
  return {
    id,
    messages: [
      { role: "system", content: SYSTEM },
      { role: "user", content: question },
      ...looks.flat(),
      { role: "assistant", content: "None." },
    ],
  };
}

/** Imports chats into a run; with verdicts, as `a,true`. */
export async function importChats(
  scene: TrainScene,
  run: string,
  chats: readonly Chat[],
  verdicts: readonly string[] = [],
): Promise<void> {
  scene.write(`${run}.jsonl`, jsonl(chats));
  scene.write(`${run}.csv`, `${["id,passed", ...verdicts].join("\n")}\n`);
  const given = verdicts.length === 0 ? [] : ["--verdicts", `${run}.csv`];
  const ended = await scene.hasp("import", `${run}.jsonl`, "-o", run, ...given);
  if (ended.code !== 0) throw new Error(`hasp import ended with ${ended.err}${ended.out}`);
}

/** A copy of a run with its episodes changed. */
export function changedRun(
  scene: TrainScene,
  from: string,
  to: string,
  change: (episode: Episode) => Episode,
): void {
  rmSync(scene.at(to), { recursive: true, force: true });
  cpSync(scene.at(from), scene.at(to), { recursive: true });
  rmSync(scene.at(to, "episodes.index"), { force: true });
  const episodes = linesOf(scene.at(from, "episodes.jsonl")).map((line) => JSON.parse(line) as Episode);
  scene.write(`${to}/episodes.jsonl`, jsonl(episodes.map(change)));
}

/** The prompts are those of a transcript, as where the host's own system message is not in its file. */
export const asTranscript = (episode: Episode): Episode => ({
  ...episode,
  steps: episode.steps.map((step) => ({
    ...step,
    proposals: step.proposals.map((one) => ({
      ...one,
      ...(one.completion !== undefined && { fromTranscript: true as const }),
    })),
  })),
});
