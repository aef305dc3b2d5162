import { readFile, rm, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openGeneratedLibrary, type GeneratedLibrary } from "../../../src/evolve/generated-library.ts";
import {
  diffSnapshots,
  namedSnapshot,
  snapshotNames,
  takeSnapshot,
} from "../../../src/evolve/library-snapshots.ts";
import { rollbackLibrary, type RolledBack } from "../../../src/evolve/rollback-library.ts";
import type { LibrarySnapshot } from "../../../src/model/library-history.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { libraryFiles } from "../../../src/platform/library-files.ts";
import {
  activeBelow,
  failingAt,
  filesBelow,
  openWorld,
  orderOf,
  put,
  textsOf,
  type World,
} from "./library-world.ts";
import { THOROUGH } from "../../support/thorough.ts";

let world: World;
let library: GeneratedLibrary;
beforeEach(async () => {
  world = await openWorld();
  library = openGeneratedLibrary(world.ports, world.library);
});
afterEach(() => world.remove());

let candidates = 0;
/** Another version of a skill, as an epoch would admit it. */
async function admit(skillId: string, mark: string = skillId): Promise<void> {
  const version = await library.nextVersion(skillId);
  const order = orderOf({ id: `c${candidates++}`, skillId, name: skillId, version });
  const { value, diagnostics } = await library.admit(order, textsOf(skillId, mark));
  expect({ value: value?.isNew, diagnostics }).toEqual({ value: true, diagnostics: [] });
}
const snap = async (epoch: number): Promise<LibrarySnapshot> => {
  const order = { ...world.ports, library: world.library };
  const { value } = await takeSnapshot(order, world.evolution, epoch);
  if (value === undefined) throw new Error("No snapshot");
  return value;
};
const rollback = (to: string) =>
  rollbackLibrary({ ...world.ports, folder: world.library }, { evolution: world.evolution, id: "web-1", to });
async function rolledBack(to: string): Promise<RolledBack> {
  const { value, diagnostics } = await rollback(to);
  expect(diagnostics).toEqual([]);
  if (value === undefined) throw new Error("No rollback");
  return value;
}
const active = () => activeBelow(world.library);

describe("a snapshot", () => {
  it("lists what is in the library, with copies of the files, and stays as it was taken", async () => {
    await admit("foo", "first");
    await admit("foo", "second");
    await admit("bar");
    await library.retire({ skillId: "bar", reason: "It harms." });
    const snapshot = await snap(1);
    expect(snapshot.versions.map(({ skillId, version, acts }) => [skillId, version, acts])).toEqual([
      ["foo", 1, false],
      ["foo", 2, true],
    ]);
    expect(Object.keys(snapshot.versions[1]?.files ?? {}).toSorted()).toEqual([
      "SKILL.md",
      "cases.yaml",
      "pf.ts",
    ]);
    const { "library.json": _, ...copies } = await filesBelow(`${world.evolution}/snapshots/epoch_1`);
    expect(copies).toEqual(await active());
    await admit("baz");
    expect(await snap(1)).toEqual(snapshot);
  });

  it("is taken anew where it was interrupted", async () => {
    await admit("foo");
    const files = failingAt(libraryFiles(nodeFiles()), 2);
    const order = { ...world.ports, files, library: world.library };
    await expect(takeSnapshot(order, world.evolution, 1)).rejects.toThrow("power failure");
    expect((await namedSnapshot(world.ports.files, world.evolution, "1")).diagnostics).toMatchObject([
      { code: "HASP665" },
    ]);
    expect((await snap(1)).versions).toHaveLength(1);
  });

  it("is found by its name alone", async () => {
    await snap(0);
    for (const name of ["1", "../..", "before-1", "x"])
      expect((await namedSnapshot(world.ports.files, world.evolution, name)).diagnostics).toMatchObject([
        { code: "HASP665" },
      ]);
    expect((await namedSnapshot(world.ports.files, world.evolution, "0")).value?.versions).toEqual([]);
    await writeFile(`${world.evolution}/snapshots/epoch_0/library.json`, "{}");
    expect((await namedSnapshot(world.ports.files, world.evolution, "0")).diagnostics).toMatchObject([
      { code: "HASP665" },
    ]);
  });
});

it("the difference of two epochs names what acts: added, removed, new versions, changed texts", async () => {
  for (const id of ["gone", "same", "edited", "raised"]) await admit(id);
  const before = await snap(1);
  await library.retire({ skillId: "gone", reason: "x" });
  await admit("raised", "second");
  await admit("added");
  await writeFile(`${world.library}/edited__v1/edited/pf.ts`, "// by hand\n");
  const after = await snap(2);
  const { added, removed, newVersion, changedText } = diffSnapshots(before, after);
  expect(added.map(({ skillId }) => skillId)).toEqual(["added"]);
  expect(removed.map(({ skillId }) => skillId)).toEqual(["gone"]);
  expect(newVersion).toEqual([{ skillId: "raised", from: 1, to: 2, files: ["SKILL.md", "pf.ts"] }]);
  expect(changedText).toEqual([{ skillId: "edited", from: 1, to: 1, files: ["pf.ts"] }]);
  expect(diffSnapshots(after, after)).toEqual({ added: [], removed: [], newVersion: [], changedText: [] });
});

