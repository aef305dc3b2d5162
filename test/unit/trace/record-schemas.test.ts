import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { recordSchemas } from "../../../src/trace/record-schemas.ts";
import { episode } from "./support.ts";

const fileOf = (name: string): object =>
  JSON.parse(readFileSync(new URL(`../../../docs/schemas/${name}.json`, import.meta.url), "utf8")) as object;

test.each(Object.entries(recordSchemas()))("docs/schemas/%s.json is up to date", (name, schema) => {
  expect(fileOf(name), "run `node scripts/schemas.mts`").toEqual(JSON.parse(JSON.stringify(schema)));
});

const valid: [string, unknown][] = [
  ["episode", episode("e", { verdicts: [{ judge: "exact_match", score: 1, passed: true }] })],
  ["message", { id: "a", from: "b", keep: 3, more: "x", add: [["user", "hello"]] }],
  ["live-event", { event: "withheld", t: 0, action: { type: "SEARCH", arg: "x" }, why: "max_steps" }],
  ["run", { schema: "hasp.run/1", id: "r", title: "t", domain: "d", createdAt: "now", source: "hasp" }],
];

test.each(valid)(
  "a record of the kind %s fits its schema, and one without a key does not",
  (name, record) => {
    const check = new Ajv({ strict: false }).compile(fileOf(name));
    expect(check(record), JSON.stringify(check.errors)).toBe(true);
    expect(check({})).toBe(false);
  },
);
