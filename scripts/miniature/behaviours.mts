/** Records the rule-based policy with `hasp run`, so that the student is pre-trained on the very prompts of the harness. */
import { existsSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

import { serveReplies } from "./loopback.mts";
import { type Behaviour, BEHAVIOURS, askedIn, behaviourOf, replyTo } from "./policy.mts";
import { hasp } from "./programs.mts";
import { TITLE, makeWorld, type Names, writeWorld } from "./world.mts";

/** A recorded run of the policy. */
export interface Recording {
  readonly run: string;
  /** A model name of the policy's server: one behaviour, or `mixed`. */
  readonly plays: Behaviour | "mixed";
  readonly withSkills: boolean;
  readonly samples: number;
}

/** Good episodes, from which look-ups are learned first; then faulty ones, with and without Program Functions. */
const RECORDINGS: readonly (Recording & { readonly world: string })[] = [
  { run: "good", world: "practice 1", plays: "good", withSkills: false, samples: 1 },
  { run: "good-skills", world: "practice 2", plays: "good", withSkills: true, samples: 1 },
  { run: "mixed", world: "practice 3", plays: "mixed", withSkills: false, samples: 3 },
  { run: "mixed-skills", world: "practice 4", plays: "mixed", withSkills: true, samples: 3 },
];

/** The words that every request of `hasp run` is tried with: five steps, three searches, and a search brings one text (SPEC §8). */
export const EPISODE = "--retriever teacher-snippet --max-steps 5 --max-search-calls 3".split(" ");

const isBehaviour = (name: string): name is Behaviour => (BEHAVIOURS as readonly string[]).includes(name);

/** Writes the practice worlds and the runs of the policy in them into `folder`; what is there is kept. */
export async function recordBehaviours(folder: string, names: Names, seed: number): Promise<void> {
  const policy = await serveReplies(({ model, messages, seed: sent = 0 }) => {
    const question = messages.find(({ role }) => role === "user")?.content.split("\n", 1)[0] ?? "";
    const draw = `${seed} ${question} ${sent}`;
    const asked = askedIn(question);
    const behaviour = isBehaviour(model) ? model : behaviourOf(asked?.relation ?? "chief", draw);
    return replyTo(messages, behaviour, names, draw);
  });
  try {
    for (const recording of RECORDINGS)
      await record(folder, names, recording, `${policy.url}#${recording.plays}`, seed);
  } finally {
    await policy.close();
  }
  const fixed = { ...names, title: TITLE };
  writeFileSync(resolve(folder, "names.json"), `${JSON.stringify(fixed)}\n`);
}

async function record(
  folder: string,
  names: Names,
  { run, world, withSkills, samples }: (typeof RECORDINGS)[number],
  policy: string,
  seed: number,
): Promise<void> {
  const target = resolve(folder, "runs", run);
  const place = resolve(folder, world.replace(" ", "-"));
  if (!existsSync(place)) writeWorld(place, makeWorld(names, `${world} ${seed}`, 0), `${world} ${seed}`);
  const resume = existsSync(resolve(target, "run.json")) ? ["--resume"] : [];
  const skills = withSkills ? ["--setting", "pf-only"] : ["--no-skills"];
  const from = ["--questions", resolve(place, "questions.jsonl"), "--corpus", resolve(place, "corpus.jsonl")];
  const asked = [
    "--policy",
    policy,
    "--samples",
    String(samples),
    "--seed",
    String(seed),
    "--concurrency",
    "8",
  ];
  await hasp(["run", ...from, ...EPISODE, ...asked, ...skills, "-o", target, ...resume], { cwd: folder });
}
