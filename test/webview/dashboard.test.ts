import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { columnsOf, trainingCurve } from "../../src/jobs/training-curve.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { POINT_COLUMNS } from "../../src/protocol/dashboard.ts";
import { violations } from "./support/accessible.ts";
import { openFixture } from "./support/browser.ts";
import { eventually, shows } from "./support/eventually.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hasp-dashboard-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Opens the fixture in a state, runs the test, and closes it: no complaint, and no request for anything elsewhere. */
async function inDashboard(query: string, run: (page: Page) => Promise<void>, width = 1200): Promise<void> {
  const { page, complaints, strays } = await openFixture(query, { width, height: 900 }, "dashboard");
  await page.locator("h1").waitFor();
  await run(page);
  expect(complaints).toEqual([]);
  expect(strays()).toEqual([]);
}

const requests = (page: Page, method: string): Promise<unknown[]> =>
  page.evaluate<unknown[]>(
    `haspDashboardFixture.requests.filter((one) => one.method === "${method}").map(({ params }) => params)`,
  );

/** Runs in the page: data of a chart as it was drawn last, NaN and null alike as null, absent ones as "none". */
const DRAWN = (name: string): string => `(() => {
  const drawn = document.querySelector("hasp-dashboard")?.curves()?.drawn.get("${name}");
  const shown = (value) => value === undefined ? "none" : typeof value === "number" ? Number(value.toFixed(6)) : null;
  return drawn && { xs: [...drawn.xs], lines: drawn.lines.map((line) => line.map(shown)) };
})()`;

const drawn = (page: Page, name: string): Promise<unknown> => page.evaluate(DRAWN(name));

const boundaries = (page: Page): Promise<unknown> =>
  page.evaluate(
    `document.querySelector("hasp-dashboard").curves().shown.map(({ points }) => points.curves(document.querySelector("hasp-dashboard").curves().axis).boundaries)`,
  );

const range = (page: Page): Promise<{ from: number; to: number } | undefined> =>
  page.evaluate(`document.querySelector("hasp-dashboard").curves()?.range`);

const kept = (page: Page): Promise<unknown> => page.evaluate("haspDashboardFixture.kept.at(-1)");

const run = (id: string, title: string) => ({ id, title, status: "running", words: "running" });

interface Line {
  readonly step: number;
  readonly iteration: number;
  readonly loss: number | string;
  readonly tokens: number;
}

/** As a trainer writes it; `loss` may be a word such as NaN. */
const text = (lines: readonly Line[]): string =>
  lines
    .map(
      ({ step, iteration, loss, tokens }) =>
        `{"step": ${step}, "iteration": ${iteration}, "loss": ${loss}, "grad_norm": 1.5, "learning_rate": 1e-05, "entropy": 0.25, "num_tokens": ${tokens}, "mean_token_accuracy": 0.5, "epoch": 0.1}\n`,
    )
    .join("");

/** The points of files as the product reads them. */
async function columnsIn(files: Readonly<Record<string, string>>): Promise<string> {
  const curve = trainingCurve(nodeFiles());
  const places = Object.entries(files).map(([name, content]) => ({
    path: path.join(folder, name),
    name,
    content,
  }));
  for (const place of places) await writeFile(place.path, place.content);
  await curve.grow(places);
  const columns = columnsOf(curve.points());
  // NaN is null in JSON.
  return JSON.stringify(Object.fromEntries(POINT_COLUMNS.map((name) => [name, [...columns[name]]])));
}

async function addRuns(page: Page, ...runs: readonly ReturnType<typeof run>[]): Promise<void> {
  await page.evaluate(`haspDashboardFixture.setPage(${JSON.stringify({ runs, first: null })})`);
  await page.locator(".runs input").first().waitFor();
}

const putPoints = (page: Page, id: string, columns: string, from = 0): Promise<unknown> =>
  page.evaluate(`haspDashboardFixture.setPoints("${id}", ${from}, ${columns})`);

const at = (step: number, loss: number | string, iteration = 1, tokens = step * 100): Line => ({
  step,
  iteration,
  loss,
  tokens,
});

