import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { ROOT } from "../support/core.ts";
import { openTrainScene, rowsOf, type Message } from "../support/train-data.ts";

/** Rows of 110 real sessions of mini-swe-agent (SWE-bench Verified) beside the files that they were made of. */
const DATA = path.join(ROOT, "../shared/data/sessions");
const SESSIONS = path.join(DATA, "mini-swe-agent");
const isThere = existsSync(SESSIONS);
const note = isThere ? "" : " (skipped: the sessions are not here)";

const scene = openTrainScene("train-real-sessions");
afterAll(() => scene.close());

const HIDDEN = "[redacted]";

/** Whether a text is another one, but for what is hidden in it. */
function isSame(found: string, wanted: string): boolean {
  if (!found.includes(HIDDEN)) return found === wanted;
  let at = 0;
  return found.split(HIDDEN).every((part) => {
    const next = wanted.indexOf(part, at);
    at = next + part.length;
    return next >= 0;
  });
}

it.skipIf(!isThere)(
  `every row of a right session is a reply of its file, and what stands before it, word for word${note}`,
  async () => {
    const files = readdirSync(SESSIONS).map((name) => path.join(SESSIONS, name));
    const verdicts = path.join(DATA, "verdicts.csv");
    const imported = await scene.hasp("import", ...files, "--verdicts", verdicts, "-o", "run");
    expect([imported.code, imported.out]).toEqual([0, expect.stringContaining("98 correct, 12 wrong")]);
    const { cards } = await scene.build(["run", "-o", "data", "--floor", "0.23"]);
    expect(cards[0]).toMatchObject({ rows: 2546, transcripts: 0 });
    const wrong: string[] = [];
    for (const { episode, step, prompt = [], completion = [] } of rowsOf(scene.at("data/a-sft.jsonl"))) {
      const file = path.join(SESSIONS, `${episode}.traj.json`);
      const { messages } = JSON.parse(readFileSync(file, "utf8")) as { messages: readonly Message[] };
      const replies = messages.flatMap(({ role }, i) => (role === "assistant" ? [i] : []));
      const wanted = messages.slice(0, (replies[step - 1] ?? 0) + 1);
      const found = [...prompt, ...completion];
      const holds =
        found.length === wanted.length &&
        found.every(({ role, content }, i) => {
          const other = wanted[i];
          return role === other?.role && isSame(content, other.content);
        });
      if (!holds) wrong.push(`${episode}:${step}`);
    }
    expect(wrong).toEqual([]);
  },
  120_000,
);
