import { expect, test } from "vitest";
import { hashLibrary, type HashedSkill } from "../../../src/training/library-hash.ts";
import { namedLibraries } from "../../../src/training/named-libraries.ts";

const same = (text: string): string => text;
const skillAt = (folder: string, pfSource = "one"): HashedSkill => ({
  folder,
  skill: undefined,
  skillMd: "# A skill",
  pfSource,
});

test("the editor and the command line name folders differently, and their libraries have one hash", () => {
  const inEditor = [skillAt("/home/me/skills/web-search/b", "two"), skillAt("/ext/skills/web-search/a")];
  const onCommandLine = [skillAt("builtin:web-search/a"), skillAt("skills/web-search/b", "two")];
  expect(hashLibrary(inEditor, "web-search", same)).toBe(hashLibrary(onCommandLine, "web-search", same));
});

test("a changed text is another library; a disabled skill and one of another domain are not in it", () => {
  const hash = hashLibrary([skillAt("skills/web-search/a")], "web-search", same);
  expect(hashLibrary([skillAt("skills/web-search/a", "changed")], "web-search", same)).not.toBe(hash);
  const others = [
    skillAt("skills/web-search/a"),
    { ...skillAt("skills/web-search/b", "two"), isDisabled: true },
    skillAt("skills/coding-agent/c", "three"),
  ];
  expect(hashLibrary(others, "web-search", same)).toBe(hash);
});

test("libraries beside which skills evolve: those of the domain, and folders that have a skill", async () => {
  const libraries = [
    { kind: "builtin", domain: "web-search" },
    { kind: "builtin", domain: "coding-agent" },
    { kind: "folder", path: "skills" },
    { kind: "folder", path: "empty" },
  ] as const;
  const hasSkill = async (folder: string): Promise<boolean> => folder === "skills";
  const named = (disabledSkills: readonly string[]) =>
    namedLibraries({ libraries, disabledSkills }, "web-search", hasSkill);
  expect(await named([])).toEqual(["builtin:web-search", "skills"]);
  expect(await named(["late_read"])).toEqual([]);
});
