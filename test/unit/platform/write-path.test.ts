import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { allowLink, forgetLink, linkAt } from "../../../src/platform/link-consent.ts";
import { LinkedPathError, writePath } from "../../../src/platform/write-path.ts";

let base = "";
let workspace = "";
let elsewhere = "";

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "hasp-write-")));
  workspace = join(base, "clone");
  elsewhere = join(base, "elsewhere");
  mkdirSync(join(workspace, ".git"), { recursive: true });
  mkdirSync(elsewhere);
  vi.stubEnv("XDG_STATE_HOME", join(base, "state"));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true, force: true });
});

const at = (...names: string[]): string => join(workspace, ...names);

describe("a path to write", () => {
  it("is taken as it is where nothing on the way is a link", () => {
    mkdirSync(at(".hasp/runs"), { recursive: true });
    expect(writePath(at(".hasp/runs/first/episodes.jsonl"))).toBe(at(".hasp/runs/first/episodes.jsonl"));
  });

  it.each([
    ["the file itself", ".hasp/notes.jsonl", ".hasp/notes.jsonl"],
    ["a folder", ".hasp", ".hasp/runs/first/notes.jsonl"],
    ["the file, through ..", ".hasp/notes.jsonl", ".hasp/runs/../notes.jsonl"],
  ])("is refused where it is a link: %s", (_what, link, file) => {
    mkdirSync(join(at(link), ".."), { recursive: true });
    symlinkSync(elsewhere, at(link));
    expect(() => writePath(at(file))).toThrow(LinkedPathError);
  });

  it("is refused where the link leads to nothing", () => {
    symlinkSync(join(base, "nothing"), at(".hasp"));
    expect(() => writePath(at(".hasp/x"))).toThrow(LinkedPathError);
  });

  it("leads through a link that the person allowed, to where it led then and nowhere else", () => {
    symlinkSync(elsewhere, at(".hasp"));
    allowLink(linkAt(at(".hasp")), "2026-01-01T00:00:00Z");
    expect(writePath(at(".hasp/runs/x"))).toBe(join(elsewhere, "runs/x"));
    rmSync(at(".hasp"));
    mkdirSync(join(base, "third"));
    symlinkSync(join(base, "third"), at(".hasp"));
    expect(() => writePath(at(".hasp/runs/x"))).toThrow(LinkedPathError);
    expect(forgetLink(at(".hasp"))).toBe(true);
  });

  it("is refused by a link in what an allowed link leads to", () => {
    symlinkSync(elsewhere, at(".hasp"));
    allowLink(linkAt(at(".hasp")), "2026-01-01T00:00:00Z");
    writeFileSync(join(base, "profile"), "");
    symlinkSync(join(base, "profile"), join(elsewhere, "notes.jsonl"));
    expect(() => writePath(at(".hasp/notes.jsonl"))).toThrow(LinkedPathError);
  });

  it("is refused where a workspace within the workspace stands behind a link", () => {
    mkdirSync(join(elsewhere, ".hasp"));
    symlinkSync(elsewhere, at("inner"));
    expect(() => writePath(at("inner/.hasp/x"))).toThrow(LinkedPathError);
  });

  it("may lead to the workspace by a link: that one the person chose", () => {
    const linked = join(base, "linked");
    symlinkSync(workspace, linked);
    expect(writePath(join(linked, ".hasp/x"))).toBe(join(linked, ".hasp/x"));
  });
});
