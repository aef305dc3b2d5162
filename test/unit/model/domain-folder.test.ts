import { describe, expect, it } from "vitest";
import { domainOfFolder } from "../../../src/analysis/library.ts";
import { allDomains } from "../../../src/domains/registry.ts";
import {
  depthInLibrary,
  domainFolderOf,
  isSetAside,
  versionFolder,
  versionOfFolder,
} from "../../../src/model/domain-folder.ts";
import { scopeOf } from "../../../src/model/domain-spec.ts";
import { domainDiagnostics } from "../../../src/skill/skill-domain.ts";
import { NO_PLACES } from "../../../src/skill/skill-places.ts";

const GENERATED = "skills/web-search/generated/late_read__v2/late-read";

describe("the domain of a skill's folder", () => {
  it.each([
    ["skills/web-search/late-read", { domain: "web-search", above: "skills" }],
    [GENERATED, { domain: "web-search", above: "skills" }],
    [GENERATED.replaceAll("/", "\\"), { domain: "web-search", above: "skills" }],
    [`/home/a/${GENERATED}`, { domain: "web-search", above: "skills" }],
    ["builtin:web-search/late-read", { domain: "web-search", above: undefined }],
    // A domain may be called so, and a skill stand in a folder that only looks like one of a version.
    ["skills/generated/late-read", { domain: "generated", above: "skills" }],
    ["skills/late_read__v2/late-read", { domain: "late_read__v2", above: "skills" }],
    ["skills/web-search/generated/late-read", { domain: "generated", above: "web-search" }],
    ["late-read", { domain: undefined, above: undefined }],
  ])("of %s", (folder, expected) => {
    expect(domainFolderOf(folder)).toEqual(expected);
  });

  it("is the same for all who ask", () => {
    expect(domainOfFolder(GENERATED).name).toBe("web-search");
    expect(domainOfFolder(GENERATED.replace("web-search", "coding-agent")).name).toBe("coding-agent");
    expect(scopeOf(`${GENERATED}/pf.ts`, allDomains()).own?.name).toBe("web-search");
    expect(scopeOf("skills/web-search/late-read/pf.ts", allDomains()).own?.name).toBe("web-search");
    expect(scopeOf("pf.ts", allDomains()).own).toBeUndefined();
    expect(domainDiagnostics(GENERATED, NO_PLACES, allDomains())).toEqual([]);
    const unknown = GENERATED.replace("web-search", "web-serch");
    expect(domainDiagnostics(unknown, NO_PLACES, allDomains())).toMatchObject([{ code: "HASP432" }]);
  });

  it("is so many folders below the library", () => {
    expect(depthInLibrary("/w/skills/web-search/late-read")).toBe(2);
    expect(depthInLibrary(`/w/${GENERATED}`)).toBe(4);
  });
});

it("a version's folder is named by base id and version", () => {
  expect(versionFolder({ skillId: "late_read", version: 2 })).toBe("late_read__v2");
  expect(versionOfFolder("late_read__v12")).toEqual({ skillId: "late_read", version: 12 });
  // The last `__v` counts.
  expect(versionOfFolder("odd__v1__v3")).toEqual({ skillId: "odd__v1", version: 3 });
  for (const name of ["late_read", "late_read__v0", "late_read__v", "__v1", "Late__v1", "late_read__v1.tmp"])
    expect(versionOfFolder(name)).toBeUndefined();
});

it("skills that were taken out are set aside", () => {
  expect(isSetAside("/w/skills/web-search/generated/.retired/a__v1/a/SKILL.md")).toBe(true);
  expect(isSetAside("/w/skills/web-search/generated/.incoming/a__v1/a/SKILL.md")).toBe(true);
  expect(isSetAside(`/w/${GENERATED}/SKILL.md`)).toBe(false);
  expect(isSetAside("/w/.retired/a/SKILL.md")).toBe(false);
});
