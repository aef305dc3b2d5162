import { readFile, rm, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openGeneratedLibrary, type GeneratedLibrary } from "../../../src/evolve/generated-library.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { libraryFiles } from "../../../src/platform/library-files.ts";
import { fingerprintOfFolder } from "../../../src/review/review-subject.ts";
import { libraryDiagnostics } from "../../../src/skill/library-rules.ts";
import { actingSkills } from "../../../src/skill/library-rules.ts";
import { findSkillFolders, readSkillFolder } from "../../../src/skill/read-skill.ts";
import { openCore } from "../../support/core.ts";
import { reviewOf } from "./candidates.ts";
import { failingAt, filesBelow, openWorld, orderOf, put, textsOf, type World } from "./library-world.ts";

const core = openCore();
let world: World;
let library: GeneratedLibrary;
beforeEach(async () => {
  world = await openWorld();
  library = openGeneratedLibrary(world.ports, world.library);
});
afterEach(() => world.remove());

const second = orderOf({ id: "e2-c1", epoch: 2, version: 2 });
const kinds = async (): Promise<string[]> =>
  ((await library.history()).value ?? []).map(
    ({ kind, skillId, version }) => `${kind} ${skillId} ${version}`,
  );
/** All skills that readers of the whole library find. */
async function readAll() {
  const folders = await findSkillFolders(nodeFiles(), `${world.root}/skills`);
  return Promise.all(folders.map((folder) => readSkillFolder(nodeFiles(), core.compiler, folder)));
}
const acting = async (): Promise<string[]> =>
  actingSkills(await readAll()).folders.map(({ skill }) => `${skill.skillId} ${skill.version}`);

describe("an admitted candidate", () => {
  it("becomes a version of its own folder, with what was measured of it", async () => {
    const { value, diagnostics } = await library.admit(orderOf(), textsOf("foo"));
    expect(diagnostics).toEqual([]);
    expect(value).toEqual({ folder: `${world.library}/foo__v1/foo`, version: 1, isNew: true });
    const files = await filesBelow(world.library);
    expect(Object.keys(files)).toEqual(
      ["SKILL.md", "cases.yaml", "metadata.json", "pf.ts"].map((name) => `foo__v1/foo/${name}`),
    );
    expect(files["foo__v1/foo/SKILL.md"]).toBe(textsOf("foo")["SKILL.md"]);
    expect(JSON.parse(files["foo__v1/foo/metadata.json"] ?? "")).toEqual({
      schema: "hasp.skill-metadata/1",
      reviews: [reviewOf(0.8, "ACCEPT")],
      evolved: {
        evolution: "web-1",
        epoch: 1,
        candidate: "e1-c1",
        gate: "strict",
        worthOn: false,
        newCategory: false,
        decision: { admitted: true, reason: "Admitted.", by: "gate" },
        scores: {
          exec: 1,
          compiles: true,
          review: reviewOf(0.8).scores,
          qSkill: 0.8,
          said: "ACCEPT",
        },
      },
    });
    expect((await library.history()).value).toMatchObject([
      { kind: "admitted", key: "web-1/epoch_1/e1-c1/admitted", by: "gate", skillId: "foo", version: 1 },
    ]);
  });

  it("keeps all that its own metadata.json holds", async () => {
    const texts = { ...textsOf("foo"), "metadata.json": '{"author": "A", "reviews": [], "x": null}' };
    await library.admit(orderOf(), texts);
    const metadata = JSON.parse(await readFile(`${world.library}/foo__v1/foo/metadata.json`, "utf8"));
    expect(metadata).toMatchObject({ author: "A", reviews: [], x: null, evolved: { epoch: 1 } });
  });

  it("of an id that is there becomes foo__v2, and only that one acts", async () => {
    await library.admit(orderOf(), textsOf("foo", "first"));
    expect(await library.nextVersion("foo")).toBe(2);
    await library.admit(second, textsOf("foo", "second"));
    const text = await readFile(`${world.library}/foo__v2/foo/SKILL.md`, "utf8");
    expect(text).toBe(textsOf("foo", "second", 2)["SKILL.md"]);
    expect(await acting()).toEqual(["foo 2"]);
    const all = await readAll();
    expect(all.map((one) => one.isMisplaced)).toEqual([false, false]);
    expect(libraryDiagnostics(all)).toMatchObject([
      { code: "HASP405", severity: "information", file: `${world.library}/foo__v1/foo/SKILL.md` },
    ]);
    expect((await library.versions()).map(({ version, acts }) => [version, acts])).toEqual([
      [1, false],
      [2, true],
    ]);
  });

  it("is refused under a name that leads elsewhere, and where its frontmatter cannot take a version", async () => {
    const wrong = async (over: object, texts = textsOf("foo")) =>
      (await library.admit(orderOf({ ...over }), texts)).diagnostics.map(({ code }) => code);
    expect(await wrong({ name: "../../evil" })).toEqual(["HASP662"]);
    expect(await wrong({ skillId: "../evil", name: "evil" })).toEqual(["HASP662"]);
    expect(await wrong({ version: 2 }, { "SKILL.md": "# no frontmatter\n" })).toEqual(["HASP663"]);
    expect(await filesBelow(world.root)).toEqual({});
    expect(await kinds()).toEqual([]);
  });

  it("does not replace a version with other texts", async () => {
    await library.admit(orderOf(), textsOf("foo"));
    const before = await filesBelow(world.library);
    const other = orderOf({ id: "e9-c9" });
    expect(await library.admit(other, textsOf("foo", "other"))).toMatchObject({
      value: undefined,
      diagnostics: [{ code: "HASP662" }],
    });
    expect(await filesBelow(world.library)).toEqual(before);
  });
});