/** Two iterations that each count from 1, with one value that is no number. */
const FIRST = text([at(10, 1), at(20, 4), at(30, 7), at(40, 2), at(50, 6), at(60, 11)]);
const SECOND = text([at(10, 5, 2, 7000), at(20, "NaN", 2, 8000), at(30, 3, 2, 9000), at(40, 9, 2, 10_000)]);

/** Smoothed by hand: centred means over 5, fewer at the ends and beside the gap. */
const RAW = [1, 4, 7, 2, 6, 11, 5, null, 3, 9];
const SMOOTH = [1, 4, 4, 6, 6.2, 7.333333, 5, null, 3, 9];

test("two iterations are on one axis, smoothed over five points, with a gap where a loss is NaN", () =>
  inDashboard("state=bare", async (page) => {
    await addRuns(page, run("e1", "an experiment"));
    await putPoints(page, "e1", await columnsIn({ "1.jsonl": FIRST, "2.jsonl": SECOND }));
    const xs = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100];
    await eventually(() => drawn(page, "loss"), { xs, lines: [RAW, SMOOTH] });
    expect(await boundaries(page)).toEqual([[60]]);
    expect(await drawn(page, "learning_rate")).toEqual({
      xs,
      lines: [xs.map(() => 0.00001), xs.map(() => 0.00001)],
    });
    const label = await page.getByRole("img", { name: /^Loss/ }).getAttribute("aria-label");
    expect(label).toBe("Loss: an experiment 9 at step 40");
    await page.keyboard.press("s");
    await eventually(() => drawn(page, "loss"), { xs, lines: [RAW] });
  }));

test("tokens on the x axis go on over the iterations", () =>
  inDashboard("state=bare", async (page) => {
    await addRuns(page, run("e1", "an experiment"));
    await putPoints(page, "e1", await columnsIn({ "1.jsonl": FIRST, "2.jsonl": SECOND }));
    await page.getByRole("radio", { name: "Tokens" }).click();
    const xs = [1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10_000];
    await eventually(() => drawn(page, "loss"), { xs, lines: [RAW, SMOOTH] });
    expect(await boundaries(page)).toEqual([[6000]]);
    expect(await kept(page)).toMatchObject({ axis: "tokens" });
    await page.keyboard.press("x");
    await eventually(() => range(page), { from: 10, to: 100 });
  }));

test("points of a resumed training replace those behind its checkpoint, and a run that grows is drawn on", () =>
  inDashboard("state=bare", async (page) => {
    await addRuns(page, run("j1", "a job"));
    const before = [at(10, 1), at(20, 2), at(30, 30), at(40, 40)];
    await putPoints(page, "j1", await columnsIn({ "j.jsonl": text(before) }));
    await page.keyboard.press("s");
    await eventually(() => drawn(page, "loss"), { xs: [10, 20, 30, 40], lines: [[1, 2, 30, 40]] });
    const after = [...before, at(30, 3), at(35, 3.5)];
    await putPoints(page, "j1", await columnsIn({ "j.jsonl": text(after) }));
    await eventually(() => drawn(page, "loss"), { xs: [10, 20, 30, 35], lines: [[1, 2, 3, 3.5]] });
    const grown = JSON.stringify(Object.fromEntries(POINT_COLUMNS.map((name) => [name, [40]])));
    await putPoints(page, "j1", grown, 4);
    await eventually(() => range(page), { from: 10, to: 40 });
  }));

