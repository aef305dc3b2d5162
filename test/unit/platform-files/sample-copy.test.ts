import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { refreshSample } from "../../../scripts/lib/start-sample.mts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { copySample, SAMPLE_RUN, sampleFiles } from "../../../src/platform/sample-copy.ts";
import { ROOT } from "../../support/core.ts";

const files = nodeFiles();
const from = join(ROOT, "samples");
let parent = "";
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "hasp-sample-"));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const text = (...names: string[]): string => readFileSync(join(...names), "utf8");
const copy = (isOwn = false): Promise<string> => copySample(files, { from, parent, isOwn });

describe("a copy of the sample", () => {
  it("holds its run, its skill and its questions", async () => {
    const folder = await copy();
    expect(folder).toBe(join(parent, "hasp-sample"));
    for (const path of [SAMPLE_RUN, "questions.jsonl", "skills/web-search/repeated-query/pf.ts"])
      expect(text(folder, path)).toBe(text(from, path));
  });

  it("is used again as the person left it", async () => {
    const folder = await copy();
    writeFileSync(join(folder, "hasp.yaml"), "# mine\n");
    expect(await copy()).toBe(folder);
    expect(text(folder, "hasp.yaml")).toBe("# mine\n");
  });

  it("takes a numbered name beside a folder that holds something else", async () => {
    mkdirSync(join(parent, "hasp-sample"));
    writeFileSync(join(parent, "hasp-sample", "notes.txt"), "mine");
    expect(await copy()).toBe(join(parent, "hasp-sample-2"));
    expect(text(parent, "hasp-sample", "notes.txt")).toBe("mine");
  });

  it("takes a numbered name beside a copy that was cut off", async () => {
    const folder = await copy();
    rmSync(join(folder, SAMPLE_RUN));
    expect(await copy()).toBe(join(parent, "hasp-sample-2"));
  });

  it("fills an empty folder that the person chose, and no folder with things in it", async () => {
    expect(await copy(true)).toBe(parent);
    rmSync(join(parent, ".hasp"), { recursive: true });
    expect(await copy(true)).toBe(join(parent, "hasp-sample"));
  });

  it("lacks what HASP writes into a workspace by itself", async () => {
    const generated = [
      ".hasp/types/hasp.d.ts",
      "skills/tsconfig.json",
      ".hasp/runs/first-look/episodes.index",
    ];
    const folder = await copy();
    for (const path of generated) {
      mkdirSync(join(folder, path, ".."), { recursive: true });
      writeFileSync(join(folder, path), "");
    }
    const names = await sampleFiles(files, folder);
    expect(names.filter((name) => generated.includes(name))).toEqual([]);
    expect(names.at(-1)).toBe(SAMPLE_RUN);
  });
});

describe("the copy that npm start opens", () => {
  it("takes over changes of the sample, but for files that the person edited or removed", async () => {
    const [source, target] = [join(parent, "source"), join(parent, "start")];
    for (const name of ["a", "b", "c"]) await files.writeText(join(source, name), "1");
    await refreshSample(source, target);
    writeFileSync(join(target, "b"), "mine");
    rmSync(join(target, "c"));
    for (const name of ["a", "b", "c", "d"]) writeFileSync(join(source, name), "2");
    await refreshSample(source, target);
    expect([text(target, "a"), text(target, "b"), text(target, "d")]).toEqual(["2", "mine", "2"]);
    expect(existsSync(join(target, "c"))).toBe(false);
  });
});
