import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ensureTrainer } from "../../scripts/lib/trainer-env.mts";
import { THOROUGH } from "../support/thorough.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const TESTS = path.join(ROOT, "trainer/tests");
const place = mkdtempSync(path.join(tmpdir(), "hasp-pytest-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** One run of a test function of pytest; those with parameters have several. */
interface Case {
  readonly name: string;
  /** The message and the traceback, where it did not pass. */
  readonly fault: string | undefined;
}

const ready = await ensureTrainer();
const note = "missing" in ready ? ` (skipped: ${ready.missing})` : "";

/** On a busy machine, several times what it takes on a quiet one. */
const PATIENCE = THOROUGH ? 1_800_000 : 1_200_000;

/** Functions that pytest leaves out in the normal form. */
const LEFT_OUT = THOROUGH ? /(?!)/ : /^@pytest\.mark\.thorough\n/;

/** `test_rows.py` and its functions, as they are written: a function that pytest leaves out is noticed. */
const FUNCTIONS: readonly (readonly [
  file: string,
  functions: readonly string[],
  thorough: readonly string[],
])[] = readdirSync(TESTS)
  .filter((name) => /^test_\w+\.py$/.test(name))
  .toSorted()
  .map((file) => {
    const text = readFileSync(path.join(TESTS, file), "utf8");
    const all = [...text.matchAll(/^(?:@pytest\.mark\.thorough\n)?def (test_\w+)\(/gm)];
    const [left, run] = [true, false].map((isLeft) =>
      all.flatMap(([head, name = ""]) => (LEFT_OUT.test(head) === isLeft ? [name] : [])),
    );
    return [file, run ?? [], left ?? []] as const;
  });

const fromXml = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#10;", "\n")
    .replaceAll("&amp;", "&");

/** By `file.py function`, from pytest's JUnit report. */
function casesOf(report: string): Map<string, Case[]> {
  const found = new Map<string, Case[]>();
  for (const [, head = "", body = ""] of report.matchAll(/<testcase ([^>]*?)(?:\/>|>(.*?)<\/testcase>)/gs)) {
    const [, module = ""] = /classname="tests\.([^"]*)"/.exec(head) ?? [];
    const [, name = ""] = / name="([^"]*)"/.exec(head) ?? [];
    const key = `${module}.py ${name.replace(/\[.*/s, "")}`;
    const hasPassed = !/<(failure|error|skipped)/.test(body);
    const cases = found.get(key) ?? [];
    cases.push({ name: fromXml(name), fault: hasPassed ? undefined : fromXml(body) });
    found.set(key, cases);
  }
  return found;
}

/** Pytest's lines about what went wrong, and then all of it. */
function reasonOf(fault: string): string {
  const said = fault.split("\n").filter((line) => /^E\s/.test(line));
  return `${said.map((line) => line.replace(/^E\s+/, "")).join(" ")}\n${fault}`;
}

describe.skipIf(note !== "")(`the trainer's own tests${note}`, () => {
  let cases = new Map<string, Case[]>();
  let output = "";

  // One process runs them all: its imports alone take ten seconds.
  beforeAll(async () => {
    if ("missing" in ready) return;
    const report = path.join(place, "report.xml");
    const args = ["-m", "pytest", TESTS, "-q", "-p", "no:cacheprovider", `--junitxml=${report}`];
    args.push(`--basetemp=${path.join(place, "scenes")}`);
    const run = await execa(ready.python, args, { cwd: ROOT, all: true, reject: false });
    output = run.all;
    cases = casesOf(readFileSync(report, "utf8"));
  }, PATIENCE);

  describe.each(FUNCTIONS)("%s", (file, functions, thorough) => {
    test.skip.each(thorough)("%s (skipped: `npm test -- --thorough` runs it)", () => undefined);

    test.each(functions)("%s", (name) => {
      const found = cases.get(`${file} ${name}`) ?? [];
      expect(found, output).not.toEqual([]);
      const faults = found.flatMap(({ name: one, fault }) =>
        fault === undefined ? [] : [`${one}: ${reasonOf(fault)}`],
      );
      // The summary of a stage shows the beginning of an error.
      if (faults.length > 0) throw new Error(faults.join("\n"));
    });
  });

  test("pytest ran no test that is not listed here", () => {
    const listed = FUNCTIONS.flatMap(([file, functions]) => functions.map((name) => `${file} ${name}`));
    expect([...cases.keys()].toSorted()).toEqual(listed.toSorted());
  });
});

describe.skipIf(note !== "")(`Python sources${note}`, () => {
  const ruff = async (...args: readonly string[]) => {
    if ("missing" in ready) return undefined;
    const config = ["--config", path.join(ROOT, "trainer/pyproject.toml"), "--no-cache"];
    const paths = ["trainer", "test/trainer"];
    return await execa(ready.python, ["-m", "ruff", ...args, ...config, ...paths], {
      cwd: ROOT,
      all: true,
      reject: false,
    });
  };

  test("ruff check finds nothing", async () => {
    const run = await ruff("check");
    expect(run?.exitCode, run?.all).toBe(0);
  });

  test("ruff format would change nothing", async () => {
    const run = await ruff("format", "--check");
    expect(run?.exitCode, run?.all).toBe(0);
  });
});
