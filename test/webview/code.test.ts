import type { Locator } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import gauge from "../fixtures/replay/gauge.json" with { type: "json" };
import { UNSEEN_PROGRAM } from "../../webview/fixture/code.ts";
import { violations } from "./support/accessible.ts";
import { renewPage } from "./support/browser.ts";
import { eventually, shows } from "./support/eventually.ts";
import { replayTests } from "./support/replay-tests.ts";

const tests = replayTests();
const GAUGE = "code&skills=0&at=0.0";
const HOSTILE = "code&skills=0&at=2.0";
const proposed = (): Locator => tests.page.locator(".row.proposed");
const program = (at: number): Locator => proposed().nth(at).locator(".program .program-source");
const isColoured = (within: Locator): Promise<void> =>
  eventually(async () => (await within.locator(".code-keyword").count()) > 0, true);

/** Runs in the page: the text that a copy of the whole program gives, its numbers within the selection. */
const COPY = `(() => {
  const clamp = document.querySelector("hasp-replay").shadowRoot.querySelector(".row.proposed hasp-clamp");
  const selection = getSelection();
  selection.removeAllRanges();
  const range = document.createRange();
  range.selectNodeContents(clamp.shadowRoot.querySelector("hasp-code"));
  selection.addRange(range);
  let copied;
  addEventListener("copy", (event) => (copied = event.clipboardData.getData("text/plain")), { once: true });
  document.execCommand("copy");
  selection.removeAllRanges();
  return copied;
})()`;