describe("the next version", () => {
  it("counts what is, was or stands beside", async () => {
    expect(await library.nextVersion("foo")).toBe(1);
    expect(await library.nextVersion("foo", [{ skillId: "foo", version: 3 }])).toBe(4);
    expect(await library.nextVersion("foo", [{ skillId: "bar", version: 3 }])).toBe(1);
    await library.admit(orderOf(), textsOf("foo"));
    await library.admit(second, textsOf("foo", "second"));
    await library.retire({ skillId: "foo", version: 2, reason: "It harms." });
    expect(await library.nextVersion("foo")).toBe(3);
    // A person deleted it by hand: the number is not given twice.
    await rm(`${world.library}/.retired`, { recursive: true });
    expect(await library.nextVersion("foo")).toBe(3);
  });

  it("of a candidate that is in the library already is its own", async () => {
    await library.admit(orderOf(), textsOf("foo"));
    const by = { evolution: "web-1", candidate: "e1-c1" };
    expect(await library.nextVersion("foo", [], by)).toBe(1);
    expect(await library.nextVersion("foo", [], { ...by, evolution: "web-2" })).toBe(2);
  });
});

describe("versions that are taken out", () => {
  beforeEach(async () => {
    await library.admit(orderOf(), textsOf("foo", "first"));
    await library.admit(second, textsOf("foo", "second"));
  });

  it("never fire, are kept whole, and can be put back", async () => {
    const before = await filesBelow(world.library);
    const { value } = await library.retire({ skillId: "foo", reason: "It harms." });
    expect(value).toEqual(["foo__v1", "foo__v2"].map((name) => `${world.library}/.retired/${name}/foo`));
    expect(await acting()).toEqual([]);
    const put = await library.restore({ skillId: "foo", reason: "It did not." });
    expect(put.value).toEqual(["foo__v1", "foo__v2"].map((name) => `${world.library}/${name}/foo`));
    expect(await filesBelow(world.library)).toEqual(before);
    expect(await kinds()).toEqual(["admitted foo 1", "admitted foo 2", "retired foo 2", "restored foo 2"]);
  });

  it("leave the version before, where only one is named", async () => {
    await library.retire({ skillId: "foo", version: 2, reason: "It harms." });
    expect(await acting()).toEqual(["foo 1"]);
  });

  it("are recorded again when a person does it again, and once when an evolution repeats it", async () => {
    const cause = { evolution: "web-1", epoch: 3, candidate: "e3-c1" };
    await library.retire({ skillId: "foo", reason: "No room.", for: cause });
    const again = await library.retire({ skillId: "foo", reason: "No room.", for: cause });
    expect(again).toEqual({ value: [], diagnostics: [] });
    expect((await kinds()).filter((one) => one.startsWith("retired"))).toEqual(["retired foo 2"]);
    await library.restore({ skillId: "foo", reason: "Back." });
    await library.retire({ skillId: "foo", reason: "Out." });
    await library.restore({ skillId: "foo", reason: "Back." });
    expect((await kinds()).slice(-3)).toEqual(["restored foo 2", "retired foo 2", "restored foo 2"]);
  });

  it("say so where there is nothing to move", async () => {
    expect((await library.retire({ skillId: "bar", reason: "x" })).diagnostics).toMatchObject([
      { code: "HASP664", message: "No generated version of bar is in the library." },
    ]);
    expect((await library.restore({ skillId: "foo", version: 2, reason: "x" })).diagnostics).toMatchObject([
      { code: "HASP664", message: "No retired version of foo version 2 can be put back." },
    ]);
  });

  it("of one number are kept beside each other", async () => {
    await library.retire({ skillId: "foo", version: 1, reason: "x" });
    await put(`${world.library}/foo__v1/foo`, textsOf("foo", "by hand"));
    await library.retire({ skillId: "foo", version: 1, reason: "x" });
    const retired = Object.keys(await filesBelow(`${world.library}/.retired`));
    expect(retired.filter((name) => name.endsWith("pf.ts"))).toEqual([
      "foo__v1.2/foo/pf.ts",
      "foo__v1/foo/pf.ts",
    ]);
  });
});

