import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { fingerprintOf } from "../../src/review/review-subject.ts";
import { hasp as haspIn } from "../support/cli.ts";
import { fixtureRun, openTrainScene } from "../support/train-data.ts";
import { candidateOf } from "../unit/evolve/candidates.ts";
import { put, textsOf } from "../unit/evolve/library-world.ts";

const EVOLUTION = ".hasp/evolutions/web-1";
const PROPOSAL = `${EVOLUTION}/epoch_1/proposals/e1-c1/web-search/foo`;
const LIBRARY = "skills/web-search/generated";

/** Holds the clone of a stranger, and beside it another workspace. */
let place: string;
const clone = (...parts: readonly string[]): string => path.join(place, "clone", ...parts);
const other = (...parts: readonly string[]): string => path.join(place, "other", ...parts);

const hasp = (...args: string[]) => haspIn(args, { cwd: clone() });

/** Everything but the clone. */
const outside = (): readonly string[] =>
  readdirSync(place, { recursive: true, encoding: "utf8" })
    .filter((name) => name !== "clone" && !name.startsWith(`clone${path.sep}`))
    .toSorted();
let before: readonly string[];

async function json(file: string, value: unknown): Promise<void> {
  await mkdir(path.dirname(clone(file)), { recursive: true });
  await writeFile(clone(file), JSON.stringify(value));
}

beforeEach(() => {
  place = mkdtempSync(path.join(tmpdir(), "hasp-records-"));
  mkdirSync(clone(".hasp"), { recursive: true });
  mkdirSync(other(".hasp"), { recursive: true });
  mkdirSync(other("skills", "web-search", "generated"), { recursive: true });
  before = outside();
});
afterEach(() => {
  const after = outside();
  rmSync(place, { recursive: true, force: true });
  expect(after).toEqual(before);
});

interface Hostile {
  readonly generated?: string;
  readonly folder?: string;
  readonly id?: string;
}

/** An evolution with a rejected candidate, as an earlier version wrote it. */
async function evolution({ generated = LIBRARY, folder = PROPOSAL, id = "e1-c1" }: Hostile): Promise<void> {
  await json(`${EVOLUTION}/evolution.json`, {
    schema: "hasp.evolution/1",
    id: "web-1",
    createdAt: "2030-01-01T00:00:00Z",
    domain: "web-search",
    generated,
    mode: "full",
    gate: "strict",
    worth: false,
    caps: { candidates: 5, minClusterSize: 3, librarySize: 50 },
    seed: 1,
    author: "a",
    teacher: "none",
    pinned: [],
    rollouts: { kind: "recorded", runs: [] },
    epochs: 1,
  });
  const rejected = candidateOf({ decision: { admitted: false, reason: "No.", by: "gate" } });
  const said = { replies: 1, messages: [], completion: "" };
  const proposal = { id, cluster: "c", skillId: "foo", name: "foo", errorCategory: "foo", ...said, folder };
  const candidates = [{ id, checks: rejected.checks, proposal }];
  await json(`${EVOLUTION}/epoch_1/reviews.json`, { candidates, words: "" });
  await json(`${EVOLUTION}/epoch_1/candidates.jsonl`, { ...rejected, id });
  await put(clone(PROPOSAL), textsOf("foo"));
}

const accept = (...more: string[]) =>
  hasp("library", "accept", EVOLUTION, "e1-c1", "--reason", "I need it.", ...more);

