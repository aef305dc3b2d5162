import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterAll, beforeAll, expect } from "vitest";

import { ROOT } from "../../scripts/lib/paths.mts";
import { type LoopbackModel, loopbackModel } from "../support/loopback-model.ts";
import { THOROUGH } from "../support/thorough.ts";
import { line, LOADED, onDisk } from "./support/authoring.ts";
import { replaceText, save, waitForSquiggles } from "./support/editor.ts";
import { configureModel } from "./support/configure-model.ts";
import { notice } from "./support/notices.ts";
import { answer, openFile, pick, runCommand, screenshotInBoth } from "./support/palette.ts";
import { judged, openRun, OPENED, replay } from "./support/replay.ts";
import { story } from "./support/story.ts";
import { openWorkbench, screenshot, type Workbench } from "./support/workbench.ts";

const QUESTION = String.raw`What is the sum of the solutions of $x^2 - 12x + \frac{23}{4} \cdot 4 = 0$, times $17$?`;
const DRAFT = String.raw`The constant is \(\frac{23}{4} \cdot 4 = 23\).
By Vieta the solutions of
\[ x^2 - 12x + 23 = 0 \]
have the sum \(12\), and \(12 \cdot 17 = 194\).
\boxed{194}`;
const REVISION = String.raw`The sum is \(12\) by Vieta, and \(12 \cdot 17 = 204\).
\boxed{204}`;

const NAME = "products-hold";
const FOLDER = `skills/math/${NAME}`;

/** A workspace with a run in which the skills of math hold a draft back. */
async function workspaceWithRun(): Promise<string> {
  const folder = join(mkdtempSync(join(tmpdir(), "hasp-math-")), "math");
  mkdirSync(folder);
  writeFileSync(join(folder, "hasp.yaml"), "libraries:\n  - builtin:math\n  - skills\n");
  writeFileSync(
    join(folder, "questions.jsonl"),
    `${JSON.stringify({ id: "vieta", question: QUESTION, gold: "204" })}\n`,
  );
  writeFileSync(join(folder, "script.json"), JSON.stringify([DRAFT, REVISION]));
  const run = ["run", "--domain", "math", "--questions", "questions.jsonl", "--setting", "pf-only"];
  const order = [...run, "--policy", "scripted:script.json", "-o", ".hasp/runs/vieta"];
  await promisify(execFile)(process.execPath, [join(ROOT, "dist/hasp.cjs"), ...order], { cwd: folder });
  return folder;
}

story("A person sees a draft of mathematics held back, and writes a skill", (chapter) => {
  let folder: string;
  let workbench: Workbench;
  let server: LoopbackModel;

  beforeAll(async () => {
    folder = await workspaceWithRun();
    server = await loopbackModel(({ url, request }) =>
      url === "/v1/models"
        ? { kind: "raw", type: "application/json", body: '{"data":[]}' }
        : { kind: "text", text: request.messages.length > 2 ? REVISION : DRAFT },
    );
    // Text goes in as one paste, which automatic indentation would push ever further to the right.
    const settings = { "editor.autoIndent": "none", "[yaml]": { "editor.autoIndent": "none" } };
    workbench = await openWorkbench({ workspace: folder, theme: "dark", settings });
  });
  afterAll(async () => {
    await workbench.close();
    await server.close();
    rmSync(join(folder, ".."), { recursive: true });
  });

  chapter("reads draft and revision with their formulas, and a verdict on each", async () => {
    await openRun(workbench, "vieta");
    await judged(workbench);
    const view = replay(workbench);
    await view.locator("math mfrac").first().waitFor({ timeout: OPENED });
    await view.getByText("fixed").first().waitFor();
    const answers = view.locator("[data-field^=action-]");
    await expect
      .poll(() => answers.allInnerTexts())
      .toEqual([expect.stringContaining("194"), expect.stringContaining("204")]);
    const [draft, revision] = [
      view.locator("[data-field=thought-0]"),
      view.locator("[data-field=thought-1]"),
    ];
    const [high = 0, one = 0] = await Promise.all(
      [draft, revision].map(async (field) => (await field.boundingBox())?.height),
    );
    expect(high).toBeGreaterThan(3 * one);
    expect(await draft.locator("math").count()).toBe(4);
    expect(await revision.locator("math").count()).toBe(2);
    for (const verdict of ["wrong", "right"]) await view.getByText(verdict).first().waitFor();
    await view.getByText("makes 204").locator("visible=true").first().waitFor();
    await screenshotInBoth(workbench, "math-replay");
    await screenshot(workbench, "math-replay");
  });

  chapter("makes a skill for mathematics, whose cases hold", async () => {
    await runCommand(workbench, "HASP: New Skill");
    await pick(workbench, "Domain", "math");
    await answer(workbench, "Name of the skill", NAME);
    await answer(workbench, "When is the skill to be used", "Use when a product of the draft is wrong.");
    await pick(workbench, "Kind of skill", "Inject a context");
    await workbench.page.locator(".tab", { hasText: "pf.ts" }).first().waitFor();
    await waitForSquiggles(workbench, "info", 3);
    const own = (text: string): string =>
      text.replaceAll("/* TODO(template) */ ", "").replaceAll(/TODO\(template\): ?/g, "");
    await replaceText(workbench, own(await onDisk(workbench, "pf.ts", FOLDER)));
    await waitForSquiggles(workbench, "info", 0);
    await waitForSquiggles(workbench, "error", 0);
    await save(workbench);
    await openFile(workbench, `${FOLDER}/cases.yaml`, 1, 1);
    await line(workbench, "TODO(template)").click();
    const saved = (): Promise<string> => onDisk(workbench, "cases.yaml", FOLDER);
    const cases = own(await saved());
    await replaceText(workbench, cases);
    await save(workbench);
    await expect.poll(saved, { timeout: LOADED }).toBe(cases);
    await waitForSquiggles(workbench, "error", 0);
    await runCommand(workbench, "HASP: Run Cases");
    await notice(workbench, "3 cases hold", LOADED);
    await screenshot(workbench, "math-new-skill");
  });

  if (THOROUGH)
    chapter("has a model answer, and finds the draft and its revision judged", async () => {
      await configureModel(workbench, { role: "Policy", url: server.url, model: "loopback", price: "1/2" });
      await runCommand(workbench, "HASP: Run Questions");
      await pick(workbench, "Domain: the kind of task", "math");
      await pick(workbench, "File with the questions", "questions.jsonl");
      await pick(workbench, "Policy: the model that works", "#loopback");
      await pick(workbench, "Setting: parts of the harness", "pf-only");
      await screenshot(workbench, "math-run-wizard");
      await answer(workbench, "How many", "1");
      const done = await notice(workbench, "1 episode:", LOADED);
      expect(await done.innerText()).toMatch(/1 correct/);
      await screenshotInBoth(workbench, "math-run");
    });

  return { name: "math", workbench: () => workbench };
});
