import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openGeneratedLibrary } from "../../src/evolve/generated-library.ts";
import { takeSnapshot } from "../../src/evolve/library-snapshots.ts";
import type { EvolvedCandidate } from "../../src/model/evolution.ts";
import { hasp as haspIn } from "../support/cli.ts";
import { candidateOf, reviewOf } from "../unit/evolve/candidates.ts";
import { activeBelow, openWorld, orderOf, textsOf, type World } from "../unit/evolve/library-world.ts";

const LIBRARY = "skills/web-search/generated";
let world: World;

const hasp = (...args: string[]) => haspIn(args, { cwd: world.root });

const EXEC_ONLY: Partial<EvolvedCandidate> = {
  id: "e2-c2",
  epoch: 2,
  skillId: "bar",
  name: "bar",
  review: reviewOf(0.5),
  decision: {
    admitted: false,
    reason: "Q_skill 0.5 is below 0.6, which a known category needs.",
    by: "gate",
  },
};

/** An evolution of three epochs: foo, then its second version with a rejected one beside it, then nothing new. */
beforeEach(async () => {
  world = await openWorld();
  const library = openGeneratedLibrary(world.ports, world.library);
  const snap = async (epoch: number): Promise<void> => {
    const order = { ...world.ports, library: LIBRARY, files: inWorld() };
    const { value } = await takeSnapshot(order, world.evolution, epoch);
    expect(value?.library).toBe(LIBRARY);
  };
  const first = orderOf();
  const second = orderOf({ id: "e2-c1", epoch: 2, version: 2 });
  const third = orderOf({ id: "e3-c1", epoch: 3, skillId: "baz", decision: rejected() });
  await snap(0);
  await library.admit(first, textsOf("foo", "first"));
  await snap(1);
  await library.admit(second, textsOf("foo", "second"));
  await library.reject(orderOf(EXEC_ONLY));
  await snap(2);
  for (const [i, orders] of [[first], [second, orderOf(EXEC_ONLY)], [third]].entries()) {
    const folder = `${world.evolution}/epoch_${i + 1}`;
    await mkdir(folder, { recursive: true });
    const lines = orders.map(({ candidate }) => `${JSON.stringify(candidate)}\n`);
    await writeFile(`${folder}/candidates.jsonl`, lines.join(""));
  }
});
afterEach(() => world.remove());

const rejected = (): EvolvedCandidate["decision"] => ({ admitted: false, reason: "No.", by: "gate" });

/** The snapshots name the library as an evolution in this workspace does: from its root. */
function inWorld(): World["ports"]["files"] {
  const { files } = world.ports;
  const at = (file: string): string => (path.isAbsolute(file) ? file : `${world.root}/${file}`);
  return {
    ...files,
    readText: (file, most) => files.readText(at(file), most),
    list: (folder) => files.list(at(folder)),
  };
}

