import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { renderProposal } from "../../src/evolve/author/parse-proposal.ts";
import type { Episode } from "../../src/model/episode.ts";
import { CLEAN, plainStep } from "../unit/evolve/author/author-support.ts";

/** Name of the recorded run, below `.hasp/runs`. */
export const FAILING_RUN = "unread-answers";
/** The script of the author, in the workspace folder. */
export const AUTHOR_SCRIPT = "author.json";
export const AUTHOR = `scripted:${AUTHOR_SCRIPT}`;

const EPISODES = 24;

/** An agent that searches once and answers without reading: every fourth time it is right by luck. */
function unread(i: number): Episode {
  const isRight = i % 4 === 0;
  const subject = `merchant number ${i}`;
  return {
    schema: "hasp.episode/2",
    id: `unread-${i}`,
    questionId: `q${i}`,
    sample: 1,
    outcome: isRight ? "correct" : "wrong",
    length: 2,
    question: `From which harbour did ${subject} sail?`,
    source: "hasp",
    facts: {
      domain: "web-search",
      actionTypes: ["SEARCH", "READ", "FINAL"],
      searchReturnsText: false,
      maxSteps: 8,
    },
    library: [],
    steps: [
      plainStep(
        0,
        "SEARCH",
        `harbour ${subject}`,
        `doc_${i}  The ${subject}: an old chronicle tells of it.`,
        "I look.",
      ),
      plainStep(1, "FINAL", isRight ? `Port ${i}` : `Elsewhere ${i}`, "", "It must be there."),
    ],
    answer: isRight ? `Port ${i}` : `Elsewhere ${i}`,
    gold: [`Port ${i}`],
    stopReason: "final",
  };
}

/** Another id and name for the clean skill, so that it repeats what is there: it loads, and is refused. */
const REPEATED = {
  ...CLEAN,
  "SKILL.md": CLEAN["SKILL.md"]
    .replaceAll("unread-answer", "hasty-answer")
    .replaceAll("unread_answer", "hasty_answer"),
};

/** Replies in turn: a skill that passes, one that repeats it, and then none. */
export const AUTHOR_REPLIES: readonly string[] = [
  renderProposal(CLEAN),
  renderProposal(REPEATED),
  ...Array.from({ length: 60 }, () => "I have no skill for this."),
];

/** Writes a recorded run of failures and the script of an author into a workspace folder. */
export function writeEvolvable(root: string): void {
  const folder = join(root, ".hasp", "runs", FAILING_RUN);
  mkdirSync(folder, { recursive: true });
  const run = {
    schema: "hasp.run/1",
    id: FAILING_RUN,
    title: "Answers without reading",
    domain: "web-search",
    // The newest run: a wizard ticks it.
    createdAt: "2036-01-02T03:04:05Z",
    source: "hasp",
  };
  writeFileSync(join(folder, "run.json"), `${JSON.stringify(run)}\n`);
  const lines = Array.from({ length: EPISODES }, (_, i) => `${JSON.stringify(unread(i))}\n`);
  writeFileSync(join(folder, "episodes.jsonl"), lines.join(""));
  writeFileSync(join(root, AUTHOR_SCRIPT), JSON.stringify(AUTHOR_REPLIES));
}