describe("a rollback", () => {
  it("puts an epoch back, is recorded, and is undone by another one", async () => {
    await admit("foo", "first");
    await snap(1);
    const first = await active();
    await admit("foo", "second");
    await admit("bar");
    await snap(2);
    const second = await active();
    expect(await rolledBack("1")).toEqual({ retired: ["bar__v1", "foo__v2"], restored: [], undo: "2" });
    expect(await active()).toEqual(first);
    expect((await library.history()).value?.at(-1)).toMatchObject({
      kind: "rolled_back",
      epoch: 1,
      by: "person",
      moved: { retired: ["bar__v1", "foo__v2"], restored: [] },
    });
    expect(await rolledBack("2")).toEqual({ retired: [], restored: ["bar__v1", "foo__v2"], undo: "1" });
    expect(await active()).toEqual(second);
  });

  it("keeps edits that no epoch has, and gives them a name", async () => {
    await admit("foo");
    await snap(1);
    const epoch = await active();
    await writeFile(`${world.library}/foo__v1/foo/pf.ts`, "// by hand\n");
    const edited = await active();
    const { undo } = await rolledBack("1");
    expect(undo).toBe("before-1");
    expect(await active()).toEqual(epoch);
    await rolledBack(undo);
    expect(await active()).toEqual(edited);
    expect(await snapshotNames(world.ports.files, world.evolution)).toEqual(["1", "before-1"]);
  });

  it("takes a version from the snapshot's copy where somebody deleted it", async () => {
    await admit("foo");
    await snap(1);
    const epoch = await active();
    await rm(`${world.library}/foo__v1`, { recursive: true });
    expect(await rolledBack("1")).toMatchObject({ restored: ["foo__v1"] });
    expect(await active()).toEqual(epoch);
  });

  it("changes nothing where a text is nowhere, or nothing differs", async () => {
    await admit("foo");
    await snap(1);
    expect(await rolledBack("1")).toEqual({ retired: [], restored: [], undo: "1" });
    await rm(`${world.library}/foo__v1`, { recursive: true });
    await writeFile(`${world.evolution}/snapshots/epoch_1/foo__v1/foo/pf.ts`, "// other\n");
    await admit("bar");
    const before = await filesBelow(world.root);
    expect((await rollback("1")).diagnostics).toMatchObject([{ code: "HASP666" }]);
    expect(await filesBelow(world.root)).toEqual(before);
    const kinds = ((await library.history()).value ?? []).map(({ kind }) => kind);
    expect(kinds).toEqual(["admitted", "admitted"]);
  });

  it("has the same end once it is repeated after an interruption", async () => {
    await admit("foo", "first");
    await admit("gone");
    await snap(1);
    const wanted = await active();
    await rm(`${world.library}/gone__v1`, { recursive: true });
    await admit("foo", "second");
    await admit("bar");
    await snap(2);
    const start = await active();
    const whole = libraryFiles(nodeFiles());
    for (let at = 0, done = false; !done; at++) {
      await rolledBack("2");
      expect(await active()).toEqual(start);
      await rm(`${world.library}/.retired/gone__v1`, { recursive: true, force: true });
      const files = failingAt(whole, at);
      const place = { ...world.ports, files, folder: world.library };
      done = await rollbackLibrary(place, { evolution: world.evolution, id: "web-1", to: "1" }).then(
        () => true,
        () => false,
      );
      await rolledBack("1");
      expect(await active()).toEqual(wanted);
      if (done) expect(at).toBeGreaterThan(5);
    }
  });

  it(
    "and the rollback that undoes it are together nothing, whatever was done to the library",
    { timeout: 60_000 },
    async () => {
      const id = fc.constantFrom("foo", "bar", "baz");
      const deed = fc.oneof(
        fc.record({ does: fc.constant("admit"), id }),
        fc.record({ does: fc.constant("retire"), id }),
        fc.record({ does: fc.constant("restore"), id }),
        fc.record({ does: fc.constant("edit"), id }),
        fc.record({ does: fc.constant("snap"), id }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(deed, { minLength: 3, maxLength: 10 }), async (deeds) => {
          await world.remove();
          world = await openWorld();
          library = openGeneratedLibrary(world.ports, world.library);
          let epochs = 0;
          await snap(epochs++);
          for (const [i, { does, id: skillId }] of deeds.entries()) {
            if (does === "admit") await admit(skillId, String(i));
            else if (does === "retire") await library.retire({ skillId, reason: "x" });
            else if (does === "restore") await library.restore({ skillId, reason: "x" });
            else if (does === "edit")
              await put(`${world.library}/${skillId}__v1/${skillId}`, textsOf(skillId, `by hand ${i}`));
            else await snap(epochs++);
          }
          const before = await active();
          for (let epoch = 0; epoch < epochs; epoch++) {
            const { value } = await namedSnapshot(world.ports.files, world.evolution, String(epoch));
            const { undo } = await rolledBack(String(epoch));
            const texts = Object.keys(await active()).filter((name) => name.endsWith("/SKILL.md"));
            expect(texts).toHaveLength(value?.versions.length ?? -1);
            await rolledBack(undo);
            expect(await active()).toEqual(before);
          }
        }),
        { numRuns: THOROUGH ? 25 : 10 },
      );
    },
  );
});

it("a history on the disk reads as JSON after every change", async () => {
  await admit("foo");
  await snap(1);
  await rolledBack("1");
  const text = await readFile(`${world.library}/library_history.json`, "utf8");
  expect(JSON.parse(text)).toMatchObject({
    schema: "hasp.library-history/1",
    entries: [{ kind: "admitted" }],
  });
});
