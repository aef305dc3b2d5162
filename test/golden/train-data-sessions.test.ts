import { readdirSync, rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Episode } from "../../src/model/episode.ts";
import {
  answered,
  asTranscript,
  calls,
  changedRun,
  type Chat,
  chatOf,
  importChats,
  QUESTION,
  SYSTEM,
  toolCall,
} from "../support/sessions.ts";
import { jsonl, linesOf, openTrainScene, placeOf, rowsOf, type Row } from "../support/train-data.ts";

/** Sessions of other programs become rows: which of them, what each row says of itself, and what to do where there is none. */
const scene = openTrainScene("train-sessions");
afterAll(() => scene.close());

interface SessionRow extends Row {
  readonly prompt_source: string;
}

const sftOf = (folder: string): readonly SessionRow[] =>
  rowsOf(scene.at(folder, "a-sft.jsonl")) as readonly SessionRow[];
const dropsIn = (folder: string): readonly string[] =>
  rowsOf(scene.at(folder, "steps.jsonl"))
    .filter(({ dropped }) => dropped !== "")
    .map((row) => `${placeOf(row)} ${row.dropped}`);
const textsOf = (messages: Row["prompt"]): readonly string[] =>
  (messages ?? []).map(({ role, content }) => `${role}: ${content}`);

beforeAll(async () => {
  await importChats(
    scene,
    "run",
    [chatOf("right", 3), chatOf("wrong", 3), chatOf("long", 30)],
    ["right,true", "wrong,false", "long,true"],
  );
  await importChats(scene, "open", [chatOf("a", 3), chatOf("b", 20)]);
});

describe("a session that was judged", () => {
  beforeAll(() => scene.build(["run", "-o", "judged"]));

  it("gives a row for each step where it is right and short; steps of a wrong one are under the floor", () => {
    expect(sftOf("judged").map(placeOf)).toEqual(["right:1", "right:2", "right:3"]);
    expect(dropsIn("judged").slice(0, 3)).toEqual([1, 2, 3].map((step) => `wrong:${step} under_floor`));
    expect(dropsIn("judged")).toHaveLength(33);
  });

  it("has the weights that the rules work out by hand: 0.2875 for a plain step, 0.2575 for an early answer", () => {
    expect(sftOf("judged").map(({ sample_weight: weight }) => weight)).toEqual([0.2875, 0.2875, 0.2575]);
  });

  it("has what the model read and said, word for word", () => {
    const [, second] = sftOf("judged");
    const call = 'I look at bed 0.\n<tool_call>\n{"name":"look","arguments":{"bed":0}}\n</tool_call>';
    expect(textsOf(second?.prompt)).toEqual([
      `system: ${SYSTEM}`,
      `user: ${QUESTION}`,
      `assistant: ${call}`,
      "user: <tool_response>\nbed 0 is wet\n</tool_response>",
    ]);
    expect(textsOf(second?.completion)).toEqual([`assistant: ${call.replaceAll("0", "1")}`]);
  });

  it("of more than 22 steps becomes rows by the floor that the card names, as many as it says", async () => {
    const { cards } = await scene.build(["run", "-o", "judged"]);
    const card = cards[0]?.notices.join("\n") ?? "";
    const [, steps, floor = ""] =
      /(\d+) steps under the floor of 0\.25 would be rows with `--floor ([\d.]+)`/.exec(card) ?? [];
    expect([steps, floor]).toEqual(["29", "0.23"]);
    await scene.build(["run", "-o", "lower", "--floor", floor]);
    expect(sftOf("lower").filter(({ episode }) => episode === "long")).toHaveLength(29);
    expect(sftOf("lower").some(({ episode }) => episode === "wrong")).toBe(false);
  });

  it("is no correction: pairs and on-policy distillation have nothing, and the refusal says what has", async () => {
    expect(linesOf(scene.at("judged/a-dpo.jsonl"))).toEqual([]);
    const { diagnostics } = await scene.build(["run", "-o", "never", "--experiment", "e3"], 2);
    const last = diagnostics.at(-1);
    expect(last?.message).toContain("3: on-policy distillation: nothing was corrected");
    expect(last?.next).toContain("`hasp serve -o <run>`");
  });
});