test("several runs lie over each other, each with a line, a dash and a name of its own", () =>
  inDashboard("", async (page) => {
    const box = (name: string) => page.getByRole("checkbox", { name });
    await shows(page.locator(".runs"), "done · 41 min 10 s");
    expect(await box("e3-opd-hotpotqa").isChecked()).toBe(true);
    expect(await requests(page, "show")).toEqual([{ runs: ["e1"] }]);
    await box("Qwen2.5-7B on a-sft, lr 5e-5").press("Space");
    await eventually(() => requests(page, "show"), [{ runs: ["e1"] }, { runs: ["e1", "j2"] }]);
    await shows(
      page.getByRole("region", { name: "Values" }),
      /e3-opd-hotpotqa .* Qwen2\.5-7B on a-sft, lr 5e-5/,
    );
    await shows(page.getByRole("list", { name: "Notices" }), "loss is NaN from step 305 on");
    const dashes = await page
      .locator(".runs .swatch line")
      .evaluateAll((lines) => lines.map((line) => line.getAttribute("style")));
    expect(new Set(dashes).size).toBe(2);
    await eventually(
      async () => ((await drawn(page, "loss")) as { lines: unknown[] } | undefined)?.lines.length,
      4,
    );
    await box("e3-opd-hotpotqa").uncheck();
    await eventually(() => kept(page), { shown: ["j2"], axis: "step", isSmooth: true, zoom: undefined });
    await box("A job with a title").check();
    await box("Qwen2.5-7B on a-sft, lr 5e-5").uncheck();
    await shows(page.getByRole("region", { name: "Curves" }), "No points yet");
    await box("A job with a title").uncheck();
    await shows(page.getByRole("region", { name: "Curves" }), "No run is ticked");
  }));

test("keys zoom, pan and move the cursor; the table has the values there", () =>
  inDashboard("state=bare", async (page) => {
    await addRuns(page, run("e1", "an experiment"));
    await putPoints(page, "e1", await columnsIn({ "1.jsonl": FIRST, "2.jsonl": SECOND }));
    await eventually(() => range(page), { from: 10, to: 100 });
    await page.keyboard.press("+");
    await eventually(() => range(page), { from: 19, to: 91 });
    await page.keyboard.press("ArrowRight");
    await eventually(async () => Number((await range(page))?.from.toFixed(3)), 26.2);
    await page.keyboard.press("PageUp");
    await eventually(async () => (await range(page))?.from, 10);
    await page.keyboard.press("0");
    await eventually(() => range(page), { from: 10, to: 100 });
    const values = page.getByRole("region", { name: "Values" });
    await shows(values, "Last values");
    await page.keyboard.press(".");
    await page.keyboard.press(".");
    await shows(values, /Values at step 20 .* an experiment 4 50% 0\.25 1\.5 1\.0e−5 2000/);
    await page.keyboard.press(",");
    await shows(values, "Values at step 10");
    await page.keyboard.press("Escape");
    await shows(values, "Last values");
    await page.keyboard.press("?");
    await shows(page.getByRole("region", { name: "Keys" }), "Zoom in");
    await page.keyboard.press("Escape");
    await eventually(() => page.getByRole("region", { name: "Keys" }).count(), 0);
  }));

test("a drag zooms all charts, the pointer has one cursor in all, a double click shows all again", () =>
  inDashboard("", async (page) => {
    const over = page.locator(".plot[data-curve=loss] .u-over");
    await over.waitFor();
    const all = await range(page);
    const box = await over.boundingBox();
    if (box === null || all === undefined) throw new Error("No chart to drag over");
    const x = (share: number): number => box.x + share * box.width;
    await page.mouse.move(x(0.25), box.y + 50);
    await shows(page.getByRole("region", { name: "Values" }), "Values at step");
    const cursors = (): Promise<number[]> =>
      page
        .locator(".u-cursor-x")
        .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().x)));
    const plots = await page
      .locator(".u-over")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x));
    await eventually(
      async () => (await cursors()).every((one, i) => Math.abs(one - (plots[i] ?? 0) - box.width / 4) <= 2),
      true,
    );
    await page.mouse.down();
    await page.mouse.move(x(0.5), box.y + 60, { steps: 4 });
    await page.mouse.up();
    const width = all.to - all.from;
    const isAt = (now: number | undefined, share: number): boolean =>
      now !== undefined && Math.abs((now - all.from) / width - share) < 0.02;
    await eventually(async () => isAt((await range(page))?.from, 0.25), true);
    await eventually(async () => isAt((await range(page))?.to, 0.5), true);
    await over.dblclick();
    await eventually(() => range(page), all);
    await page.mouse.move(x(0.5), box.y + 50);
    await page.mouse.wheel(0, -400);
    await eventually(async () => ((await range(page))?.to ?? 0) < all.to, true);
  }));

