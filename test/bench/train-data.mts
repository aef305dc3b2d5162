import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildTrainData } from "../../src/app/train-data/build.ts";
import { trainDataOrder } from "../../src/app/train-data/assemble.ts";
import { webSearchPrompt } from "../../src/domains/web-search/prompt.ts";
import type { PromptSeen } from "../../src/domains/domain.ts";
import type { Episode } from "../../src/model/episode.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { sha256 } from "../../src/platform/sha256.ts";
import { createRun } from "../../src/trace/create-run.ts";
import { appendEpisode, readEpisodes } from "../../src/trace/episode-file.ts";
import { openMessageStore, type MessageStore } from "../../src/trace/message-store.ts";
import { openRun } from "../../src/trace/run-folder.ts";
import { runPaths } from "../../src/trace/run-paths.ts";
import { compare, type BenchRow } from "./measure.mts";
import { sampleEpisode } from "./trace-big-file.mts";

const EPISODES = 10_000;
const FEW = 1_000;
const LINE_BYTES = 8_000;
const ROUNDS = 3;
const MB = 1e6;

const files = nodeFiles();

/** An episode as `hasp run` records it: each proposal with its completion and the messages that its policy read. */
function withPrompts(episode: Episode, store: MessageStore): Episode {
  const { question, facts } = episode;
  const conversation = store.conversation();
  const seen: PromptSeen[] = [];
  const steps = episode.steps.map((step) => {
    const { t, executed, observation } = step;
    const proposals = step.proposals.map((proposal) => {
      const messages = webSearchPrompt.messages({ question, seen, t, maxSteps: facts.maxSteps });
      const completion = { text: webSearchPrompt.render(proposal), finish: "stop" as const };
      return { ...proposal, completion, messages: conversation.read(messages) };
    });
    for (const proposal of proposals)
      seen.push({ kind: "step", proposal, executed, observation, injected: [], t, instructions: [] });
    return { ...step, proposals };
  });
  return { ...episode, steps };
}

async function makeRun(folder: string, episodes: number): Promise<void> {
  await createRun(files, folder, {
    id: "bench",
    title: "bench",
    domain: "web-search",
    createdAt: systemClock.now(),
    source: "hasp",
    settings: { split: "train" },
  });
  const store = await openMessageStore(files, folder, { sha256, redact: (text) => text });
  for (let i = 0; i < episodes; i++) {
    const episode = {
      ...sampleEpisode(i, LINE_BYTES),
      id: `q-${i}#1`,
      questionId: `q-${i}`,
      question: `Question ${i}?`,
    };
    await appendEpisode(files, runPaths(folder).episodes, withPrompts(episode, store));
  }
  await store.settled();
}

/** The highest heap while `work` runs, in bytes. */
async function peakHeap(work: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.();
  let peak = 0;
  const look = (): void => {
    peak = Math.max(peak, process.memoryUsage().heapUsed);
  };
  const timer = setInterval(look, 20);
  try {
    await work();
    look();
  } finally {
    clearInterval(timer);
  }
  return peak;
}

async function build(run: string, output: string): Promise<void> {
  const request = { runs: [run], output, filter: "rs" as const, signal: new AbortController().signal };
  const { value: order } = await trainDataOrder(request, files);
  if (order === undefined) throw new Error("the run cannot be opened");
  const { value, diagnostics } = await buildTrainData(order, {
    files,
    clock: systemClock,
    redact: (text) => text,
    readNamed: async () => ({ value: undefined, diagnostics: [] }),
    on: () => undefined,
  });
  if ((value?.cards[0]?.rows ?? 0) === 0) throw new Error(`no row: ${diagnostics.at(-1)?.message}`);
}

async function readOnce(run: string): Promise<void> {
  const { index } = await openRun(files, run);
  let steps = 0;
  for await (const { value } of readEpisodes(files, index)) steps += value?.steps.length ?? 0;
  if (steps === 0) throw new Error("no step was read");
}

/** Layers 0 to 2 of training data over many episodes, beside one read of the same episodes; and the heap for ten times as many. */
export async function benchTrainData(): Promise<BenchRow[]> {
  const place = await mkdtemp(path.join(tmpdir(), "hasp-bench-"));
  try {
    const [many, few] = [path.join(place, "many"), path.join(place, "few")];
    await makeRun(many, EPISODES);
    await makeRun(few, FEW);
    const output = path.join(place, "data");
    const [ours, baseline] = await compare(
      ROUNDS,
      () => build(many, output),
      () => readOnce(many),
    );
    const small = await peakHeap(() => build(few, output));
    const large = await peakHeap(() => build(many, output));
    const about = `${EPISODES} episodes of about ${LINE_BYTES / 1_000} kB with their messages, filter rs`;
    return [
      {
        name: "training data",
        ours: ours / 1_000,
        baseline: baseline / 1_000,
        unit: "s",
        method: `${about}: scored twice, ranked, rows of three files and cards written; median of ${ROUNDS}; baseline: one read of the same episodes`,
      },
      {
        name: "  its heap",
        ours: large / MB,
        baseline: small / MB,
        unit: "MB",
        method: `highest heap of one build, looked at every 20 ms; baseline: the same with ${FEW} episodes`,
      },
    ];
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
