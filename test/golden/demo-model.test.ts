import { execa } from "execa";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  loopbackModel,
  type Behaviour,
  type LoopbackCall,
  type LoopbackModel,
} from "../support/loopback-model.ts";
import { THOROUGH } from "../support/thorough.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
/** Starts Node with the TypeScript of the scripts and, for the product, the built command line. */
const LONG = 240_000;

const QUESTIONS = [
  { id: "bridge", question: "Where was the engineer of Kestrel Bridge born?", gold: ["Kisumu"] },
  { id: "tower", question: "In which year was Plover Tower finished?", gold: ["1954"] },
];
const PASSAGES = [{ title: "Kestrel Bridge", text: "Kestrel Bridge was drawn by Mara Oduya of Kisumu." }];

let folder: string;
let server: LoopbackModel | undefined;
/** The answer to the chats about a question; each can be changed within a test. */
let answers: Record<string, Behaviour>;

const say = (text: string): Behaviour => ({ kind: "text", text });
const jsonl = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "hasp-demo-model-"));
  writeFileSync(path.join(folder, "q.jsonl"), jsonl(QUESTIONS));
  writeFileSync(path.join(folder, "c.jsonl"), jsonl(PASSAGES));
  answers = { bridge: say("Action: FINAL[Kisumu]"), tower: say("Action: FINAL[1960]") };
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const questionOf = ({ request }: LoopbackCall): string =>
  QUESTIONS.find(({ question }) => JSON.stringify(request.messages ?? []).includes(question))?.id ?? "";

function serve(models: readonly string[] = ["tiny"]): Promise<LoopbackModel> {
  return loopbackModel((call) => {
    if (call.url !== "/v1/models") return answers[questionOf(call)] ?? { kind: "no-choice" };
    const body = JSON.stringify({ object: "list", data: models.map((id) => ({ id })) });
    return { kind: "raw", type: "application/json", body };
  });
}

/** The chats so far, by their question. */
const chats = (): readonly string[] => server?.calls.map(questionOf).filter((id) => id !== "") ?? [];

function demo(...args: readonly string[]) {
  const flags = [
    "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON",
    "--import",
    "./scripts/lib/text-modules.mts",
  ];
  const words = [...flags, "scripts/demo-model.mts", "--built"];
  const files = ["--questions", path.join(folder, "q.jsonl"), "--corpus", path.join(folder, "c.jsonl")];
  return execa(process.execPath, [...words, ...files, "-o", path.join(folder, "out"), ...args], {
    cwd: ROOT,
    reject: false,
    all: true,
  });
}

const results = () =>
  JSON.parse(readFileSync(path.join(folder, "out/results.json"), "utf8")) as {
    sides: { side: string; questions: number; em: { count: number } }[];
    pairs: { side: string; against: string; won: number; lost: number }[];
    rows: Record<string, { id: string; em: boolean }[]>;
  };

test(
  "measures the script and a setting, keeps rows without texts, and asks nothing twice",
  async () => {
    server = await serve();
    const order = ["--url", server.url, "--settings", "plain,ra-agent", "--count", "2"];
    const first = await demo(...order);
    expect(first.all).toMatch(/\| plain \| 2 \| 1: 50\.0%/);
    expect(first.all).toMatch(/\| ra-agent \| plain \| 2 \| 0 \| 0 \| 1\.000/);
    expect(first.all).toMatch(/node dist.hasp\.cjs replay .*ra-agent --episode 1/);
    expect(first.all).not.toContain("$");
    expect(first.exitCode).toBe(0);
    expect(chats()).toEqual(["bridge", "tower", "bridge", "tower"]);
    expect(results().rows["ra-agent"]?.map(({ id, em }) => [id, em])).toEqual([
      ["bridge", true],
      ["tower", false],
    ]);
    expect(readFileSync(path.join(folder, "out/results.json"), "utf8")).not.toMatch(/Kestrel|Kisumu|1960/);

    expect((await demo(...order)).exitCode).toBe(0);
    expect((await demo("--report")).all).toContain("| ra-agent | 2 |");
    expect(chats()).toHaveLength(4);
  },
  LONG,
);

test.each(["plain", "ra-agent"])(
  "%s: a server that fails in the middle costs no answer, and its question is asked again",
  async (side) => {
    server = await serve();
    const order = ["--url", server.url, "--settings", side, "--count", "2"];
    answers["tower"] = { kind: "status", status: 401 };
    const failed = await demo(...order);
    expect(failed.all).toMatch(new RegExp(`${side}: the server failed.*The same command goes on from here`));
    expect(failed.all).toContain(`| ${side} | 1 | 1: 100.0%`);
    expect(failed.exitCode).toBe(1);
    // A kill may leave a part of a line.
    if (side === "plain") appendFileSync(path.join(folder, "out/plain.jsonl"), '{"id":"tow');

    answers["tower"] = say("Action: FINAL[1954]");
    const resumed = await demo(...order);
    expect(resumed.all).toContain(`${side}: 1 of 2 questions are left`);
    expect(resumed.exitCode).toBe(0);
    expect(results().sides).toMatchObject([{ side, questions: 2, em: { count: 2 } }]);
    expect(chats()).toEqual(["bridge", "tower", "tower"]);
  },
  LONG,
);

const CUTS = [
  ["ra-agent", "SIGINT"],
  ["plain", "SIGKILL"],
  ["plain", "SIGINT"],
] as const;

test.each(THOROUGH ? CUTS : CUTS.slice(0, 2))(
  "%s: goes on after %s",
  async (side, signal) => {
    server = await serve();
    const order = ["--url", server.url, "--settings", side, "--count", "2"];
    answers["tower"] = { kind: "stall" };
    const cut = demo(...order);
    await vi.waitFor(() => expect(chats()).toEqual(["bridge", "tower"]), { timeout: LONG / 2 });
    cut.kill(signal);
    const { all, exitCode } = await cut;
    if (signal === "SIGINT") {
      expect(all).toMatch(/interrupted by SIGINT\. The same command goes on from here/);
      expect(all).toContain(`| ${side} | 1 |`);
      expect(exitCode).toBe(1);
    } else expect((await demo("--report")).all).toContain(`| ${side} | 1 |`);

    answers["tower"] = say("Action: FINAL[1954]");
    expect((await demo(...order)).exitCode).toBe(0);
    expect(results().sides).toMatchObject([{ side, questions: 2 }]);
    expect(chats()).toEqual(["bridge", "tower", "tower"]);
  },
  LONG,
);

test(
  "says what to do where nothing can be measured",
  async () => {
    const gone = await serve();
    await gone.close();
    expect((await demo("--url", gone.url)).all).toMatch(/No server answers at .*check --url/);

    server = await serve(["small", "large"]);
    const { url } = server;
    expect((await demo("--url", url)).all).toMatch(/several models\. Choose one:[^]*--model large/);
    expect((await demo("--url", url, "--model", "huge")).all).toMatch(/no model "huge"[^]*--model small/);

    const plain = ["--url", url, "--model", "small", "--settings", "plain", "--count", "1"];
    expect((await demo(...plain)).exitCode).toBe(0);
    const other = await demo(...plain, "--model", "large");
    expect(other.all).toMatch(/holds results with another model \(small\)\. Name another folder/);
    expect(other.exitCode).toBe(2);

    writeFileSync(path.join(folder, "q.jsonl"), "");
    const empty = await demo(...plain);
    expect(empty.all).toMatch(/q\.jsonl: .*question/);
    expect(empty.exitCode).toBe(2);
    expect((await demo("--settings", "best", "--url", url)).all).toContain('Unknown setting "best"');
  },
  LONG,
);
