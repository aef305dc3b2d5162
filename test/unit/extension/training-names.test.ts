import { join, sep } from "node:path";
import { describe, expect, it } from "vitest";
import {
  folderProblem,
  nameOfPath,
  pathInWorkspace,
  pathOfName,
} from "../../../src/extension/train-data/names.ts";

const at = (...parts: readonly string[]): string => join(sep, "w", ...parts);
const ONE = [{ name: "a", path: at("a") }];
const TWO = [...ONE, { name: "b", path: at("b") }];
const RUN = [".hasp", "runs", "first"] as const;

describe("The name of a run in rows", () => {
  it("is its path from the workspace folder, with /", () => {
    expect(nameOfPath(ONE, at("a", ...RUN))).toBe(".hasp/runs/first");
    expect(pathOfName(ONE, ".hasp/runs/first")).toBe(at("a", ...RUN));
  });

  it("begins with the name of its folder where the workspace has several", () => {
    expect(nameOfPath(TWO, at("b", ...RUN))).toBe("b/.hasp/runs/first");
    expect(pathOfName(TWO, "b/.hasp/runs/first")).toBe(at("b", ...RUN));
  });

  it("is absolute outside of all folders, also beside one of a similar name", () => {
    expect(nameOfPath(TWO, at("ab", ...RUN))).toBe(at("ab", ...RUN));
    expect(pathOfName(TWO, at("ab", ...RUN))).toBe(at("ab", ...RUN));
  });

  it("is of the innermost folder", () => {
    const nested = [...ONE, { name: "inner", path: at("a", "inner") }];
    expect(nameOfPath(nested, at("a", "inner", ...RUN))).toBe("inner/.hasp/runs/first");
  });

  it("without a folder's name leads into the folder of the file that has it", () => {
    expect(pathOfName(TWO, ".hasp/runs/first", at("b", ".hasp", "data", "x.jsonl"))).toBe(at("b", ...RUN));
    expect(pathOfName(TWO, ".hasp/runs/first")).toBe(at("a", ...RUN));
    expect(pathOfName([], ".hasp/runs/first")).toBe(".hasp/runs/first");
  });
});

describe("The run that a record names", () => {
  it("is in a folder of the workspace", () => {
    expect(pathInWorkspace(ONE, ".hasp/runs/first")).toBe(at("a", ...RUN));
    expect(pathInWorkspace(ONE, at("a", ...RUN))).toBe(at("a", ...RUN));
    expect(pathInWorkspace(TWO, "b/.hasp/runs/first")).toBe(at("b", ...RUN));
  });

  it.each(["../b/.hasp/runs/first", ".hasp/../../b/run", at("ab"), "/etc", ".."])(
    "never outside: %s",
    (name) => {
      expect(pathInWorkspace(ONE, name)).toBeUndefined();
      expect(pathInWorkspace([], name)).toBeUndefined();
    },
  );
});

describe("The folder of the files", () => {
  it.each([".hasp/data/first", "data", "..data/x", "data/a..b"])("may be %s", (text) => {
    expect(folderProblem(text)).toBeUndefined();
  });

  it.each(["", "/etc", "\\x", "C:\\x", "../x", "a/../../x", "a//b", "./a", "a/", "a\u0000b", "a:b", "a?"])(
    "may not be %j",
    (text) => {
      expect(folderProblem(text)).toMatch(/./);
    },
  );
});
