import { REGISTERED } from "../../../src/domains/registered.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { actingSkills, libraryDiagnostics } from "../../../src/skill/library-rules.ts";
import { findSkillFolders, readSkillFolder, type SkillFolder } from "../../../src/skill/read-skill.ts";
import type { SkillFiles } from "../../../src/skill/skill-files.ts";
import { transpile } from "../../../src/skill/transpile.ts";

const compiler = {
  domains: async () => REGISTERED,
  transpile: async (file: string, source: string) => transpile(source, file),
};

interface Wanted {
  readonly id: string;
  readonly version?: number;
  readonly supersedes?: readonly string[];
}

const textOf = ({ id, version = 1, supersedes = [] }: Wanted): string =>
  `---
name: ${id.replaceAll("_", "-")}
description: Use it.
metadata:
  hasp:
    skill_id: ${id}
    version: ${version}
    supersedes: [${supersedes.join(", ")}]
---
Body, which speaks of ${supersedes.join(" and ")}.
`;

/** One folder a skill, in a library folder each, so that two may have one id. */
async function library(...wanted: readonly Wanted[]): Promise<SkillFolder[]> {
  return Promise.all(
    wanted.map((one, i) => {
      const folder = `l${i}/${one.id.replaceAll("_", "-")}`;
      const files: SkillFiles = {
        readText: async (path) =>
          path.endsWith("SKILL.md") ? { kind: "text", text: textOf(one) } : { kind: "absent" },
        list: async () => ["SKILL.md"],
      };
      return readSkillFolder(files, compiler, folder);
    }),
  );
}

const acting = (folders: readonly SkillFolder[]): string[] =>
  actingSkills(folders).folders.map(({ folder }) => folder);
const told = (folders: readonly SkillFolder[]): string[] =>
  libraryDiagnostics(folders).map(
    ({ severity, code, file, range }) =>
      `${severity} ${code} ${file}:${range.start.line + 1}:${range.start.character + 1}`,
  );

describe("Two skills with one id", () => {
  it("of different versions: the latest acts, the older is named", async () => {
    const folders = await library(
      { id: "a", version: 2 },
      { id: "a", version: 10 },
      { id: "a" },
      { id: "b" },
    );
    expect(acting(folders)).toEqual(["l1/a", "l3/b"]);
    expect(told(folders)).toEqual([
      "information HASP405 l0/a/SKILL.md:6:15",
      "information HASP405 l2/a/SKILL.md:6:15",
    ]);
  });

  it("of one version: the first acts, the other is an error", async () => {
    const folders = await library({ id: "a" }, { id: "a" });
    expect(acting(folders)).toEqual(["l0/a"]);
    expect(told(folders)).toEqual(["error HASP401 l1/a/SKILL.md:6:15"]);
  });
});

