import fc from "fast-check";
import path from "node:path";
import { expect, it } from "vitest";
import { recordNameSchema, recordPath } from "../../../src/model/record-path.ts";

it.each([
  [".hasp/runs/first", ".hasp/runs/first"],
  ["./.hasp//runs/./first/", ".hasp/runs/first"],
  ["/home/me/project/.hasp/runs/first", ".hasp/runs/first"],
  ["/home/me/project//.hasp/runs/first/", ".hasp/runs/first"],
])("takes %j as %j", (recorded, expected) => {
  expect(recordPath("/home/me/project", recorded)).toBe(expected);
});

it.each([
  "",
  ".",
  "..",
  "../other",
  "runs/../../other",
  "runs/..",
  "/home/me/project",
  "/home/me/projectshop/runs",
  "/home/me/project/../other",
  "/etc",
  "//host/share",
  "C:\\Users\\me\\work\\runs",
  "\\\\host\\share",
  "runs\\first",
  "runs/\u001b[2J",
  "runs/\0",
])("refuses %j", (recorded) => {
  expect(recordPath("/home/me/project", recorded)).toBeUndefined();
});

it("takes what was recorded on Windows there", () => {
  const root = "C:\\Users\\me\\work";
  expect(recordPath(root, ".hasp\\runs\\first")).toBe(".hasp/runs/first");
  expect(recordPath(root, "C:\\Users\\me\\work\\runs\\first\\")).toBe("runs/first");
  for (const other of ["C:\\Users\\me\\other", "D:\\work", "..\\other", "\\\\host\\share", "C:runs", "\\x"])
    expect(recordPath(root, other)).toBeUndefined();
});

it("answers no path outside of the workspace, whatever is recorded", () => {
  const part = fc.constantFrom("..", ".", "", "a", "/", "/w", "/w/", "C:", "\\", "...", ".. ", "\0", "b.txt");
  fc.assert(
    fc.property(fc.array(part, { maxLength: 7 }), fc.constantFrom("", "/"), (parts, between) => {
      const found = recordPath("/w", parts.join(between));
      fc.pre(found !== undefined);
      expect(path.posix.join("/w", found)).toBe(`/w/${found}`);
    }),
  );
});

it("takes one part for a name", () => {
  expect(recordNameSchema.parse("late-read")).toBe("late-read");
  for (const bad of ["", "..", "a/b", "a/..", "a\\b", "NUL", "/a"])
    expect(recordNameSchema.safeParse(bad).success).toBe(false);
});