test("the wheel scrolls where the page can scroll, and zooms with Ctrl", () =>
  inDashboard(
    "",
    async (page) => {
      const over = page.locator(".plot[data-curve=loss] .u-over");
      await over.waitFor();
      const all = await range(page);
      await over.hover();
      await page.mouse.wheel(0, 60);
      await eventually(async () => (await page.locator("main").evaluate((main) => main.scrollTop)) > 0, true);
      expect(await range(page)).toEqual(all);
      await page.keyboard.down("Control");
      await page.mouse.wheel(0, -300);
      await page.keyboard.up("Control");
      await eventually(async () => ((await range(page))?.to ?? 0) < (all?.to ?? 0), true);
      const charts = await page
        .locator("figure")
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x));
      expect(new Set(charts).size).toBe(1);
    },
    420,
  ));

test("without a training it says what belongs here, and has the buttons that put it there", () =>
  inDashboard("state=empty", async (page) => {
    await shows(page.locator(".empty"), "There is none yet");
    await page.locator("vscode-button", { hasText: "Submit Training Job" }).click();
    await page.locator("vscode-button", { hasText: "Run Experiment" }).click();
    await eventually(() => requests(page, "submit"), [{}]);
    await eventually(() => requests(page, "runExperiment"), [{}]);
    // The first training is shown by itself.
    await addRuns(page, run("e1", "the first one"));
    await eventually(() => requests(page, "show"), [{ runs: ["e1"] }]);
  }));

test("the host writes the points as CSV, once there are some", () =>
  inDashboard("", async (page) => {
    await page.locator("hasp-curves").waitFor();
    await page.locator("vscode-button", { hasText: "Save CSV" }).click();
    await eventually(() => requests(page, "saveCsv"), [{}]);
  }));

test("a run that is asked for is shown besides the others", () =>
  inDashboard("", async (page) => {
    await page.locator("hasp-curves").waitFor();
    await page.evaluate(
      `haspDashboardFixture.setPage({ runs: ${JSON.stringify([run("j1", "J"), run("e1", "E")])}, first: "j1" })`,
    );
    await eventually(async () => (await requests(page, "show")).at(-1), { runs: ["e1", "j1"] });
  }));

test("the dashboard is accessible in all themes", () =>
  inDashboard("", async (page) => {
    await page.locator("hasp-curves").waitFor();
    await page.getByRole("checkbox", { name: "Qwen2.5-7B on a-sft, lr 5e-5" }).check();
    await page.keyboard.press("?");
    expect(await violations(page)).toEqual([]);
  }));

test("a change of theme repaints the curves in its colours", () =>
  inDashboard("theme=dark", async (page) => {
    await page.locator("hasp-curves").waitFor();
    /** Pixels of a chart in about this colour. */
    const pixels = (red: number, green: number, blue: number): Promise<number> =>
      page.evaluate(`(() => {
        const canvas = document.querySelector("hasp-dashboard").curves().renderRoot.querySelector("[data-curve=learning_rate] canvas");
        // A copy: reading the chart's own canvas would make it slow, and the browser says so.
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
        copy.drawImage(canvas, 0, 0);
        const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
        let count = 0;
        for (let i = 0; i < data.length; i += 4)
          if (data[i + 3] > 200 && Math.abs(data[i] - ${red}) + Math.abs(data[i + 1] - ${green}) + Math.abs(data[i + 2] - ${blue}) < 12) count++;
        return count;
      })()`);
    await eventually(async () => (await pixels(0x37, 0x94, 0xff)) > 20, true);
    expect(await pixels(0x1a, 0x85, 0xff)).toBe(0);
    await page.evaluate('document.body.className = "vscode-light"');
    await eventually(async () => (await pixels(0x1a, 0x85, 0xff)) > 20, true);
  }));
