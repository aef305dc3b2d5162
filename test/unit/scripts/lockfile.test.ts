import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../support/core.ts";

interface Entry {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const text = readFileSync(path.join(ROOT, "package-lock.json"), "utf8");
const { packages } = JSON.parse(text) as { packages: Readonly<Record<string, Entry>> };

/** Where Node finds a package from a place in the tree: in its own folder or in one above. */
function entryOf(name: string, from: string): Entry | undefined {
  const parts = from === "" ? [] : from.split(/(?<=.)\/(?=node_modules\/)/);
  for (let count = parts.length; count >= 0; count--) {
    const found = packages[[...parts.slice(0, count), `node_modules/${name}`].join("/")];
    if (found !== undefined) return found;
  }
  return undefined;
}

test("each optional package has an entry with a hash, whatever system it is for: npm adds the missing ones at every install", () => {
  const missing = Object.entries(packages).flatMap(([from, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => entryOf(name, from)?.integrity === undefined),
  );
  expect(missing).toEqual([]);
});

test("each package has a hash, and none names a registry", () => {
  const installed = Object.entries(packages).filter(([at]) => at !== "");
  expect(installed.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
  expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});
