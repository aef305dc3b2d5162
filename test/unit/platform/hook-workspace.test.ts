import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { workspaceOf } from "../../../src/platform/hook-workspace.ts";

let base = "";
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "hasp-root-")));
  mkdirSync(join(base, "repo/src"), { recursive: true });
  mkdirSync(join(base, "repo/.git"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

describe("the workspace of an agent", () => {
  it("is the repository that it stands in", () => {
    expect(workspaceOf(join(base, "repo/src"))).toBe(join(base, "repo"));
  });

  it("is the nearest folder with a hasp.yaml or a .hasp", () => {
    mkdirSync(join(base, "repo/src/.hasp"));
    expect(workspaceOf(join(base, "repo/src"))).toBe(join(base, "repo/src"));
    writeFileSync(join(base, "hasp.yaml"), "");
    rmSync(join(base, "repo/src/.hasp"), { recursive: true });
    expect(workspaceOf(join(base, "repo/src"))).toBe(base);
  });

  it("is no folder that everybody may write into, whatever somebody put there", () => {
    mkdirSync(join(base, ".hasp"));
    chmodSync(base, 0o1777);
    expect(workspaceOf(join(base, "repo/src"))).toBe(join(base, "repo"));
  });

  it("is found also where the agent's folder is gone", () => {
    expect(workspaceOf(join(base, "repo/src/gone/deeper"))).toBe(join(base, "repo"));
  });
});
