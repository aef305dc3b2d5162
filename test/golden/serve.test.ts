import { execFile, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Library } from "../../src/analysis/library.ts";
import { indexPassages } from "../../src/domains/passages/search-index.ts";
import { openWebSearch } from "../../src/domains/web-search/tools.ts";
import { webSearch } from "../../src/domains/web-search/web-search.ts";
import { libraryRefs } from "../../src/evaluation/library-refs.ts";
import { parseRunInputs } from "../../src/evaluation/run-inputs.ts";
import { DEFAULT_CONTROL } from "../../src/model/control.ts";
import { collectRecordings, recordedPolicy } from "../../src/harness/recorded-policy.ts";
import { runQuestions } from "../../src/harness/run-questions.ts";
import type { Episode } from "../../src/model/episode.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { createRun } from "../../src/trace/create-run.ts";
import {
  episodesIn,
  FEW_SKILLS,
  loadSkills,
  messagesRead,
  openCore,
  ROOT,
  SAMPLE_RUN,
} from "../support/core.ts";
import { hasp, printed } from "../support/cli.ts";
import { samplesOf } from "../../src/harness/question.ts";
import { sha256 } from "../../src/platform/sha256.ts";
import { PLAIN_RUN } from "../support/episodes.ts";

/** Agents written in Python get what `hasp run` gets: the same proposals and observations, driven from the other side of the wire. */
const place = mkdtempSync(path.join(tmpdir(), "hasp-serve-"));
const CLI = path.join(ROOT, "dist/hasp.cjs");
const DATA = path.join(ROOT, "../shared/data");
const HOTPOT = path.join(DATA, "hotpotqa/distractor-100.jsonl");
const REFLEXION = path.join(DATA, "trajectories/reflexion-hotpotqa.jsonl");
const run = promisify(execFile);
const SKILLS = FEW_SKILLS.map((folder) => path.join(ROOT, folder));
/** Of each file at most. */
const QUESTIONS = 30;