describe("a session that nobody judged", () => {
  it("gives no row, and the build with the options that the refusal names gives as many as it says", async () => {
    const { diagnostics } = await scene.build(["open", "-o", "never"], 2);
    expect(diagnostics.map(({ code }) => code)).toEqual(["HASP631", "HASP626", "HASP627"]);
    const next = diagnostics.at(-1)?.next ?? "";
    const [, options = "", rows] =
      /Without verdicts, `hasp train-data` with `([^`]+)` makes (\d+) rows/.exec(next) ?? [];
    expect(options).toBe("--drop outcome --floor 0.17");
    await scene.build(["open", "-o", "opened", ...options.split(" ")]);
    expect(sftOf("opened")).toHaveLength(Number(rows));
    expect(sftOf("opened").length).toBeGreaterThan(15);
  });

  it("is named with the same options once for each run (HASP626)", async () => {
    const { diagnostics } = await scene.build(["run", "open", "-o", "mixed"]);
    const found = diagnostics.find(({ code }) => code === "HASP626");
    expect([found?.file, found?.message]).toEqual([
      "open/episodes.jsonl",
      "Line 1: this and 1 more episode have no verdict: 23 steps left out.",
    ]);
    expect(found?.next).toBe(
      "Import the episodes with verdicts (`hasp import --verdicts <file>`), or build with `--drop outcome --floor 0.17`, which needs none.",
    );
  });

  it("gives rows once its files, or its episodes, are imported with verdicts", async () => {
    scene.write("verdicts.csv", "id,passed\na,true\nb,true\n");
    for (const file of ["open.jsonl", "open/episodes.jsonl"]) {
      rmSync(scene.at("verified"), { recursive: true, force: true });
      const ended = await scene.hasp("import", file, "--verdicts", "verdicts.csv", "-o", "verified");
      expect(ended.code).toBe(0);
      await scene.build(["verified", "-o", "of-verified"]);
      expect(sftOf("of-verified").length).toBeGreaterThan(19);
      const { verdicts } = JSON.parse(linesOf(scene.at("verified/episodes.jsonl"))[0] ?? "") as Episode;
      expect(verdicts).toEqual([{ judge: "verdicts.csv", score: 1, passed: true }]);
    }
  });

  it("cannot be ranked, so rejection sampling is offered verdicts alone", async () => {
    const { diagnostics } = await scene.build(["open", "-o", "never", "--filter", "rs"], 2);
    const next = diagnostics.at(-1)?.next;
    expect(next).toContain("--verdicts");
    expect(next).not.toContain("--drop");
  });
});

describe("steps of one reply", () => {
  const both = calls("Two looks.", toolCall("p", "look", { bed: 1 }), toolCall("q", "look", { bed: 2 }));
  const chat: Chat = {
    id: "together",
    messages: [
      { role: "user", content: QUESTION },
      both,
      answered("p", "wet"),
      answered("q", "dry"),
      { role: "assistant", content: "Bed 2." },
    ],
  };

  it("are one row, of the first; the others say so", async () => {
    await importChats(scene, "together", [chat], ["together,true"]);
    const { cards } = await scene.build(["together", "-o", "of-together"]);
    expect(sftOf("of-together").map(placeOf)).toEqual(["together:1", "together:3"]);
    expect(sftOf("of-together")[0]?.completion?.[0]?.content.match(/<tool_call>/g)).toHaveLength(2);
    expect(dropsIn("of-together")).toEqual(["together:2 same_reply"]);
    expect(cards[0]?.dropped).toEqual([
      { reason: "its reply is that of an earlier step, which has the row: several calls at once", steps: 1 },
    ]);
  });

  it("without any reply are steps without a completion", async () => {
    changedRun(scene, "together", "silent", (episode) => ({
      ...episode,
      steps: episode.steps.map((step) => ({
        ...step,
        proposals: step.proposals.map(({ completion: _, ...one }) => one),
      })),
    }));
    const { diagnostics } = await scene.build(["silent", "-o", "never"], 2);
    expect(diagnostics.map(({ code }) => code)).toEqual(["HASP631", "HASP632", "HASP627"]);
    expect(diagnostics[1]?.next).toContain("docs/formats.md");
    await scene.build(["silent", "-o", "of-silent", "--allow-empty"]);
    expect(dropsIn("of-silent")).toEqual([1, 2, 3].map((step) => `together:${step} no_completion`));
  });
});

describe("episodes that came out of another", () => {
  it("are no rows where they were abandoned, whatever else is true of them", async () => {
    changedRun(scene, "open", "branches", (episode) =>
      episode.id === "a"
        ? { ...episode, outcome: "abandoned", origin: { as: "branch", episode: "b", t: 1 } }
        : { ...episode, outcome: "correct" },
    );
    scene.write("held.jsonl", jsonl([{ id: "h", question: QUESTION }]));
    const { cards } = await scene.build([
      "branches",
      "-o",
      "of-branches",
      "--held-out",
      "held.jsonl",
      "--allow-empty",
    ]);
    expect(cards[0]?.scored.steps).toBe(20);
    expect(cards[0]?.notices.join()).not.toContain("without a verdict");
    const [first, second, third, other] = dropsIn("of-branches");
    expect([first, second, third]).toEqual([1, 2, 3].map((step) => `a:${step} abandoned`));
    expect(other).toBe("b:1 held_out");
  });

  it("are rows of their own where they are a sub-agent's", async () => {
    changedRun(scene, "open", "sub-agents", (episode) => ({
      ...episode,
      outcome: "correct",
      ...(episode.id === "a" && { origin: { as: "sub_agent", episode: "b", t: 1 } }),
    }));
    await scene.build(["sub-agents", "-o", "of-sub-agents"]);
    expect(sftOf("of-sub-agents").filter(({ episode }) => episode === "a")).toHaveLength(3);
  });
});

describe("questions that are held out", () => {
  const LONG = `${"The garden has many beds. ".repeat(20)}Which of them needs water?`;

  it("hold out the sub-agents and the sub-agents of these, though they were asked something else", async () => {
    await importChats(
      scene,
      "family",
      [
        chatOf("leaf", 3, "Look there"),
        chatOf("root", 3),
        chatOf("twig", 3, "Look here"),
        chatOf("other", 3, "And?"),
      ],
      ["leaf,true", "root,true", "twig,true", "other,true"],
    );
    const parents: Readonly<Record<string, string>> = { twig: "root", leaf: "twig", other: "other" };
    changedRun(scene, "family", "families", (episode) => {
      const parent = parents[episode.id];
      return parent === undefined ? episode : { ...episode, origin: { as: "sub_agent", episode: parent } };
    });
    scene.write("held.jsonl", jsonl([{ id: "h", question: QUESTION }]));
    await scene.build(["families", "-o", "of-families", "--held-out", "held.jsonl"]);
    expect(new Set(sftOf("of-families").map(({ episode }) => episode))).toEqual(new Set(["other"]));
    const dropped = dropsIn("of-families").filter(
      (line) => line.startsWith("leaf:") || line.startsWith("twig:"),
    );
    expect(new Set(dropped.map((line) => line.split(" ")[1]))).toEqual(new Set(["held_out"]));
  });

  it("are so in another run where a run of the test split has them, however long they are", async () => {
    await importChats(
      scene,
      "pool",
      [chatOf("p", 3, LONG), chatOf("q", 3, `${LONG} Or none?`)],
      ["p,true", "q,true"],
    );
    await importChats(scene, "test", [chatOf("x", 3, LONG)], ["x,true"]);
    const about = JSON.parse(scene.read("test/run.json")) as object;
    scene.write("test/run.json", JSON.stringify({ ...about, settings: { split: "test" } }));
    await scene.build(["pool", "test", "-o", "of-pool"]);
    expect(new Set(sftOf("of-pool").map(({ episode }) => episode))).toEqual(new Set(["q"]));
  });
});

describe("prompts of a transcript", () => {
  beforeAll(() =>
    changedRun(scene, "run", "transcripts", (episode) =>
      episode.id === "right" ? asTranscript(episode) : { ...episode, outcome: "correct" },
    ),
  );

  it("are in rows that say so, and the card counts them and says what is missing", async () => {
    const { cards } = await scene.build(["transcripts", "-o", "of-transcripts", "--floor", "0.2"]);
    const source = (id: string) =>
      new Set(
        sftOf("of-transcripts")
          .filter(({ episode }) => episode === id)
          .map((row) => row.prompt_source),
      );
    expect([source("right"), source("wrong")]).toEqual([new Set(["transcript"]), new Set(["exact"])]);
    const [sft] = cards;
    expect([sft?.rows, sft?.transcripts]).toEqual([36, 3]);
    expect(sft?.notices.join()).toContain(
      "3 of 36 rows have prompts of a transcript: the system message, the tools",
    );
  });

  it("every file of steps has the column, as a text that is never missing", async () => {
    await scene.build(["transcripts", "-o", "of-transcripts", "--floor", "0.2"]);
    for (const file of ["a-sft", "a-prompt", "steps"]) {
      const rows = rowsOf(scene.at("of-transcripts", `${file}.jsonl`)) as readonly SessionRow[];
      for (const row of rows) expect(["exact", "transcript", "none"]).toContain(row.prompt_source);
    }
  });

  it("are left out with --exact-prompts, and a refresh keeps to it", async () => {
    await scene.build(["transcripts", "-o", "exact", "--exact-prompts", "--max-tokens", "100000"]);
    const right = [1, 2, 3].map((step) => `right:${step} transcript_prompt`);
    expect(dropsIn("exact").slice(0, 3)).toEqual(right);
    expect(sftOf("exact").map(({ episode }) => episode)).not.toContain("right");
    expect(scene.read("exact/data.yaml")).toMatch(/exactPrompts: true\n +maxTokens: 100000\n/);
    await scene.build(["--refresh", "exact", "--floor", "0.2"]);
    expect(dropsIn("exact").slice(0, 3)).toEqual(right);
  });

  it("are all that a run has: the refusal says which option left them out", async () => {
    changedRun(scene, "run", "only", asTranscript);
    const { diagnostics } = await scene.build(["only", "-o", "never", "--exact-prompts"], 2);
    expect(diagnostics.at(-1)?.next).toContain("Leave out `--exact-prompts`");
  });
});

describe("long rows", () => {
  it("are named with what TRL would cut by default, and left out by --max-tokens", async () => {
    const story = "The roses were here first. ".repeat(400);
    await importChats(
      scene,
      "stories",
      [chatOf("s", 3, `${QUESTION} ${story}`), chatOf("t", 3)],
      ["s,true", "t,true"],
    );
    const { cards } = await scene.build(["stories", "-o", "of-stories"]);
    const notice = cards[0]?.notices.at(-1);
    expect(notice).toContain("3 of 6 rows have more than 1024 tokens (guessed), TRL's default `max_length`");
    expect(notice).toContain(`Set \`max_length\` to at least ${cards[0]?.tokens.longestRow}`);
    expect(cards.find(({ kind }) => kind === "a-prompt")?.notices.join()).not.toContain("max_length");
    await scene.build(["stories", "-o", "short", "--max-tokens", "1024"]);
    expect(dropsIn("short")).toEqual([1, 2, 3].map((step) => `s:${step} too_long`));
    expect(sftOf("short").map(placeOf)).toEqual(["t:1", "t:2", "t:3"]);
    const { diagnostics } = await scene.build(["stories", "-o", "never", "--max-tokens", "10"], 2);
    expect(diagnostics.at(-1)?.next).toBe("Raise `--max-tokens`, or leave it out.");
  });
});