describe("an answer that is a program", () => {
  test("stands as one: with its lines, numbers and colours, and its verdict by tests", async () => {
    await tests.open(GAUGE);
    await isColoured(program(0));
    expect(await program(0).textContent()).toBe(gauge.draft);
    const numbers = await proposed().first().locator(".line-numbers").getAttribute("data-numbers");
    expect(numbers?.split("\n")).toHaveLength(gauge.draft.trimEnd().split("\n").length);
    await eventually(
      () => program(0).locator(".code-name").allTextContents(),
      ["rising_stretches", "@", "widest"],
    );
    await shows(proposed().first(), "tests: wrong, 0.00 · 5 of 8 tests passed, 2 failed, 1 not run");
    await shows(proposed().first(), "base 2 of 3, plus 3 of 5");
    const values = proposed().first().locator(".test-values");
    await eventually(() => values.locator("dt").allTextContents(), ["Input", "Expected", "Actual"]);
    await eventually(
      () => values.locator(".text").allTextContents(),
      ["rising_stretches([3, 4, 4, 6])", "[[3, 4], [4, 6]]", "[[3, 4, 4, 6]]"],
    );
    await shows(proposed().first(), "42 ms in bubblewrap 0.8.0, Python 3.11.7");
    await shows(proposed().nth(1), "tests: right, 1.00 · 8 of 8 tests passed");
  });

  test("is said in one line where there is one: in the list, as the answer, to a screen reader", async () => {
    const replay = await tests.open(GAUGE);
    await shows(replay.rows.first(), "Complete the function.");
    await eventually(
      () => tests.page.locator(".answer").innerText(),
      "def rising_stretches(levels: list[int]) -> list[list[int]]:",
    );
    await shows(replay.row("executed"), "FINAL (as proposed)");
    await replay.press("j", "k");
    await shows(replay.announcement, "proposed FINAL def rising_stretches(");
    expect((await replay.announcement.textContent())?.length).toBeLessThan(160);
  });

  test("stands beside its revision as a diff, with what became of it", async () => {
    await tests.open(GAUGE);
    const changed = tests.page.locator(".row.revised");
    await shows(
      changed,
      /draft wrong ?, 5 of 8 tests passed, 2 failed, 1 not run → revision right ?, 8 of 8 tests passed · fixed/,
    );
    await eventually(
      () => changed.locator("del code").allTextContents(),
      [
        "        # A level that stays the same goes on with the stretch.",
        "        if after >= before:",
        '    print(f"{len(stretches)} stretches of {len(levels)} levels")',
      ],
    );
    await eventually(
      () => changed.locator("ins code").allTextContents(),
      ["    if not levels:", "        return []", "        if after > before:"],
    );
    await shows(changed, "3 lines the same");
    const sign = (of: string): Promise<string> =>
      tests.page.evaluate<string>(
        `getComputedStyle(document.querySelector("hasp-replay").shadowRoot.querySelector(".revised ${of} code"), "::before").content`,
      );
    expect(await sign("del")).toContain("−");
    expect(await sign("ins")).toContain("+");
  });

  test("is copied as it is, by a selection and by a button", async () => {
    await tests.open(HOSTILE);
    await shows(proposed(), "def hidden");
    // A browser leaves the last line break out of a selection.
    expect(await tests.page.evaluate(COPY)).toBe(UNSEEN_PROGRAM.replace(/\n$/, ""));
    await tests.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const copy = tests.page.getByRole("button", { name: "Copy the program" });
    await copy.click();
    await shows(copy, "Copied");
    expect(await tests.page.evaluate("navigator.clipboard.readText()")).toBe(UNSEEN_PROGRAM);
  });

  test("is found by its text, in the program alone", async () => {
    const replay = await tests.open(GAUGE);
    await isColoured(program(0));
    await replay.press("/");
    await tests.page.keyboard.type("pairwise(levels)");
    await shows(tests.page.getByRole("search").getByRole("status"), "1 of 2");
    const marked = `[...(CSS.highlights.get("hasp-find-current") ?? [])].map((range) => range.toString()).join("")`;
    await eventually(() => tests.page.evaluate<string>(marked), "pairwise(levels)");
  });

  test("has the code of a thought and of a task as code", async () => {
    const replay = await tests.open(GAUGE);
    const thought = tests.page.locator(".row.thought").first();
    await isColoured(thought);
    await eventually(
      () => thought.locator(".fenced").allTextContents(),
      [
        "def rising_stretches(levels):\n    return [levels]  # a first try\n",
        "python3 gauge.py < levels.txt\n",
      ],
    );
    await eventually(() => thought.locator(".text").textContent(), gauge.thought);
    await isColoured(replay.question);
  });

  test("has a task that is the head of a program as code, and its head in the list", async () => {
    const replay = await tests.open("code&skills=0&at=5.0");
    await shows(replay.question, "def turns(way, radius):");
    expect(await replay.question.locator("hasp-code").count()).toBe(1);
    const font = `getComputedStyle(document.querySelector("hasp-replay").shadowRoot.querySelector("h1 hasp-clamp")).fontFamily`;
    expect(await tests.page.evaluate<string>(font)).toContain("Mono");
    await eventually(() => replay.rows.nth(5).locator(".question").innerText(), "def turns(way, radius):");
  });

  test("is accessible in both modes, in all themes", async () => {
    for (const query of [GAUGE, "code&skills=0&at=1.0", HOSTILE]) {
      const replay = await tests.open(query);
      for (const key of ["ArrowLeft", "e"]) {
        await replay.press(key);
        expect(await violations(tests.page), `${query} ${key}`).toEqual([]);
      }
    }
  }, 120_000);

  test("scrolls by keyboard where its lines are wide, and its step stays", async () => {
    const replay = await tests.open("code&skills=0&at=1.0", 500);
    const text = proposed().getByRole("group", { name: "the program" });
    await eventually(() => text.count(), 1);
    await text.focus();
    await replay.press("ArrowRight", "ArrowRight");
    await eventually(() => text.evaluate(({ scrollLeft }) => scrollLeft > 0), true);
    await shows(replay.stepCount, "Step 1 of");
  });
});

test("tests that an answer can forge say so, with the reason in a tooltip", async () => {
  await tests.open("code&skills=0&at=1.0");
  const mark = proposed().locator(".can-be-forged");
  await shows(mark, "can be forged");
  expect(await mark.getAttribute("title")).toContain("inside the answer's own process");
  await shows(proposed(), "3 of 6 tests passed, 1 failed, 2 not run: it ran out of time");
  await shows(proposed(), "4.0 s in Pyodide 0.28.3, Python 3.13.2");
});

