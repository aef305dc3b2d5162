import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hasp, type Ended } from "../support/cli.ts";
import { hostile, hostileId, writeHostileWorkspace } from "../support/hostile.ts";

const place = mkdtempSync(path.join(tmpdir(), "hasp-hostile-"));
const EPISODE = hostileId("episode").replaceAll("\ud800", "\ufffd");

const PATIENCE = 120_000;

const run = (...args: readonly string[]): Promise<Ended> => hasp(args, { cwd: place });

/** What a terminal would obey, and what would make a text look other than it is. */
const UNFIT = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\u{200b}\u{2060}\u{feff}]/u;

beforeAll(() => writeHostileWorkspace(place));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const SKILLS = ["--skills", "skills"];
const AT = ["--episode", "1", "--step", "1"];
const BRANCH = ["--corpus", "corpus.jsonl", "--policy", "scripted:script.json"];
const REVIEW = ["review", "skills/web-search/hostile"];

/** With the exit code, and a part of a stranger's text that shows that it was printed. */
const COMMANDS: readonly (readonly [code: number, says: string, ...args: readonly string[]])[] = [
  [1, "key[31m2J<b>", "validate", "skills"],
  [1, "case[31m2J<b>", "test", "skills"],
  [1, "reason </script>", "backtest", ...SKILLS, "--episodes", "runs/one", "runs/two", "--steps", "50"],
  [0, "!== WORDS /* ", "explain", "runs/one", ...AT, "--skill", "hostile", ...SKILLS],
  [0, "[31mred[2J[H", "replay", "runs/one", "--episode", "1", ...SKILLS],
  [0, "[31mred[2J[H", "replay", "runs/one", "--episode", "2"],
  [1, "label[31m2J<b>", "note", "runs/one"],
  [0, "episode[31m2J<b>", "note", "runs/one", "--episode", "1", "--label", "good", "--text", hostile("note")],
  [0, "\n# evil a", "note", "runs/one", "--case", "note-on-step"],
  [1, "q[31m2J<b>", "compare", "runs/one", "runs/two"],
  [1, "arg </script>", "compare", "runs/one", "runs/two", "--question", "huge"],
  [0, "[31m2J<b>", "find", "runs/one", "evil"],
  [1, "wrong          2", "score", "runs/one", "answers.jsonl"],
  [1, "questions.jsonl:2:1", "data", "questions.jsonl", "--dataset", "hotpotqa"],
  [2, "nowhere[31m", "data", "nowhere\u001b[31m.jsonl"],
  [1, "mapped   user messages", "import", "chat.jsonl", "-o", "imported"],
  [1, "2 episodes", "import", "runs/one/episodes.jsonl", "-o", "imported-again"],
  [1, "kept once", "merge", "shards/a", "shards/b", "-o", "merged"],
  [0, "answer: answer </script>", "branch", "runs/one", ...AT, ...BRANCH, "-o", "branched"],
  [1, "CONCEPT </script>", ...REVIEW, "--teacher", "scripted:teacher.json", "--episodes", "runs/one"],
  [0, "suggestion </script>", ...REVIEW, "--show"],
  [2, "CONCEPT </script>", ...REVIEW, "--teacher", "scripted:parrot.json"],
  [0, "written to one.json", "export", "runs/one", "--to", "atif", "--episode", "1", "-o", "one.json"],
  [1, "2 episodes written", "export", "runs/one", "--to", "html", "-o", "one.html"],
];

function expectText({ out, err }: Ended): void {
  expect(UNFIT.exec(out)?.index, out.slice(0, 2_000)).toBeUndefined();
  expect(UNFIT.exec(err)?.index, err.slice(0, 2_000)).toBeUndefined();
}

it.each(COMMANDS.map(([code, says, ...args]) => ({ name: args.slice(0, 3).join(" "), code, says, args })))(
  "hasp $name … prints text and nothing else",
  async ({ code, says, args }) => {
    const ended = await run(...args);
    expect(ended.out + ended.err).toContain(says);
    expect(ended.code).toBe(code);
    expectText(ended);
    // No stranger's line passes for one of ours.
    expect(ended.out).not.toMatch(/^✓ all_is_well/m);
  },
  PATIENCE,
);

it.each([
  ["explain", "runs/one", ...AT, "--skill", "hostile", ...SKILLS],
  ["replay", "runs/one", "--episode", "1", ...SKILLS],
  ["note", "runs/one"],
  ["compare", "runs/one", "runs/two"],
  ["find", "runs/one", "evil"],
  [...REVIEW, "--show"],
  ["validate", "skills"],
])(
  "hasp %s %s … --json holds what is recorded, with its controls as escapes",
  async (...args) => {
    const ended = await run(...args, "--json");
    expectText(ended);
    expect(JSON.stringify(JSON.parse(ended.out))).toContain("\u202e");
  },
  PATIENCE,
);

it.each([
  [["replay", `runs/${hostileId("x")}`, "--episode", "1"]],
  [["explain", "runs/one", "--episode", `${EPISODE}?`, "--step", "1", "--skill", "hostile"]],
  [["explain", "runs/one", ...AT, "--skill", hostileId("skill"), ...SKILLS]],
  [[hostileId("command")]],
  [["replay", "runs/one", `--${hostileId("option")}`]],
  [["export", "runs/one", "--to", hostileId("format"), "-o", "x"]],
])("fails in plain text: %j", async (args) => {
  const { code, out, err } = await run(...args);
  expect(code).toBe(2);
  expect(UNFIT.exec(out + err)?.index, out + err).toBeUndefined();
  expect(err).not.toBe("");
});
