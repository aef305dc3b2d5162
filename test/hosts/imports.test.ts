import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Episode } from "../../src/model/episode.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { readEpisodes } from "../../src/trace/episode-file.ts";
import { openMessages } from "../../src/trace/message-reader.ts";
import { openRun } from "../../src/trace/run-folder.ts";
import { type HostRun, type HostScene, openHostScene } from "./support/host-scene.ts";
import { type Raw, turns } from "./support/model-server.ts";
import { REAL_HOSTS } from "./support/real-hosts.ts";

// What a real host writes of a session, imported: all that it did is found again.

const files = nodeFiles();
let scene: HostScene;
afterEach(() => scene.close());

/** The files of sessions below the host's own folder. */
function sessionFiles(): readonly string[] {
  const home = path.join(scene.home, scene.host.name === "codex" ? ".codex/sessions" : ".claude/projects");
  const names = readdirSync(home, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".jsonl")).map((name) => path.join(home, name));
}

interface Imported {
  readonly episodes: readonly Episode[];
  /** What the agent read before each step of an episode; undefined where the import knows none. */
  readonly prompts: (episode: Episode) => Promise<readonly (string | undefined)[]>;
}

async function imported(...sources: readonly string[]): Promise<Imported> {
  const run = path.join(scene.base, `run-${sources.length}`);
  scene.hasp("import", ...sources, "-o", run);
  const episodes: Episode[] = [];
  for await (const { value, diagnostics } of readEpisodes(files, (await openRun(files, run)).index)) {
    expect(diagnostics).toEqual([]);
    if (value !== undefined) episodes.push(value);
  }
  const messages = await openMessages(files, run);
  const prompts = ({ steps }: Episode) =>
    Promise.all(
      steps.map(async ({ proposals: [first] }) => {
        const read = first?.messages === undefined ? undefined : await messages.upTo(first.messages);
        return read?.map(({ content }) => content).join("\n");
      }),
    );
  return { episodes, prompts };
}

/** The output of the host itself as a file. */
function outputFile({ events }: HostRun): string {
  const file = path.join(scene.base, "output", "events.jsonl");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${events.map((event) => JSON.stringify(event)).join("\n")}\n`);
  return file;
}

const COMMANDS = ["echo first", "echo second", "echo third && exit 3"] as const;

const commands = ({ steps }: Pick<Episode, "steps">): readonly string[] =>
  steps.flatMap(({ executed: { type, arg } }) =>
    type === "Bash" ? [String((JSON.parse(arg) as Raw)["command"])] : [],
  );

describe.each(Object.values(REAL_HOSTS))("$name", (host) => {
  beforeEach(() => {
    scene = openHostScene(host);
  });
  const shells = (...all: readonly string[]) => ({ calls: all.map((one) => host.shell(one)) });

  const work = () =>
    scene.run(
      "Tidy up the folder.",
      turns(shells(COMMANDS[0]), shells(COMMANDS[1], COMMANDS[2]), { say: "All done." }),
    );

  async function expectWork({ episodes, prompts }: Imported): Promise<Episode> {
    expect(episodes).toHaveLength(1);
    const [episode] = episodes;
    if (episode === undefined) throw new Error("an episode expected");
    // Calls of one turn run side by side, and what a host prints tells them as they came about.
    const ran = COMMANDS.map((one) => episode.steps.find((step) => commands({ steps: [step] })[0] === one));
    expect(commands(episode)).toHaveLength(COMMANDS.length);
    expect(ran.map((step) => step?.observation)).toEqual(
      ["first", "second", "third"].map((word) => expect.stringContaining(word)),
    );
    expect(ran.map((step) => step?.result?.ok)).toEqual([true, true, false]);
    const last = episode.steps.at(-1);
    expect(last?.executed).toEqual({ type: "FINAL", arg: "All done." });
    expect(episode.cost).toMatchObject({ inputTokens: 303, outputTokens: 33 });
    const read = await prompts(episode);
    expect(read[1]).toContain("first");
    expect(read[3]).toContain("third");
    return episode;
  }

  test("each step, prompt, result and use of tokens of a session is found again", async () => {
    await work();
    const episode = await expectWork(await imported(...sessionFiles()));
    expect(episode.question).toBe("Tidy up the folder.");
    expect(episode.steps.map(({ unanswered }) => unanswered)).toEqual([undefined, undefined, [1], undefined]);
    const replies = episode.steps.map(({ proposals: [one] }) => one?.completion?.text);
    expect(replies[0]).toContain("echo first");
    expect(replies[1]).toMatch(/echo second[^]*echo third/);
    expect(replies.slice(2)).toEqual([undefined, "All done."]);
  });

  test("so is all that it prints of one", async () => {
    await expectWork(await imported(outputFile(await work())));
  });

  test("an agent that it called is an episode of its own, and the step that called it leads there", async () => {
    // The task of an agent is the first that its user says.
    const isPart = (request: Raw): boolean => {
      const said = (host.conversation(request) as Raw[]).filter(({ role }) => role === "user").slice(0, 2);
      return JSON.stringify(said).includes('"Look aside');
    };
    let [parts, mains] = [0, 0];
    await scene.run("Have a part looked at.", (request) => {
      const [call, answer] = [{ calls: [host.shell("echo aside")] }, { say: "Part done." }];
      if (isPart(request)) return parts++ === 0 ? call : answer;
      mains++;
      if (mains === 1) return { calls: [host.delegate("Look aside, please.")] };
      if (mains === 2 && host.awaited !== undefined) return { calls: [host.awaited(request)] };
      return { say: "All done." };
    });
    const { episodes } = await imported(...sessionFiles());
    expect(episodes).toHaveLength(2);
    const part = episodes.find(({ origin }) => origin !== undefined);
    const main = episodes.find(({ origin }) => origin === undefined);
    expect(part && commands(part)).toEqual(["echo aside"]);
    expect(part?.origin).toMatchObject({ as: "sub_agent", episode: main?.id });
    expect(main?.steps[0]?.extra?.["subAgents"]).toEqual([part?.id]);
    expect(main?.answer).toBe("All done.");
  });
});