function hasPython(): boolean {
  try {
    execFileSync("python3", ["-c", "import sys; assert sys.version_info >= (3, 9)"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const core = openCore();
let library: Library;
beforeAll(async () => {
  library = await loadSkills(core, ...FEW_SKILLS);
});
afterAll(async () => {
  await Promise.all([core.host.close(), core.compiler.close()]);
  rmSync(place, { recursive: true, force: true });
});

/** `hasp run --policy recorded:<recorded>`, in this process. */
async function ranBy(
  name: string,
  recorded: string,
  questionFile: string,
  corpusFile?: string,
): Promise<Episode[]> {
  const named = (file: string) => ({ file, text: readFileSync(file, "utf8") });
  const corpus = corpusFile === undefined ? undefined : named(corpusFile);
  const { value: inputs } = parseRunInputs(named(questionFile), { corpus });
  if (inputs === undefined) throw new Error(`${questionFile} cannot be read`);
  const questions = inputs.questions.slice(0, QUESTIONS);
  const recordings = await collectRecordings(
    (async function* () {
      yield* await episodesIn(recorded);
    })(),
  );
  const folder = path.join(place, name);
  const files = nodeFiles();
  const about = {
    id: name,
    title: name,
    domain: "web-search",
    createdAt: "2026-01-01T00:00:00.000Z",
    source: "hasp",
  };
  await createRun(files, folder, about);
  const index = indexPassages(inputs.corpus?.passages ?? []);
  await runQuestions({
    files,
    folder,
    samples: samplesOf(questions, 1),
    ...PLAIN_RUN,
    policy: recordedPolicy("recorded", recordings),
    host: core.host,
    library: library.skills,
    libraryRefs: libraryRefs(library, sha256),
    domain: webSearch,
    control: DEFAULT_CONTROL,
    settings: {},
    concurrency: 8,
    signal: new AbortController().signal,
    openEnvironment: () => openWebSearch(index),
  });
  return episodesIn(folder);
}

const scriptOf = (episode: Episode) => ({
  open: { question: episode.question, episode_id: episode.id, gold: episode.gold },
  steps: episode.steps.map(({ proposals, observation }) => ({ proposals, observation })),
  stop_reason: episode.stopReason,
});

/** Drives each script through the client as an agent would, and prints the decisions. */
const DRIVER = `
import json, sys
from hasp_client import Hasp

scripts = json.load(open(sys.argv[1]))
hasp = Hasp.http(int(sys.argv[2])) if len(sys.argv) == 3 else Hasp.start(*sys.argv[4:], command=sys.argv[2:4])
decisions = []
with hasp:
    for script in scripts:
        episode = hasp.open(**script["open"])
        steps = []
        for step in script["steps"]:
            given = []
            for proposal in step["proposals"]:
                action = proposal["action"]
                more = {"thought": proposal["thought"]}
                given.append(episode.step(action["type"], action["arg"], **more))
            steps.append(given)
            if not any(key in given[-1] for key in ("answer", "again", "stopped")):
                episode.observe(step["observation"])
                given[-1]["observed"] = episode.injected
        decisions.append({"steps": steps, "end": episode.close(stop_reason=script["stop_reason"])})
print(json.dumps(decisions))
`;

interface Decision {
  readonly executed: object;
  readonly injected: readonly { readonly skill_id: string; readonly text: string }[];
  readonly events: readonly object[];
  /** Texts of skills that came with the observation. */
  readonly observed?: readonly string[];
}
interface Driven {
  readonly steps: readonly (readonly Decision[])[];
  readonly end: { readonly stop_reason: string; readonly answer?: string; readonly outcome: string };
}

async function drive(
  name: string,
  episodes: readonly Episode[],
  ...args: readonly string[]
): Promise<Driven[]> {
  const script = path.join(place, `${name}.json`);
  writeFileSync(script, JSON.stringify(episodes.map(scriptOf)));
  const env = {
    ...process.env,
    PYTHONPATH: path.join(ROOT, "clients/python"),
    PYTHONDONTWRITEBYTECODE: "1",
    HASP_SERVE_TOKEN: TOKEN,
  };
  const { stdout } = await run("python3", ["-c", DRIVER, script, ...args], { env, maxBuffer: 1e9 });
  return JSON.parse(stdout) as Driven[];
}

const wire = ({ type, arg }: { type: string; arg: string }) => ({ type, arg });

/** What the loop decided, as the wire says it. */
const inRun = (episode: Episode) => ({
  steps: episode.steps.map(({ executed, injected, events }) => ({
    executed: wire(executed),
    injected: injected.map(({ text }) => text),
    events: events
      .filter(({ pass }) => pass !== "post")
      .map(({ skillId, status, reason, by }) => ({
        skill_id: skillId,
        status,
        reason,
        ...(by !== undefined && { by }),
      })),
  })),
  end: { stop_reason: episode.stopReason, answer: episode.answer, outcome: episode.outcome },
});

/** What the client was told of the same steps. */
const inClient = ({ steps, end }: Driven, { length }: Episode) => ({
  steps: steps.slice(0, length).map((given) => ({
    executed: wire(given.at(-1)?.executed as { type: string; arg: string }),
    injected: given.flatMap(({ injected, observed = [] }) => [
      ...injected.map(({ text }) => text),
      ...observed,
    ]),
    events: given.flatMap(({ events }) => events),
  })),
  end: { stop_reason: end.stop_reason, answer: end.answer, outcome: end.outcome },
});

/** What stands in the run folder, but for times and what only one of the two had: documents, words of the policy. */
const kept = (episode: Episode) => ({
  id: episode.id,
  facts: episode.facts,
  library: episode.library,
  decisions: episode.decisions,
  answer: episode.answer,
  outcome: episode.outcome,
  steps: episode.steps.map(({ dispatchMs: _ms, documents: _documents, proposals, executed, ...step }) => ({
    ...step,
    executed: wire(executed),
    proposals: proposals.map(({ thought, action }) => ({ thought, action: wire(action) })),
  })),
});

function compare(ran: readonly Episode[], driven: readonly Driven[]): void {
  expect(driven).toHaveLength(ran.length);
  for (const [i, episode] of ran.entries()) {
    const got = driven[i];
    expect([episode.id, got && inClient(got, episode)]).toEqual([episode.id, inRun(episode)]);
  }
}

const byId = (episodes: readonly Episode[]) => episodes.map(kept).toSorted((a, b) => (a.id < b.id ? -1 : 1));

const TOKEN = "golden-token-of-some-length";

describe.skipIf(!hasPython())("a Python agent behind hasp serve (skipped without python3)", () => {
  it(
    "gets over stdio what hasp run decides, and leaves the same episodes",
    { timeout: 120_000 },
    async () => {
      const samples = path.join(ROOT, "samples");
      const ran = await ranBy(
        "samples",
        SAMPLE_RUN,
        path.join(samples, "questions.jsonl"),
        path.join(samples, "corpus/passages.jsonl"),
      );
      expect(ran.length).toBeGreaterThan(5);
      expect(
        ran
          .flatMap(({ steps }) => steps.flatMap(({ events }) => events))
          .some(({ status }) => status === "applied"),
      ).toBe(true);
      const served = path.join(place, "served");
      compare(
        ran,
        await drive("samples-script", ran, process.execPath, CLI, "--skills", ...SKILLS, "-o", served),
      );
      expect(byId(await episodesIn(served))).toEqual(byId(ran));
    },
  );

  it.skipIf(!existsSync(REFLEXION) || !existsSync(HOTPOT))(
    "gets over HTTP what hasp run decides on questions of HotpotQA (skipped without ../shared/data)",
    { timeout: 240_000 },
    async () => {
      const reflexion = path.join(place, "reflexion");
      await printed(["import", "--from", "reflexion", REFLEXION, "-o", reflexion]);
      const ran = await ranBy("hotpot", reflexion, HOTPOT);
      const env = { ...process.env, HASP_SERVE_TOKEN: TOKEN };
      const args = [CLI, "serve", "--http", "--json", "--skills", ...SKILLS];
      const server = spawn(process.execPath, args, { env, cwd: place, stdio: ["ignore", "pipe", "inherit"] });
      const ended = new Promise<number | null>((resolve) => void server.once("exit", resolve));
      try {
        const [where] = await new Promise<string[]>(
          (resolve) => void createInterface(server.stdout).once("line", (line) => resolve([line])),
        );
        const { port } = new URL((JSON.parse(where ?? "") as { url: string }).url);
        compare(ran, await drive("hotpot-script", ran, port));
      } finally {
        server.kill("SIGTERM");
      }
      expect(await ended).toBe(0);
    },
  );

  it("records which sample of a question it was, what the model had read, and what it said", async () => {
    const recorded = path.join(place, "recorded");
    const driver = [
      "import json, sys",
      "from hasp_client import Hasp",
      "with Hasp.start('--no-skills', '-o', sys.argv[1], command=sys.argv[2:]) as hasp:",
      "    for sample in (1, 2):",
      "        episode = hasp.open('Where?', question_id='q7', sample=sample, gold='here')",
      "        prompt = [{'role': 'user', 'content': 'Where? The key is sk-proj-' + 'a1B2' * 10}]",
      "        said = f'Answer {sample}.\\nFINAL[here]'",
      "        more = dict(completion={'text': said, 'finish': 'stop'}, messages=prompt)",
      "        episode.step('FINAL', 'here', thought=f'Answer {sample}.', **more)",
      "        print(json.dumps(episode.close()))",
    ].join("\n");
    const env = {
      ...process.env,
      PYTHONPATH: path.join(ROOT, "clients/python"),
      PYTHONDONTWRITEBYTECODE: "1",
    };
    await run("python3", ["-c", driver, recorded, process.execPath, CLI], { env });
    const episodes = await episodesIn(recorded);
    expect(episodes).toMatchObject([
      { id: "q7#1", questionId: "q7", sample: 1, outcome: "correct" },
      { id: "q7#2", questionId: "q7", sample: 2, outcome: "correct" },
    ]);
    for (const episode of episodes) {
      const completion = { text: `Answer ${episode.sample}.\nFINAL[here]`, finish: "stop" };
      expect(episode.steps[0]?.proposals[0]).toMatchObject({ completion });
      const [read] = await messagesRead(recorded, episode);
      expect(read).toEqual([{ role: "user", content: "Where? The key is [redacted]" }]);
    }
    const lines = readFileSync(path.join(recorded, "messages.jsonl"), "utf8").trim().split("\n");
    expect(lines).toHaveLength(1);
  });

  it("runs the example, whose hasty answer becomes a search", async () => {
    const env = { ...process.env, HASP: `"${process.execPath}" "${CLI}"`, PYTHONDONTWRITEBYTECODE: "1" };
    const example = path.join(ROOT, "clients/python/example_langgraph.py");
    const { stdout } = await run("python3", [example, "--skills", ...SKILLS], { env });
    expect(stdout).toMatch(/\('FINAL', 'unknown'\) -> \('SEARCH'/);
    expect(stdout).toContain("answer: Sam Walton, born in Kingfisher");
    const question = "still: Who was the husband of Helen Walton, and where was he born?\n";
    expect(stdout).toMatch(/agent reads: In place of FINAL\("unknown"\), SEARCH\(.*\) ran\. Reason: .*\n\n/);
    expect(stdout).toContain(question);
  });

  it("joins what a model reads: the rewrite, the observation, the texts, and the form at the end", async () => {
    const driver = [
      "import json, sys",
      "from hasp_client import Hasp",
      "note = lambda text: [{'skill_id': 's', 'text': text}]",
      "ran = {'executed': {'type': 'SEARCH', 'arg': 'b'}, 'injected': note('one'), 'hold_back': False, 'events': []}",
      "def told(*replies):",
      "    left = [{'episode': 'e', 'summaries': ['s'], 'instructions': []}, *replies]",
      "    return Hasp(lambda _: json.dumps({'id': 1, 'result': left.pop(0)}).encode(), lambda: None).open('q')",
      "read = []",
      "episode = told({**ran, 'rewritten': 'b, not a', 'form': 'F'}, {'instructions': note('three'), 'injected': note('two'), 'form': 'F'}, {**ran, 'injected': []}, {'instructions': []})",
      "read.append(episode.message())",
      "for _ in range(2):",
      "    episode.step('SEARCH', 'a')",
      "    episode.observe('seen')",
      "    read.append(episode.message('seen'))",
      "held = {**ran, 'executed': {'type': 'FINAL', 'arg': 'a'}, 'hold_back': True, 'instructions': note('four')}",
      "refused = {**ran, 'executed': {'type': 'REFUSE', 'arg': 'no'}, 'injected': []}",
      "again = {**ran, 'injected': [], 'again': 'more', 'instructions': []}",
      "for reply in (held, refused, again):",
      "    for form in ({'form': 'F'}, {}):",
      "        episode = told({**reply, **form})",
      "        episode.step('FINAL', 'a')",
      "        read.append(episode.message())",
      "print(json.dumps(read))",
    ].join("\n");
    const env = {
      ...process.env,
      PYTHONPATH: path.join(ROOT, "clients/python"),
      PYTHONDONTWRITEBYTECODE: "1",
    };
    const { stdout } = await run("python3", ["-c", driver], { env });
    expect((JSON.parse(stdout) as string[]).map((text) => text.split("\n\n"))).toEqual([
      [""],
      ["b, not a", "seen", "one", "two", "three", "F"],
      ["seen"],
      ["one", "four", "F"],
      ["one", "four"],
      ["no", "F"],
      ["no"],
      ["more", "F"],
      ["more"],
    ]);
  });
});

describe("hasp serve", () => {
  it("says what is wrong with its options before it serves", async () => {
    const failing = (...args: string[]) => failingWith({}, ...args);
    const failingWith = async (more: Record<string, string>, ...args: string[]) => {
      const env = { ...process.env, ...more };
      const { code, err } = await hasp(["serve", "--no-skills", ...args], { cwd: place, env });
      return `${code} ${err}`;
    };
    expect(await failing("--http", "--stdio")).toMatch(/^2 hasp: It serves one way at a time/);
    expect(await failingWith({ HASP_SERVE_TOKEN: "short" }, "--http")).toMatch(/^2 hasp: The token/);
    expect(await failing("--http", "--token", "s3cret-s3cret-s3cret")).toMatch(
      /^2 hasp: --token would put a secret on the command line(?:(?!s3cret)[^])*→ Set HASP_SERVE_TOKEN/,
    );
    expect(await failing("--resume")).toMatch(/^2 hasp: --resume needs/);
    writeFileSync(path.join(place, "file"), "mine");
    expect(await failing("--socket", "file")).toMatch(/^2 hasp: .*file is there already/);
  });
});
