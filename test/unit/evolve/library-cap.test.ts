import { afterAll, afterEach, beforeEach, expect, it } from "vitest";
import { openGeneratedLibrary, type GeneratedLibrary } from "../../../src/evolve/generated-library.ts";
import { occupantsOf } from "../../../src/evolve/library-occupants.ts";
import { makeRoom } from "../../../src/evolve/make-room.ts";
import type { HeldOutWorth } from "../../../src/model/evolution.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { actingSkills } from "../../../src/skill/library-rules.ts";
import { findSkillFolders, readSkillFolder, type SkillFolder } from "../../../src/skill/read-skill.ts";
import { openCore } from "../../support/core.ts";
import { openWorld, orderOf, put, textsOf, type World } from "./library-world.ts";

const core = openCore();
const files = nodeFiles();
let world: World;
let library: GeneratedLibrary;
beforeEach(async () => {
  world = await openWorld();
  library = openGeneratedLibrary(world.ports, world.library);
});
afterEach(() => world.remove());
afterAll(async () => void (await Promise.all([core.host.close(), core.compiler.close()])));

async function readAll(): Promise<readonly SkillFolder[]> {
  const folders = await findSkillFolders(files, `${world.root}/skills`);
  return Promise.all(folders.map((folder) => readSkillFolder(files, core.compiler, folder)));
}
async function occupants(shippedIds: ReadonlySet<string> = new Set()) {
  const versions = await library.versions();
  return occupantsOf({ skills: await readAll(), domain: "web-search", versions, shippedIds });
}
const worth = (better: number): HeldOutWorth => ({
  better,
  worse: 0,
  ties: 0,
  p: 2 ** -better,
  level: 0.05,
  passed: true,
  wrong: { episodes: 10, helped: better },
  right: { episodes: 10, harmed: 0 },
  why: "It helps.",
});

it(
  "the 51st skill takes the place of the least useful generated one, with its older versions",
  { timeout: 60_000 },
  async () => {
    for (let i = 0; i < 48; i++) await put(`${world.root}/skills/web-search/own-${i}`, textsOf(`own_${i}`));
    // Skills of another domain take no room here.
    await put(`${world.root}/skills/agent/elsewhere`, textsOf("elsewhere"));
    await library.admit(orderOf({ id: "c1", skillId: "weak", worth: worth(5) }), textsOf("weak"));
    await library.admit(
      orderOf({ id: "c2", skillId: "weak", version: 2, worth: worth(6) }),
      textsOf("weak", "2"),
    );
    await library.admit(orderOf({ id: "c3", skillId: "strong", worth: worth(7) }), textsOf("strong"));
    const before = await occupants();
    expect(before).toHaveLength(50);
    expect(before.filter(({ origin }) => origin === "generated")).toMatchObject([
      {
        skillId: "strong",
        version: 1,
        hasFallback: false,
        evidence: { worth: { better: 7 }, qSkill: 0.8, epoch: 1 },
      },
      { skillId: "weak", version: 2, evidence: { worth: { better: 6 } } },
    ]);
    const room = makeRoom(before, { skillId: "fresh" });
    if (room.kind !== "retire") throw new Error(room.kind);
    const place = { evolution: "web-1", epoch: 2, candidate: "e2-c1" };
    for (const { occupant, reason } of room.retire)
      await library.retire({ skillId: occupant.skillId, reason, for: place });
    await library.admit(orderOf({ id: "e2-c1", epoch: 2, skillId: "fresh" }), textsOf("fresh"));
    const after = actingSkills(await readAll()).folders.map(({ skill }) => skill.skillId);
    expect(after).toHaveLength(51);
    expect(after).toEqual(expect.arrayContaining(["strong", "fresh", "elsewhere"]));
    expect(after).not.toContain("weak");
    expect((await library.history()).value?.at(-2)).toMatchObject({
      kind: "retired",
      by: "gate",
      skillId: "weak",
      candidate: "e2-c1",
      reason: expect.stringContaining("better on 6 and worse on 0 held-out questions"),
    });
  },
);

it("a generated version of a shipped or a hand-written skill makes no room", async () => {
  await put(`${world.root}/skills/web-search/own`, textsOf("own"));
  for (const [i, skillId] of ["own", "shipped", "alone"].entries())
    await library.admit(orderOf({ id: `c${i}`, skillId, version: 2 }), textsOf(skillId));
  const found = await occupants(new Set(["shipped"]));
  const fallbacks = found.map(({ skillId, origin, hasFallback }) => `${skillId} ${origin} ${hasFallback}`);
  expect(fallbacks.toSorted()).toEqual([
    "alone generated false",
    "own generated true",
    "shipped generated true",
  ]);
});
