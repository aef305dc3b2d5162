import fc from "fast-check";
import path from "node:path";
import { expect, it } from "vitest";
import { foreignNameFault, isForeignName, nameKey } from "../../../src/model/foreign-name.ts";
import { foreignNameSchema, sha256Schema } from "../../../src/model/foreign-schemas.ts";

const GOOD = [
  "runs/r1/episodes.jsonl",
  ".gitattributes",
  "a b/c+d=e,f@g.txt",
  "…/日本語/می\u200cخواهم",
  "x..y",
  "console/com10/nullable.txt",
  "12:30:00.json",
  "a".repeat(255),
];

it.each(GOOD)("takes %j", (name) => {
  expect(foreignNameSchema.parse(name)).toBe(name);
});

it.each([
  ["", "is empty"],
  ["/etc/passwd", "is absolute"],
  ["//host/share", "is absolute"],
  ["C:/x", "names a drive"],
  ["c:x", "names a drive"],
  ["runs\\r1", "has a backslash"],
  ["\\\\host\\share", "has a backslash"],
  ["../x", "has the part `..`"],
  ["runs/../../x", "has the part `..`"],
  ["runs/..", "has the part `..`"],
  ["./x", "has the part `.`"],
  ["runs/./x", "has the part `.`"],
  ["runs//x", "has an empty part"],
  ["runs/", "has an empty part"],
  ["runs/.. /x", "has a part that ends with a dot or a space"],
  ["runs/.../x", "has a part that ends with a dot or a space"],
  ["runs/x\0.txt", "has a character that cannot be seen"],
  ["runs/x\n", "has a character that cannot be seen"],
  ["runs/\u001b]0;x\u0007", "has a character that cannot be seen"],
  ["runs/\u202egpj.exe", "has a character that cannot be seen"],
  ["runs/\u200bx", "has a character that cannot be seen"],
  ["runs/\ud800", "has a character that cannot be seen"],
  ["NUL", "has the part `NUL`, a device of Windows"],
  ["runs/con.txt", "has the part `con.txt`, a device of Windows"],
  ["runs/com1 .log", "has the part `com1 .log`, a device of Windows"],
  ["runs/LPT²", "has the part `LPT²`, a device of Windows"],
  ["a".repeat(256), "has a part of more than 255 bytes"],
  ["é".repeat(128), "has a part of more than 255 bytes"],
  ["a/".repeat(600), "is longer than 1,024 bytes"],
])("refuses %j: it %s", (name, fault) => {
  expect(foreignNameFault(name)).toBe(fault);
  expect(foreignNameSchema.safeParse(name).error?.issues[0]?.message).toBe(fault);
});

it("takes no name that leads out of a folder, on any system", () => {
  const part = fc.constantFrom("..", ".", "", "a", "C:", "\\", "..\\..", "/", "...", ".. ", "\0", "b.txt");
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const name = parts.join("/");
      fc.pre(isForeignName(name));
      expect(path.posix.join("/o", name)).toBe(`/o/${name}`);
      expect(path.win32.join("C:\\o", name)).toBe(`C:\\o\\${name.replaceAll("/", "\\")}`);
    }),
  );
});

it("finds names that a file system may take for one", () => {
  expect(nameKey("Runs/\u00c9")).toBe(nameKey("runs/e\u0301"));
  expect(nameKey(".g\u200cit")).toBe(nameKey(".GIT"));
  expect(nameKey("runs/a")).not.toBe(nameKey("runs/b"));
});

it("takes a SHA-256 in lower-case hexadecimal alone", () => {
  const hash = "0123456789abcdef".repeat(4);
  expect(sha256Schema.parse(hash)).toBe(hash);
  for (const bad of ["", hash.slice(1), `${hash}0`, hash.toUpperCase(), `../${hash.slice(3)}`, `${hash}\n`])
    expect(sha256Schema.safeParse(bad).success).toBe(false);
});