describe("a person's override", () => {
  it("accepts a rejected candidate as the next version, and says who and why", async () => {
    await library.admit(orderOf(), textsOf("foo"));
    await library.reject(second);
    const order = { ...second, accept: true, reason: "I read it.", texts: textsOf("foo", "second") };
    // Another candidate took the number that this one would have had.
    await library.admit(orderOf({ id: "e2-c2", epoch: 2, version: 2 }), textsOf("foo", "other"));
    const { value } = await library.override(order);
    expect(value?.folder).toBe(`${world.library}/foo__v3/foo`);
    const metadata = JSON.parse(await readFile(`${value?.folder}/metadata.json`, "utf8"));
    expect(metadata.evolved.decision).toEqual({ admitted: true, reason: "I read it.", by: "person" });
    expect((await library.history()).value?.at(-1)).toMatchObject({
      kind: "override",
      accepted: true,
      by: "person",
      reason: "I read it.",
      version: 3,
    });
  });

  it("rejects an admitted candidate, and can be taken back; the same twice is one", async () => {
    await library.admit(orderOf(), textsOf("foo", "first"));
    await library.admit(second, textsOf("foo", "second"));
    const reject = { ...second, accept: false, reason: "It harms." };
    await library.override(reject);
    await library.override(reject);
    expect(await acting()).toEqual(["foo 1"]);
    const back = await library.override({ ...second, accept: true, reason: "It does not." });
    expect(back.value?.folder).toBe(`${world.library}/foo__v2/foo`);
    await library.override(reject);
    expect((await kinds()).slice(2)).toEqual(Array.from({ length: 3 }, () => "override foo 2"));
  });

  it("cannot accept what cannot be loaded, or is gone", async () => {
    const broken = orderOf({ checks: { score: 0, compiles: false, checks: [], refusals: [] } });
    for (const order of [{ ...broken, texts: textsOf("foo") }, orderOf()])
      expect((await library.override({ ...order, accept: true, reason: "x" })).diagnostics).toMatchObject([
        { code: "HASP664" },
      ]);
    expect(await kinds()).toEqual([]);
  });
});

