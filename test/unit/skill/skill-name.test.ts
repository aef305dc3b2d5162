import * as fc from "fast-check";
import { expect, test } from "vitest";
import { checkSkillName, checkTypedName, kebabName } from "../../../src/skill/skill-name.ts";

test.each([
  ["Read First!", "read-first"],
  ["readFirst", "read-first"],
  ["READ_FIRST", "read-first"],
  ["  read   first  ", "read-first"],
  ["läs först", "las-forst"],
  ["Straße", "strasse"],
  ["don't guess", "dont-guess"],
  ["HTTPErrors v2", "http-errors-v2"],
  ["2nd look", "nd-look"],
  ["read-first", "read-first"],
  ["x".repeat(80), "x".repeat(64)],
])("%j becomes %s", (typed, name) => {
  expect(kebabName(typed)).toBe(name);
  expect(checkTypedName(typed)).toBeUndefined();
});

test.each(["读", "!!!", "42", "чтение"])("%s leaves nothing, and it says so", (typed) => {
  expect(kebabName(typed)).toBe("");
  expect(checkTypedName(typed)).toContain(`"${typed}" leaves no name`);
});

test("an empty name asks for one", () => {
  expect(checkTypedName(" ")).toBe("A skill needs a name.");
});

test.each(["generated", "dist", "out", "con", "nul", "com1"])("no skill is named %s", (name) => {
  expect(checkSkillName(name)).toContain(`"${name}" cannot be the name of a skill`);
  expect(kebabName(name.toUpperCase())).toBe(`${name}-skill`);
  expect(checkTypedName(name)).toBeUndefined();
  expect(checkSkillName(`${name}-late`)).toBeUndefined();
});

test("a name of any text is a skill's name, and stays as it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 90 }), (typed) => {
      const name = kebabName(typed);
      expect(name === "" || checkSkillName(name) === undefined).toBe(true);
      expect(kebabName(name)).toBe(name);
    }),
  );
});