describe("hasp library accept on a stranger's evolution", () => {
  it.each([
    ["absolute", () => other(LIBRARY)],
    ["with `..`", () => `../other/${LIBRARY}`],
    ["with `..` behind a folder", () => `skills/../../other/${LIBRARY}`],
    ["no library of generated skills", () => ".git/hooks"],
    ["of another domain", () => "skills/coding-agent/generated"],
  ])("writes into no library that is %s", async (_what, generated) => {
    await evolution({ generated: generated() });
    const { code, err } = await accept();
    expect(code).not.toBe(0);
    expect(err).toContain("evolution.json");
    expect(err).toContain("--library");
    expect(existsSync(clone("skills"))).toBe(false);
    expect(existsSync(clone(".git"))).toBe(false);
  });

  it("writes into the library that a person names", async () => {
    await evolution({ generated: other(LIBRARY) });
    const { code, out } = await accept("--library", LIBRARY);
    expect(code).toBe(0);
    expect(out).toBe(`accepted  foo__v1  ${LIBRARY}/foo__v1/foo\n`);
  });

  it.each([
    ["as it was typed", () => `./${LIBRARY}/`],
    ["absolute", () => clone(LIBRARY)],
  ])("takes a library of this workspace that an earlier version recorded %s", async (_how, generated) => {
    await evolution({ generated: generated(), folder: clone(PROPOSAL) });
    expect(await accept()).toMatchObject({ code: 0, out: `accepted  foo__v1  ${LIBRARY}/foo__v1/foo\n` });
  });

  it.each([
    ["absolute", () => other("secret")],
    ["with `..`", () => "../other/secret"],
    ["below an epoch, with `..`", () => `${EVOLUTION}/epoch_1/../../../../../other/secret`],
  ])("reads no skill from a folder that is %s", async (_what, folder) => {
    await put(other("secret"), textsOf("foo", "secret"));
    before = outside();
    await evolution({ folder: folder() });
    const { code, err } = await accept();
    expect(code).not.toBe(0);
    expect(err).toContain("reviews.json");
    expect(existsSync(clone(LIBRARY, "foo__v1"))).toBe(false);
  });

  it("reads no file through a link that leads out of the evolution", async () => {
    await writeFile(other("secret.txt"), "secret");
    before = outside();
    await evolution({});
    await rm(clone(PROPOSAL, "cases.yaml"));
    symlinkSync(other("secret.txt"), clone(PROPOSAL, "cases.yaml"));
    expect((await accept()).code).toBe(0);
    expect(existsSync(clone(LIBRARY, "foo__v1/foo/cases.yaml"))).toBe(false);
  });

  it("writes nothing through a link on the way to the library", async () => {
    await evolution({});
    mkdirSync(clone("skills"));
    symlinkSync(other("skills", "web-search"), clone("skills", "web-search"));
    const { code, err } = await accept();
    expect(code).not.toBe(0);
    expect(err).toContain("is a link");
  });

  it.each(["../../../../other/x", "e1-c1/..", "e1-c1\u001b[2J"])("knows no candidate %j", async (id) => {
    await evolution({ id });
    const { code, err } = await hasp("library", "accept", EVOLUTION, id, "--reason", "I need it.");
    expect(code).not.toBe(0);
    expect(err).not.toContain("\u001b");
  });
});

describe("hasp library rollback to a stranger's snapshot", () => {
  async function snapshot(version: Readonly<Record<string, unknown>>, library = LIBRARY): Promise<void> {
    const texts = textsOf("foo");
    const { hash, files } = await fingerprintOf({
      "SKILL.md": texts["SKILL.md"],
      "pf.ts": texts["pf.ts"] ?? "",
      "cases.yaml": texts["cases.yaml"] ?? "",
    });
    const versions = [{ skillId: "foo", version: 1, name: "foo", acts: true, hash, files, ...version }];
    const about = { schema: "hasp.library-snapshot/1", when: "2030-01-01T00:00:00Z", epoch: 0, library };
    await json(`${EVOLUTION}/snapshots/epoch_0/library.json`, { ...about, versions });
    await put(clone(`${EVOLUTION}/snapshots/epoch_0/foo__v1/foo`), texts);
    mkdirSync(clone(LIBRARY), { recursive: true });
  }

  it("restores what is fine", async () => {
    await snapshot({});
    expect((await hasp("library", "rollback", EVOLUTION, "0")).code).toBe(0);
    expect(readFileSync(clone(LIBRARY, "foo__v1/foo/SKILL.md"), "utf8")).toContain("# foo");
  });

  it.each([
    ["a name with `..`", { name: "../../../../../../../other/x" }],
    ["a name of several parts", { name: "foo/../foo" }],
    ["an id with `..`", { skillId: "../../../../../other/x" }],
    ["an id of several parts", { skillId: "x/foo" }],
  ])("copies no version with %s", async (_what, version) => {
    await snapshot(version);
    // The texts lie where such a name leads to, so that their hash fits.
    const { skillId = "foo", name = "foo" }: Readonly<Record<string, string>> = version;
    const kept = path.join(clone(EVOLUTION, "snapshots/epoch_0"), `${skillId}__v1`, name);
    mkdirSync(clone(EVOLUTION, "snapshots/epoch_0", `${skillId}__v1`), { recursive: true });
    await put(kept, textsOf("foo"));
    before = outside();
    const { code, err } = await hasp("library", "rollback", EVOLUTION, "0");
    expect(code).not.toBe(0);
    expect(err).toContain("library.json");
    expect(readdirSync(clone(LIBRARY))).toEqual([]);
  });

  it.each([
    ["absolute", () => other(LIBRARY)],
    ["with `..`", () => `../other/${LIBRARY}`],
    ["no library", () => EVOLUTION],
  ])("changes no library that is %s", async (_what, library) => {
    await snapshot({}, library());
    const { code, err } = await hasp("library", "rollback", EVOLUTION, "0");
    expect(code).not.toBe(0);
    expect(err).toContain("--library");
  });
});

