import { readdirSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Episode } from "../../src/model/episode.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { sha256 } from "../../src/platform/sha256.ts";
import { readEpisodes } from "../../src/trace/episode-file.ts";
import { importRun } from "../../src/trace/import-run.ts";
import { openMessages } from "../../src/trace/message-reader.ts";
import { openRun } from "../../src/trace/run-folder.ts";
import { type HostScene, openHostScene } from "./support/host-scene.ts";
import type { Raw, Script } from "./support/model-server.ts";
import { REAL_HOSTS } from "./support/real-hosts.ts";

const files = nodeFiles();
const host = REAL_HOSTS["claude-code"];
const PART = "This is a part of the task.";

let scene: HostScene;
afterEach(() => scene.close());

/** The sessions that the host wrote, those of its sub-agents last. */
function sessionsOf({ home }: HostScene): readonly string[] {
  const folder = path.join(home, ".claude/projects");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .map((name) => path.join(folder, name));
}

async function imported(sources: readonly string[], folder: string) {
  const ports = { clock: { now: () => "2026-01-01T00:00:00.000Z" }, sha256 };
  const { value, diagnostics } = await importRun(files, ports, { sources, folder });
  const episodes: Episode[] = [];
  for await (const { value: episode } of readEpisodes(files, (await openRun(files, folder)).index))
    if (episode !== undefined) episodes.push(episode);
  return { value, diagnostics, episodes };
}

const listOf = (value: unknown): readonly Raw[] => (Array.isArray(value) ? (value as Raw[]) : []);
const textsOf = (value: unknown): readonly unknown[] =>
  typeof value === "string" ? [value] : listOf(value).map(({ text }) => text);

/** What stands for one block of a message of the request. */
function blockText(block: Raw): unknown {
  if (block["type"] === "tool_use")
    return `<tool_call>\n${JSON.stringify({ name: block["name"], arguments: block["input"] })}\n</tool_call>`;
  if (block["type"] === "tool_result")
    return `<tool_response>\n${textsOf(block["content"]).join("\n")}\n</tool_response>`;
  return block["text"];
}

/** The messages that a request to the model says, as a run folder keeps them. */
function messagesIn(request: Raw): readonly unknown[] {
  // The host signs each request; the session does not have that line, and no model reads it.
  const system = textsOf(request["system"]).filter((text) => !String(text).startsWith("x-anthropic"));
  const tools = listOf(request["tools"]).map(({ cache_control: _, ...tool }) => JSON.stringify(tool));
  const said = [...system, `<tools>\n${tools.join("\n")}\n</tools>`].join("\n\n");
  const messages = listOf(request["messages"]).map(({ role, content }) => ({
    role,
    content: typeof content === "string" ? content : listOf(content).map(blockText).join("\n"),
  }));
  return [{ role: "system", content: said }, ...messages];
}

/** Looks twice at once, has another agent do a part, and ends. */
function script(): Script {
  let [own, part] = [0, 0];
  const [looks, partLooks] = [
    { calls: [host.shell("cat app.txt"), host.shell("ls")] },
    { calls: [host.shell("cat app.txt | wc -l")] },
  ];
  return (request) => {
    const first = JSON.stringify(listOf(request["messages"]).slice(0, 2));
    if (first.includes(`"${PART}`)) return part++ === 0 ? partLooks : { say: "The part is done." };
    own += 1;
    if (own === 1) return looks;
    return own === 2 ? { calls: [host.delegate(`${PART} Count.`)] } : { say: "All done." };
  };
}

test("an import of what Claude Code wrote has every step, prompt, result and token of it", async () => {
  scene = openHostScene(host);
  const { requests } = await scene.run("Look at it.", script());
  const folder = path.join(scene.base, "run");
  const { value, diagnostics, episodes } = await imported(sessionsOf(scene), folder);
  expect(diagnostics).toEqual([]);
  expect(value?.files.flatMap(({ unknown }) => unknown)).toEqual([]);
  const [main, agent] = episodes;
  const did = episodes.map(({ steps }) =>
    steps.map(({ executed, observation }) => [executed.type, observation]),
  );
  expect(did).toEqual([
    [
      ["Bash", "one"],
      ["Bash", "app.txt"],
      ["Agent", expect.stringContaining("The part is done.")],
      ["FINAL", ""],
    ],
    [
      ["Bash", "1"],
      ["FINAL", ""],
    ],
  ]);
  expect(episodes.map(({ question, answer }) => [question, answer])).toEqual([
    ["Look at it.", "All done."],
    [`${PART} Count.`, "The part is done."],
  ]);
  expect(agent?.origin).toEqual({ as: "sub_agent", episode: main?.id, t: 2 });
  expect(main?.steps[2]?.extra?.["subAgents"]).toEqual([agent?.id]);
  // 100 and 10 tokens for each request, and its number.
  expect(episodes.map(({ cost }) => [cost?.inputTokens, cost?.outputTokens])).toEqual([
    [305, 35],
    [205, 25],
  ]);
  const messages = await openMessages(files, folder);
  const read: unknown[] = [];
  for (const { proposals } of episodes.flatMap(({ steps }) => steps))
    for (const { messages: id, fromTranscript } of proposals)
      if (id !== undefined && fromTranscript === undefined) read.push(await messages.upTo(id));
  const asked = requests.map(messagesIn);
  expect(read).toHaveLength(asked.length);
  expect(read).toEqual(expect.arrayContaining(asked));
});

test("what it prints tells the same steps, the whole cost, and sub-agents", async () => {
  scene = openHostScene(host);
  const { events } = await scene.run("Look at it.", script());
  const printed = path.join(scene.base, "printed.jsonl");
  await files.writeAtomic(
    printed,
    new TextEncoder().encode(events.map((event) => JSON.stringify(event)).join("\n")),
  );
  const { value, diagnostics, episodes } = await imported([printed], path.join(scene.base, "run"));
  expect(value?.files[0]?.unknown).toEqual([]);
  // It does not print what the person said.
  expect(diagnostics.map(({ code }) => code)).toEqual(["HASP524"]);
  // The last words of a sub-agent stand in the result of its call alone.
  expect(episodes.map(({ steps }) => steps.map(({ executed }) => executed.type))).toEqual([
    ["Bash", "Bash", "Agent", "FINAL"],
    ["Bash"],
  ]);
  expect(episodes[0]?.steps[2]?.observation).toContain("The part is done.");
  expect(episodes[0]?.cost?.cost).toBeGreaterThan(0);
});