describe("supersedes", () => {
  it("keeps the superseded ones from acting, also along a chain", async () => {
    const folders = await library(
      { id: "a", supersedes: ["b"] },
      { id: "b", supersedes: ["c"] },
      { id: "c" },
    );
    expect(acting(folders)).toEqual(["l0/a"]);
    expect(told(folders)).toEqual([
      "information HASP406 l1/b/SKILL.md:6:15",
      "information HASP406 l2/c/SKILL.md:6:15",
    ]);
    expect(libraryDiagnostics(folders)[0]?.message).toContain("l0/a/SKILL.md:8");
  });

  it("in a circle takes nobody down, and names the circle once, with its places", async () => {
    const folders = await library(
      { id: "a", supersedes: ["b"] },
      { id: "b", supersedes: ["c", "d"] },
      { id: "c", supersedes: ["a"] },
      { id: "d" },
    );
    expect(acting(folders)).toEqual(["l0/a", "l1/b", "l2/c"]);
    expect(told(folders)).toEqual([
      "error HASP407 l0/a/SKILL.md:8:18",
      "information HASP406 l3/d/SKILL.md:6:15",
    ]);
    expect(libraryDiagnostics(folders)[0]?.message).toBe(
      "Skills supersede each other in a circle: a → b → c → a (l0/a/SKILL.md:8, l1/b/SKILL.md:8, l2/c/SKILL.md:8). None of them is left out for it.",
    );
  });

  it("of an id that is not there changes nothing, and asks for the likely one", async () => {
    const folders = await library({ id: "read_first", supersedes: ["read_lats"] }, { id: "read_last" });
    expect(acting(folders)).toHaveLength(2);
    expect(libraryDiagnostics(folders)).toMatchObject([
      { code: "HASP408", severity: "information", next: 'Did you mean "read_last"?' },
    ]);
  });

  it("whatever it says, some skill acts, each id at most once, and a circle of two is reported", async () => {
    const ids = ["a", "b", "c", "d"];
    const wanted = fc.record({
      id: fc.constantFrom(...ids),
      version: fc.integer({ min: 1, max: 3 }),
      supersedes: fc.uniqueArray(fc.constantFrom(...ids), { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(wanted, { minLength: 1, maxLength: 7 }), async (list) => {
        const folders = await library(...list);
        const { folders: left, diagnostics } = actingSkills(folders);
        const acted = left.map(({ skill }) => skill.skillId);
        expect(new Set(acted).size).toBe(acted.length);
        expect(acted.length).toBeGreaterThan(0);
        // Every skill that does not act has its reason.
        const silent = folders.filter((folder) => !left.some((one) => one.folder === folder.folder));
        for (const { folder } of silent)
          expect(diagnostics.map(({ file }) => file)).toContain(`${folder}/SKILL.md`);
      }),
      { numRuns: 150 },
    );
  });
});

describe("Another product's Agent Skill", () => {
  const files: SkillFiles = {
    readText: async (path) =>
      path.endsWith("SKILL.md")
        ? {
            kind: "text",
            text: "---\nname: commits\ndescription: Use it for commit messages.\n---\nWrite them well.",
          }
        : { kind: "absent" },
    list: async () => ["SKILL.md"],
  };

  it("takes no part in a library", async () => {
    const folder = await readSkillFolder(files, compiler, "skills/commits");
    expect(folder.isForeign).toBe(true);
    expect(actingSkills([folder, ...(await library({ id: "ours" }))]).folders).toHaveLength(1);
  });
});

describe("What cannot be read", () => {
  const failure = (code: string): Error => Object.assign(new Error(`${code}: no`), { code });

  it("is told of its file, and the rest of the skill is read", async () => {
    const files: SkillFiles = {
      async readText(path) {
        if (path.endsWith("pf.ts")) throw failure("EACCES");
        return path.endsWith("SKILL.md") ? { kind: "text", text: textOf({ id: "a" }) } : { kind: "absent" };
      },
      // A cases.yaml that is listed and yet not there: a link to nothing.
      list: async () => ["SKILL.md", "cases.yaml", "pf.ts"],
    };
    const read = await readSkillFolder(files, compiler, "s/a");
    expect(read.skill?.skillId).toBe("a");
    expect(read.diagnostics.map(({ code, file }) => `${code} ${file}`).toSorted()).toEqual([
      "HASP404 s/a/cases.yaml",
      "HASP404 s/a/pf.ts",
    ]);
    for (const { message, next } of read.diagnostics) {
      expect(message).toMatch(/its permissions do not allow it|a folder, or a link to nothing/);
      expect(next).toBeTruthy();
    }
  });

  it("keeps no other folder from being found, and links are followed once", async () => {
    const tree: Readonly<Record<string, readonly string[]>> = {
      s: ["good", "locked", "loop", "self"],
      "s/good": ["SKILL.md"],
      "s/loop": ["good", "locked", "loop", "self"],
    };
    const told: string[] = [];
    const found = await findSkillFolders(
      {
        async list(folder) {
          if (folder.endsWith("locked")) throw failure("EACCES");
          return tree[folder] ?? [];
        },
        async realPath(folder) {
          if (folder.endsWith("self")) throw failure("ELOOP");
          return folder === "s/loop" ? "s" : folder;
        },
      },
      "s",
      (folder) => told.push(folder),
    );
    expect(found).toEqual(["s/good"]);
    expect(told).toEqual(["s/locked", "s/self"]);
  });
});