test("a program that cannot be loaded failed no test, and says so", async () => {
  await tests.open("code&skills=0&at=8.0");
  await shows(proposed(), "0 of 2 tests passed, 2 not run: no program could be loaded");
  await shows(proposed().locator(".failing-test"), "Failed while loading the program");
  await eventually(() => proposed().locator("dt").allTextContents(), ["Actual"]);
});

test("a test without input, and an answer that prints blanks, say so", async () => {
  await tests.open("code&skills=0&at=7.0");
  await shows(proposed().locator(".failing-test"), "First to fail test 1");
  const values = proposed().locator(".test-values");
  await eventually(() => values.locator("dt").allTextContents(), ["Input", "Expected", "Actual"]);
  expect(await values.locator("dd.quiet").allTextContents()).toEqual(["empty", "blanks alone"]);
});

test("a label stays on the line of what it names", async () => {
  await tests.open("code&skills=0&at=1.0", 800);
  const top = (of: string): Promise<number | undefined> =>
    tests.page
      .locator(`.answers ${of}`)
      .last()
      .boundingBox()
      .then((box) => box?.y);
  expect(await top("dt")).toBe(await top("dd"));
});

test("a question that is judged by tests misses no gold answer", async () => {
  await tests.open(GAUGE);
  await shows(tests.page.locator(".answers"), "Verdict");
  expect(await tests.page.locator(".gold").count()).toBe(0);
});

test("an answer without a verdict says why", async () => {
  await tests.open("code&skills=0&at=6.0");
  await shows(
    tests.page.locator(".not-judged"),
    "not judged: no containment here: bubblewrap is not installed",
  );
});

describe("a hostile answer", () => {
  test("shows what it hides, runs nothing, and its odd evidence stays text", async () => {
    await tests.open(HOSTILE);
    await isColoured(program(0));
    const names = await program(0)
      .locator(".unseen")
      .evaluateAll((all) => all.map((one) => one.getAttribute("data-name")));
    expect(names).toEqual(["", "U+001B", "U+001B", "U+202E", "U+202C", "U+200B", "U+0000", "U+000D"]);
    await shows(proposed(), "</script><script>window.hacked=1</script>");
    expect(await tests.page.evaluate('"hacked" in window')).toBe(false);
    const foreign = tests.page.locator(".step, .episode-header").locator("img, script, b, [href]");
    expect(await foreign.count()).toBe(0);
    const verdicts = proposed().locator(".judged");
    expect(await verdicts.first().textContent()).toContain('"passed":"many"');
    expect(await verdicts.nth(1).textContent()).toContain('"ms":"soon"');
    await shows(verdicts.nth(2), "<b>base</b> 8 of 8");
    await shows(verdicts.nth(2), "Show all 26,411 characters");
    await eventually(() => verdicts.nth(2).locator("dt").allTextContents(), ["Input", "Actual"]);
  });

  test.each([
    ["of a megabyte", 3, "70,000"],
    ["of 100,000 lines", 4, "100,000"],
    ["of one line", 5, "100,005"],
  ])("%s is laid out slice by slice, and the page goes on", async (_, at) => {
    const replay = await tests.open(`code&skills=0&at=${at}.0`);
    const more = proposed()
      .last()
      .getByRole("button", { name: /more of .* characters of the program|^Show all .* of the program/ });
    await more.click();
    await shows(proposed().last(), "Show less");
    expect((await program((await proposed().count()) - 1).textContent())?.length).toBeLessThanOrEqual(
      100_005,
    );
    await replay.press("e", "e", "k", "j");
    await shows(replay.stepCount, "Step 1 of");
  });
});

test("what colours is loaded once, with the first program, and not without one", async () => {
  await renewPage();
  onTestFinished(renewPage);
  await tests.open("skills=0");
  expect(await tests.page.locator("hasp-code").count()).toBe(0);
  expect(await tests.page.evaluate("'haspPythonTokens' in globalThis")).toBe(false);
  await tests.open(GAUGE);
  await isColoured(program(0));
  expect(await tests.page.locator("script[src$='python.js']").count()).toBe(1);
});
