import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import type { EvolvedCandidate } from "../../src/model/evolution.ts";
import type { MadeCandidate } from "./candidate-mutations.ts";
import { renderProposal } from "../../src/evolve/author/parse-proposal.ts";
import { CLI } from "./evolve-scene.ts";
import { openScene, type Ended } from "./hook-process.ts";
import { loopbackModel } from "./loopback-model.ts";
import { writeTuningRun, type Source } from "./tuning-episodes.ts";

/** Its SKILL.md says what any candidate's would have to say and quotes no example. */
function replyOf({ name, origin, pf }: MadeCandidate): string {
  const id = name.replaceAll("-", "_");
  const phase = pf.includes('"FINAL"') ? "answer" : "think";
  return renderProposal({
    "SKILL.md": `---
name: ${name}
description: "Candidate ${name}: acts as ${origin} does, or nearly."
metadata:
  hasp:
    skill_id: ${id}
    title: "Candidate"
    version: 1
    priority: 0.5
    error_category: ${id}
    applicable_modes: [web-search]
    applicable_phases: [${phase}]
---

# Candidate

A candidate.
`,
    "pf.ts": pf,
  });
}

export interface GateEvolution {
  readonly ended: Ended;
  /** Of all epochs, in order. */
  readonly candidates: readonly EvolvedCandidate[];
  /** The words of the final reading. */
  readonly final: string;
}

/** `hasp evolve`, as a process, over recorded episodes of the tuning parts, with an author that proposes these candidates in turn. */
export async function evolveWith(
  made: readonly MadeCandidate[],
  {
    seed,
    perEpoch,
    sources,
  }: { readonly seed: number; readonly perEpoch: number; readonly sources: readonly Source[] },
): Promise<GateEvolution> {
  const scene = openScene("gate");
  let next = 0;
  // A repair gets the same skill again: its prompt has the first reply in it.
  const model = await loopbackModel(({ request }) => {
    const isRepair = request.messages.some(({ role }) => role === "assistant");
    const one = made[isRepair ? next - 1 : next++];
    return { kind: "text", text: one === undefined ? "I have no skill for this." : replyOf(one) };
  });
  try {
    for (const source of sources) await writeTuningRun(scene.at(".hasp/runs", source), source);
    const epochs = String(Math.ceil(made.length / perEpoch));
    const files = ["-o", "evo", "--episodes", ...sources.map((source) => `.hasp/runs/${source}`)];
    const models = ["--author", `${model.url}#author`, "--no-skills", "--gate", "exec-only"];
    const size = ["--epochs", epochs, "--candidates", String(perEpoch), "--min-cluster", "1"];
    const order = ["evolve", ...files, ...models, ...size, "--evolve-seed", String(seed)];
    const ended = await scene.start([CLI, ...order], "").ended;
    const folder = scene.at("evo");
    const candidates = readdirSync(folder)
      .filter((name) => name.startsWith("epoch_"))
      .map((name) => path.join(folder, name, "candidates.jsonl"))
      .filter((file) => existsSync(file))
      .flatMap((file) => readFileSync(file, "utf8").split("\n").filter(Boolean))
      .map((line) => JSON.parse(line) as EvolvedCandidate);
    const read = JSON.parse(readFileSync(path.join(folder, "final.json"), "utf8")) as {
      readonly readings: readonly { readonly words: string }[];
    };
    return { ended, candidates, final: read.readings.map(({ words }) => words).join(" ") };
  } finally {
    scene.close();
    await model.close();
  }
}