describe("hasp library", () => {
  it("history prints every decision with its reason", async () => {
    const { code, out } = await hasp("library", "history");
    const [title, ...rows] = out.trimEnd().split("\n");
    expect(title).toMatch(/^when +decision +skill +evolution +epoch +by +reason$/);
    expect(rows.slice(0, 3)).toEqual([
      expect.stringMatching(/^2030-01-01 00:00 +admitted +foo__v1 +web-1 +1 +gate +Admitted\.$/),
      expect.stringMatching(/^2030-01-01 00:00 +admitted +foo__v2 +web-1 +2 +gate +Admitted\.$/),
      expect.stringMatching(
        /^2030-01-01 00:00 +rejected +bar__v1 +web-1 +2 +gate +Q_skill 0\.5 is below 0\.6/,
      ),
    ]);
    expect(rows[3]).toBe(`3 decisions in ${LIBRARY}`);
    expect(code).toBe(0);
    const json = JSON.parse((await hasp("library", "history", "--library", LIBRARY, "--json")).out);
    expect(json.entries[2]).toMatchObject({ kind: "rejected", scores: { exec: 1, qSkill: 0.5 } });
  });

  it("diff, rollback and the rollback that undoes it", async () => {
    expect((await hasp("library", "diff", "evolutions/web-1", "0", "1")).out).toBe("added         foo__v1\n");
    expect((await hasp("library", "diff", "evolutions/web-1", "1", "2")).out).toBe(
      "new version   foo  1 → 2  SKILL.md, pf.ts\n",
    );
    const before = await activeBelow(world.library);
    const back = await hasp("library", "rollback", "evolutions/web-1", "1");
    expect(back).toMatchObject({
      code: 0,
      out: `retired   foo__v2\nundo with: hasp library rollback evolutions/web-1 2 --library ${LIBRARY}\n`,
    });
    expect(existsSync(`${world.library}/foo__v2`)).toBe(false);
    expect(readFileSync(`${world.library}/.retired/foo__v2/foo/SKILL.md`, "utf8")).toContain("version: 2");
    expect((await hasp("library", "rollback", "evolutions/web-1", "1")).out).toBe(
      `${LIBRARY} is that of 1 already\n`,
    );
    await hasp("library", "rollback", "evolutions/web-1", "2", "--library", LIBRARY);
    expect(await activeBelow(world.library)).toEqual(before);
    expect((await hasp("library", "history")).out).toMatch(
      /rolled back .* web-1 +1 +person +The library is that of epoch 1/,
    );
  });

  it("gate decides by another gate, and marks what was proposed with another library", async () => {
    const same = await hasp("library", "gate", "evolutions/web-1", "--gate", "strict");
    expect(same).toMatchObject({ code: 1 });
    const { code, out } = await hasp("library", "gate", "evolutions/web-1", "--gate", "exec-only", "--json");
    expect(code).toBe(1);
    const replayed = JSON.parse(out);
    expect(replayed).toMatchObject({ gate: "exec-only", worthOn: false, firstDifferent: 2, unknown: 0 });
    expect(replayed.epochs.map(({ otherLibrary }: { otherLibrary: boolean }) => otherLibrary)).toEqual([
      false,
      false,
      true,
    ]);
    const people = (await hasp("library", "gate", "evolutions/web-1", "--gate", "exec-only")).out;
    expect(people).toMatch(
      /^2 +e2-c2 +bar__v1 +rejected +admitted +Admitted: all executable checks pass\.$/m,
    );
    expect(people.trimEnd().split("\n").at(-1)).toBe(
      "epoch 2 is the first that admits other candidates; epochs 3 were proposed with another library than it would have left",
    );
    const worth = (await hasp("library", "gate", "evolutions/web-1", "--gate", "exec-only", "--worth", "on"))
      .out;
    expect(worth).toContain("4 candidates unknown: a result was not stored");
  });

  it("passes over a line that is no candidate, with its place", async () => {
    await writeFile(
      `${world.evolution}/epoch_3/candidates.jsonl`,
      `\n${JSON.stringify(candidateOf())}\n{"schema": 1}\n`,
    );
    const { out } = await hasp("library", "gate", "evolutions/web-1", "--gate", "none");
    expect(out).toMatch(/epoch_3\/candidates\.jsonl:3:1.*HASP668/);
  });

  it.each([
    [["rollback", "evolutions/web-1", "7"], "its snapshots are 0, 1, 2"],
    [["diff", "evolutions/web-1", "0", "x"], "its snapshots are 0, 1, 2"],
    [["gate", "skills", "--gate", "none"], "There are no decided candidates here."],
    [["gate", "nowhere", "--gate", "none"], "There is no nowhere."],
    [["gate", "evolutions/web-1"], "--gate"],
    [["history", "--library", "nowhere"], "There is no nowhere."],
  ])("%j says what to do", async (args, words) => {
    const { code, err, out } = await hasp("library", ...args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(words);
  });
});

it("hasp validate and the skills of a generated library: only the latest version acts", async () => {
  const { code, out } = await hasp("validate", "skills");
  expect(code).toBe(0);
  expect(out).toMatch(/foo__v1\/foo\/SKILL\.md.*HASP405/);
  expect(out).not.toMatch(/HASP432|foo__v2\/foo\/SKILL\.md.*HASP405/);
});