describe("training data of a stranger", () => {
  const OUTSIDE = [
    ["absolute", () => other("run")],
    ["with `..`", () => "../other/run"],
  ] as const;

  const scene = openTrainScene("records");
  beforeAll(() => fixtureRun(scene));
  afterAll(() => scene.close());

  /** A run that has no index yet: who opens it writes one. */
  function run(folder: string): void {
    cpSync(scene.at("run"), folder, { recursive: true });
    rmSync(path.join(folder, "episodes.index"), { force: true });
    before = outside();
  }

  async function data(order: Readonly<Record<string, readonly string[]>>): Promise<void> {
    run(clone("run"));
    expect((await hasp("train-data", "run", "-o", "data")).code).toBe(0);
    const file = clone("data/data.yaml");
    const block = parse(await readFile(file, "utf8")) as { order: object };
    await writeFile(file, stringify({ ...block, order: { ...block.order, ...order } }));
  }

  it.each(OUTSIDE)("is not built again of a run that is %s", async (_what, named) => {
    await data({ runs: [named()] });
    run(other("run"));
    const { code, err } = await hasp("train-data", "--refresh", "data");
    expect(code).not.toBe(0);
    expect(err).toMatch(/HASP820.*`runs` of data\/data\.yaml names/);
    expect(err).toContain("--refresh <folder> <run…>");
    expect((await hasp("train-data", "run", "--refresh", "data")).code).toBe(0);
  });

  it.each(["candidates", "heldOut"])("reads no file outside that `%s` names", async (field) => {
    await data({ [field]: [other("secret.jsonl")] });
    const { code, err } = await hasp("train-data", "--refresh", "data");
    expect(code).not.toBe(0);
    expect(err).toContain("HASP820");
  });

  it("is built again of a run that an earlier version recorded absolute", async () => {
    await data({ runs: [clone("run")] });
    expect((await hasp("train-data", "--refresh", "data")).code).toBe(0);
  });

  it.each(OUTSIDE)("opens no step of a run that is %s", async (_what, named) => {
    run(other("run"));
    const row = { run: named(), episode: "x", question_id: "q", sample: 1, step: 1 };
    await json("rows.jsonl", row);
    const { code, err } = await hasp("train-data", "--row", "rows.jsonl:1");
    expect(code).not.toBe(0);
    expect(err).toContain("HASP820");
  });
});

describe("hasp gc in a stranger's clone", () => {
  it("removes nothing through links, whatever they are named", async () => {
    await writeFile(other("kept.tmp"), "");
    mkdirSync(other("cache", "replies"), { recursive: true });
    await writeFile(other("cache/replies/a.json"), "");
    before = outside();
    symlinkSync(other(), clone(".hasp", "runs"));
    symlinkSync(other("cache"), clone(".hasp", "cache"));
    symlinkSync(other("kept.tmp"), clone(".hasp", "kept.12345678.tmp"));
    await hasp("gc", "--older-than", "0", "--live");
    expect(outside()).toEqual(before);
  });
});
