import { REGISTERED } from "../../../src/domains/registered.ts";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { CONTEXT_KEYS } from "../../../src/skill/case-context.ts";
import { casesSchema } from "../../../src/skill/cases-schema.ts";
import { CASE_KEYS, EXPECT_KEYS, parseCases } from "../../../src/skill/parse-cases.ts";
import { ROOT } from "../../support/core.ts";

interface Node {
  readonly properties: Readonly<Record<string, Node>>;
  readonly items: Node;
}

const schema = casesSchema();
const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);
const ONE = (schema as unknown as Node).properties["cases"]?.items as Node;
const keysOf = (node: Node | undefined): string[] => Object.keys(node?.properties ?? {}).toSorted();
const sorted = (keys: readonly string[]): string[] => keys.toSorted();

test("the cases of every shipped skill fit the schema", () => {
  const files = readdirSync(path.join(ROOT, "skills"), { recursive: true, encoding: "utf8" });
  const cases = files.filter((file) => path.basename(file) === "cases.yaml");
  expect(cases.length).toBeGreaterThan(30);
  for (const file of cases) {
    const value: unknown = parse(readFileSync(path.join(ROOT, "skills", file), "utf8"));
    expect([file, validate(value), validate.errors]).toEqual([file, true, null]);
  }
});

test("it has the keys that the reader reads, and no others", () => {
  expect(keysOf(ONE)).toEqual(sorted(CASE_KEYS));
  expect(keysOf(ONE.properties["expect"])).toEqual(sorted(EXPECT_KEYS));
  expect(keysOf(ONE.properties["context"])).toEqual(sorted(CONTEXT_KEYS));
  const asked = keysOf(ONE.properties["proposed"]).map((key) => `${key}: ${key === "input" ? "{}" : "x"}`);
  const past = keysOf(ONE.properties["steps"]?.items).map((key) => `${key}: 1`);
  const text = `cases:\n  - { name: a, proposed: { ${asked.join(", ")} }, steps: [{ ${past.join(", ")} }], expect: { fires: true } }\n`;
  const unknown = parseCases(text, "cases.yaml", REGISTERED).diagnostics.filter(
    ({ code }) => code === "HASP303",
  );
  expect(unknown).toEqual([]);
});

test("it refuses what the reader refuses", () => {
  const good = { name: "a", proposed: { type: "SEARCH", arg: "b" }, expect: { fires: true } };
  expect(validate({ cases: [good] })).toBe(true);
  const bad = [
    {},
    { ...good, name: 1 },
    { ...good, more: 1 },
    { ...good, expect: {} },
    { ...good, expect: { fires: 1 } },
  ];
  expect(bad.map((one) => validate({ cases: [one] }))).toEqual(bad.map(() => false));
});