describe("the history", () => {
  it("keeps what others wrote, and every entry once", async () => {
    await library.reject(orderOf());
    const file = `${world.library}/library_history.json`;
    const raw = JSON.parse(await readFile(file, "utf8"));
    await writeFile(file, JSON.stringify({ ...raw, note: 1, entries: [{ future: true }, ...raw.entries] }));
    await library.reject(orderOf());
    await library.reject(second);
    const after = JSON.parse(await readFile(file, "utf8"));
    expect(after).toMatchObject({ note: 1, entries: [{ future: true }, { epoch: 1 }, { epoch: 2 }] });
    const read = await library.history();
    expect(read.value).toHaveLength(2);
    expect(read.diagnostics).toMatchObject([{ code: "HASP661", severity: "warning" }]);
  });

  it.each(["{", "[]", '{"schema": "other/1", "entries": []}', '{"schema": "hasp.library-history/1"}'])(
    "that cannot be read is not replaced, and nothing is admitted: %s",
    async (text) => {
      await library.reject(orderOf());
      await writeFile(`${world.library}/library_history.json`, text);
      expect((await library.admit(orderOf(), textsOf("foo"))).diagnostics).toMatchObject([
        { code: "HASP660" },
      ]);
      expect(await readFile(`${world.library}/library_history.json`, "utf8")).toBe(text);
      expect(await library.versions()).toEqual([]);
    },
  );
});

describe("after an interruption at any change of the disk", () => {
  type Deed = (library: GeneratedLibrary) => Promise<unknown>;
  const DEEDS: Readonly<Record<string, Deed>> = {
    admit: (one) => one.admit(second, textsOf("foo", "second")),
    retire: (one) =>
      one.retire({
        skillId: "foo",
        reason: "No room.",
        for: { evolution: "web-1", epoch: 2, candidate: "e2-c2" },
      }),
    override: (one) => one.override({ ...orderOf(), accept: false, reason: "It harms." }),
  };
  it.each(Object.keys(DEEDS))("%s, once repeated, has the same end", async (name) => {
    const deed = DEEDS[name];
    if (deed === undefined) throw new Error(name);
    const whole = libraryFiles(nodeFiles());
    const end = async (at: number): Promise<{ files: object; kinds: string[]; changes: number }> => {
      await world.remove();
      world = await openWorld();
      library = openGeneratedLibrary(world.ports, world.library);
      await library.admit(orderOf(), textsOf("foo", "first"));
      const files = failingAt(whole, at);
      const broken = openGeneratedLibrary({ ...world.ports, files }, world.library);
      const outcome = await deed(broken).then(
        () => "done",
        (error: unknown) => String(error),
      );
      if (outcome !== "done") {
        expect(outcome).toContain("power failure");
        // No reader sees half of a skill.
        for (const one of await readAll()) expect(one.diagnostics).toEqual([]);
        await deed(library);
      }
      return { files: await filesBelow(world.library), kinds: await kinds(), changes: files.changes() };
    };
    const uninterrupted = await end(Infinity);
    expect(uninterrupted.changes).toBeGreaterThan(1);
    for (let at = 0; at < uninterrupted.changes; at++)
      expect({ ...(await end(at)), changes: 0 }).toEqual({ ...uninterrupted, changes: 0 });
  });
});

it("the review that a version was admitted with is still current", async () => {
  // Version 2 is written into the frontmatter before the review, so that the review speaks of the text that is admitted.
  const texts = textsOf("foo", "second", 2);
  const { value } = await library.admit(second, texts);
  await put(`${world.root}/reviewed`, texts);
  const files = nodeFiles();
  expect(await fingerprintOfFolder(files, value?.folder ?? "")).toEqual(
    await fingerprintOfFolder(files, `${world.root}/reviewed`),
  );
});
