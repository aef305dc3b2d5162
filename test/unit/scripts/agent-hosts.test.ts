import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { HOST_PACKAGES, SESSION_PACKAGES } from "../../../scripts/lib/agent-hosts.mts";
import { ROOT } from "../../support/core.ts";

const read = (...names: readonly string[]): string => readFileSync(path.join(ROOT, ...names), "utf8");

const docs = read("docs/hooks.md");
const tried = docs.slice(docs.indexOf("## What was tried, and what was not"));
const TESTS = path.join("test", "hosts");
const sources = readdirSync(path.join(ROOT, TESTS)).filter((name) => name.endsWith(".test.ts"));

test("docs/hooks.md names the pinned versions of the agents that were run", () => {
  const { "claude-code": claudeCode, codex } = HOST_PACKAGES;
  expect(tried).toContain(`| test | Claude Code ${claudeCode.version} | Codex ${codex.version} |`);
});

test("each line of its table is a test of the file above it", () => {
  const table = tried.slice(tried.indexOf("| test |")).split("\n\n")[0] ?? "";
  const titles = table
    .split("\n")
    .slice(2)
    .map((line) => line.split(" | ")[0]?.slice(2) ?? "");
  const faults = /a hook that (cannot start|dies of a signal|ends with an error) (.*)/;
  let source = "";
  const unknown = titles.filter((title) => {
    const file = /^\*\*(.+)\*\*$/.exec(title)?.[1];
    if (file !== undefined) {
      expect(sources).toContain(`${file}.test.ts`);
      source = read(TESTS, `${file}.test.ts`);
      return false;
    }
    // The faults are rows of one test.
    const parts = faults.exec(title)?.slice(1) ?? [title];
    return !parts.every((part) => source.includes(part));
  });
  expect(titles.length).toBeGreaterThan(20);
  expect(unknown).toEqual([]);
});

test("docs/formats.md names the pinned versions of the agents whose sessions were imported", () => {
  const formats = read("docs/formats.md");
  expect(formats).toContain(`**Pi** (${SESSION_PACKAGES.pi.version}`);
  expect(formats).toContain(`**Gemini CLI** (${SESSION_PACKAGES.gemini.version}`);
});

test("no agent is a dependency of the project", () => {
  const manifest = read("package.json") + read("package-lock.json");
  for (const { name } of Object.values({ ...HOST_PACKAGES, ...SESSION_PACKAGES }))
    expect(manifest).not.toContain(`"${name}"`);
});
