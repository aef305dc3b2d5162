import { open } from "node:fs/promises";
import { EPISODE_SCHEMA, type Episode, type Step } from "../../src/model/episode.ts";
import { encodeEpisode } from "../../src/trace/episode-file.ts";

export interface BigFile {
  readonly path: string;
  readonly bytes: number;
  readonly episodes: number;
}

const WORDS = [
  "the",
  "band",
  "was",
  "formed",
  "in",
  "1983",
  "by",
  "its",
  "singer",
  "from",
  "Sayreville",
  "and",
  "the",
];
const ID_DIGITS = 9;
const BLOCK_EPISODES = 64;

/** Text of about this many characters that is not one letter repeated. */
export function prose(chars: number, seed: number): string {
  const words: string[] = [];
  for (let length = 0, i = seed; length < chars; i = (i * 7 + 3) % 9_973) {
    const word = WORDS[i % WORDS.length] ?? "";
    words.push(word);
    length += word.length + 1;
  }
  return words.join(" ");
}

export function sampleEpisode(seed: number, lineBytes: number): Episode {
  const length = 3 + (seed % 4);
  const steps = Array.from({ length }, (_, t): Step => {
    const action =
      t === length - 1 ? { type: "FINAL", arg: "Bon Jovi" } : { type: "SEARCH", arg: prose(40, seed + t) };
    const observation = t === length - 1 ? "" : prose(lineBytes / (length - 1) - 500, seed + t);
    const thought = prose(150, seed + 2 * t);
    return { t, proposals: [{ thought, action }], events: [], executed: action, injected: [], observation };
  });
  return {
    schema: EPISODE_SCHEMA,
    id: "0".repeat(ID_DIGITS),
    questionId: `q-${seed}`,
    sample: 1,
    outcome: seed % 3 === 0 ? "correct" : "wrong",
    length,
    question: `${prose(90, seed)}?`,
    source: "bench",
    facts: {
      domain: "web-search",
      actionTypes: ["SEARCH", "READ", "FINAL"],
      searchReturnsText: true,
      maxSteps: 6,
    },
    library: [],
    steps,
    answer: "Bon Jovi",
    gold: ["Bon Jovi"],
    stopReason: "final",
  };
}

/** Writes an episode file of about `bytes`, with lines of about `lineBytes`; every line has an id of its own. */
export async function makeBigFile(path: string, bytes: number, lineBytes = 80_000): Promise<BigFile> {
  const lines = Array.from({ length: BLOCK_EPISODES }, (_, i) => encodeEpisode(sampleEpisode(i, lineBytes)));
  const block = Buffer.concat(lines);
  const places = lines.map(
    (line, i) => Buffer.concat(lines.slice(0, i)).length + Buffer.from(line).indexOf('"id":"') + 6,
  );
  const file = await open(path, "w");
  let episodes = 0;
  try {
    for (let written = 0; written < bytes; written += block.length) {
      for (const at of places) block.write(String(episodes++).padStart(ID_DIGITS, "0"), at, "latin1");
      await file.writeFile(block);
    }
    return { path, bytes: (await file.stat()).size, episodes };
  } finally {
    await file.close();
  }
}