describe("secrets of a session", () => {
  const KEYS = {
    system: "sk-system0123456789abcdef",
    question: "ghp_question0123456789abcdef",
    result: "AKIA0123456789RESULT",
    json: "0123456789jsonvalue",
    header: "0123456789headervalue",
    word: "hunter2-of-the-environment",
    thought: "hf_thought0123456789abcdef",
    pem: "MIIEvQIBADANBgkqhkiG9w0BAQ",
  };
  const config = JSON.stringify({ api_key: KEYS.json });
  const command = `curl -H "Authorization: Bearer ${KEYS.header}" -u me:${KEYS.word} https://example.org`;
  const chat: Chat = {
    id: "leaky",
    messages: [
      { role: "system", content: `The key is ${KEYS.system}.` },
      { role: "user", content: `Use ${KEYS.question}` },
      {
        ...calls(
          "I go.",
          toolCall("w", "write", { path: "c.json", text: config }),
          toolCall("r", "run", { command }),
        ),
        reasoning: KEYS.thought,
      },
      answered("w", `wrote ${config}`),
      answered("r", `${KEYS.result}\n-----BEGIN PRIVATE KEY-----\n${KEYS.pem}\n-----END PRIVATE KEY-----`),
      { role: "assistant", content: `Done, with ${KEYS.word}.` },
    ],
  };

  it("are in no file: not of the system message, a question, arguments of calls, results or thoughts", async () => {
    await importChats(scene, "leaky", [chat], ["leaky,true"]);
    const messages = scene.read("leaky/messages.jsonl");
    for (const [place, key] of Object.entries(KEYS))
      if (place !== "thought") expect(messages, place).toContain(key);
    scene.env["GARDEN_TOKEN"] = KEYS.word;
    try {
      await scene.build(["leaky", "-o", "of-leaky"]);
    } finally {
      delete scene.env["GARDEN_TOKEN"];
    }
    expect(sftOf("of-leaky").map(placeOf)).toEqual(["leaky:1", "leaky:3"]);
    for (const file of readdirSync(scene.at("of-leaky")))
      for (const [place, key] of Object.entries(KEYS))
        expect(scene.read(`of-leaky/${file}`), `${file}: ${place}`).not.toContain(key);
    const [first] = sftOf("of-leaky");
    expect(first?.completion?.[0]?.content).toContain("Bearer [redacted]");
  });
});

describe("a row of a session", () => {
  it("leads to its step, and to the call in the file that it came from", async () => {
    await scene.build(["run", "-o", "judged"]);
    const { code, out } = await scene.hasp("train-data", "--row", "judged/a-sft.jsonl:2");
    expect(code).toBe(0);
    expect(out).toContain("run, episode right (question");
    expect(out).toContain("recorded  by openai, session right, call right-1");
    expect(out).toContain("open it: hasp replay run --episode right --step 2");
    const replay = await scene.hasp("replay", "run", "--episode", "right", "--step", "2");
    expect([replay.code, replay.out]).toEqual([0, expect.stringContaining("bed 1 is wet")]);
  });
});
