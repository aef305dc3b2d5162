import { expect, test } from "vitest";
import { transpile } from "../../../src/skill/transpile.ts";

test("types go, and everything else stays on its line and column", () => {
  const source = `import { noop, type StepContext } from "hasp";
export default class A extends P {
  shouldActivate(ctx: StepContext, arg: string): boolean { return (arg as string).length > 3; }
  private n?: number;
}`;
  const { value, diagnostics } = transpile(source, "pf.ts");
  expect(diagnostics).toEqual([]);
  expect(value).toHaveLength(source.length);
  expect(value?.indexOf(".length > 3")).toBe(source.indexOf(".length > 3"));
  expect(value).not.toMatch(/StepContext|boolean|private/);
});

test("a syntax error comes with its place and no code", () => {
  const { value, diagnostics } = transpile("const a = 1;\nconst b = ;\n", "skills/a/pf.ts");
  expect(value).toBeUndefined();
  expect(diagnostics[0]).toMatchObject({
    code: "TS1109",
    file: "skills/a/pf.ts",
    range: { start: { line: 1, character: 10 } },
  });
});

test("what cannot be erased is refused with its place", () => {
  const { value, diagnostics } = transpile("export const a = 1;\nenum Kind { A }\n", "pf.ts");
  expect(value).toBeUndefined();
  expect(diagnostics).toMatchObject([{ code: "HASP213", range: { start: { line: 1 } } }]);
});

test("an empty or binary file is named as what it is", () => {
  expect(transpile("", "pf.ts").diagnostics[0]?.code).toBe("HASP215");
  expect(transpile("a\0", "pf.ts").diagnostics[0]?.code).toBe("HASP215");
});
