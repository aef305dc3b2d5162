import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readHistory } from "../../../src/evolve/library-history.ts";
import { overrideCandidate } from "../../../src/evolve/override-candidate.ts";
import { candidatesIn } from "../../../src/evolve/read-evolved.ts";
import { filesBelow as filesRelativeTo, libraryFilesBelow } from "../../../src/platform/files-below.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { candidateOf } from "./candidates.ts";
import { filesBelow, openWorld, put, textsOf, type World } from "./library-world.ts";

const EVOLUTION = ".hasp/evolutions/web-1";
const PROPOSAL = `${EVOLUTION}/epoch_1/proposals/e1-c1/web-search/foo`;
const REJECTED = candidateOf({ decision: { admitted: false, reason: "Q_skill is too low.", by: "gate" } });
const OTHER = candidateOf({ id: "e1-c2", skillId: "bar", name: "bar" });

describe("A person's decision on a candidate", () => {
  let world: World;
  const at = (...parts: readonly string[]): string => path.join(world.root, ...parts);
  const json = async (file: string, value: unknown): Promise<void> => {
    await mkdir(path.dirname(at(file)), { recursive: true });
    await writeFile(at(file), JSON.stringify(value));
  };

  beforeEach(async () => {
    world = await openWorld();
    await json(`${EVOLUTION}/evolution.json`, {
      schema: "hasp.evolution/1",
      id: "web-1",
      createdAt: "2030-01-01T00:00:00Z",
      domain: "web-search",
      generated: "skills/web-search/generated",
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
    const proposal = {
      id: "e1-c1",
      cluster: "c",
      skillId: "foo",
      name: "foo",
      errorCategory: "foo",
      replies: 1,
      messages: [],
      completion: "",
      folder: PROPOSAL,
    };
    const candidates = [{ id: "e1-c1", checks: REJECTED.checks, proposal }];
    await json(`${EVOLUTION}/epoch_1/reviews.json`, { candidates, words: "" });
    const lines = [REJECTED, OTHER].map((one) => `${JSON.stringify(one)}\n`).join("");
    await writeFile(at(EVOLUTION, "epoch_1/candidates.jsonl"), lines);
    await put(at(PROPOSAL), textsOf("foo"));
  });
  afterEach(() => world.remove());

  const decide = (candidate: string, accept: boolean, reason = "I need it.") => {
    const ports = {
      files: filesRelativeTo(world.root, nodeFiles()),
      library: libraryFilesBelow(world.root, nodeFiles()),
      clock: world.ports.clock,
      domains: world.ports.domains,
    };
    return overrideCandidate({ folder: EVOLUTION, candidate, accept, reason }, ports);
  };
  const stored = async () =>
    (await candidatesIn(nodeFiles(), at(EVOLUTION, "epoch_1/candidates.jsonl"))).candidates;
  const entries = async () => (await readHistory(nodeFiles(), world.library)).value ?? [];

  it("puts a rejected one into the library, and says so in the history and in the epoch", async () => {
    const { value } = await decide("e1-c1", true);
    expect(value?.folder).toBe("skills/web-search/generated/foo__v1/foo");
    expect(Object.keys(await filesBelow(world.library))).toContain("foo__v1/foo/SKILL.md");
    expect(await entries()).toMatchObject([
      { kind: "override", accepted: true, by: "person", reason: "I need it.", candidate: "e1-c1" },
    ]);
    expect((await stored()).map(({ decision }) => decision)).toEqual([
      { admitted: true, reason: "I need it.", by: "person" },
      OTHER.decision,
    ]);
  });

  it("takes it out again, and keeps its files", async () => {
    await decide("e1-c1", true);
    const { value } = await decide("e1-c1", false, "It was wrong.");
    expect(value?.folder).toBeUndefined();
    expect(Object.keys(await filesBelow(world.library))).toEqual(
      expect.arrayContaining([".retired/foo__v1/foo/SKILL.md"]),
    );
    expect((await entries()).map(({ accepted }) => accepted)).toEqual([true, false]);
    expect((await stored())[0]?.decision).toEqual({ admitted: false, reason: "It was wrong.", by: "person" });
  });

  it("needs a reason, an evolution and a candidate", async () => {
    const before = await readFile(at(EVOLUTION, "epoch_1/candidates.jsonl"), "utf8");
    const codes = [
      await decide("e1-c1", true, " \n"),
      await decide("e9-c1", true),
      await decide("../x", true),
    ].map(({ value, diagnostics }) => [value, diagnostics.at(-1)?.code]);
    expect(codes).toEqual([
      [undefined, "HASP676"],
      [undefined, "HASP675"],
      [undefined, "HASP675"],
    ]);
    expect(await readFile(at(EVOLUTION, "epoch_1/candidates.jsonl"), "utf8")).toBe(before);
  });

  it("cannot accept one whose files are gone, and changes nothing then", async () => {
    const { value, diagnostics } = await decide("e1-c2", true);
    // It is admitted by the gate, yet nothing of it was ever written.
    expect([value, diagnostics.at(-1)?.code]).toEqual([undefined, "HASP664"]);
    expect(await entries()).toEqual([]);
    expect((await stored())[1]?.decision).toEqual(OTHER.decision);
  });
});
