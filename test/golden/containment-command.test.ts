import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBubblewrap } from "../../src/platform/containment/bubblewrap.ts";
import { isContainment } from "../../src/scoring/containment.ts";
import { hasp, type Ended } from "../support/cli.ts";

const opened = await openBubblewrap(1);
const why = isContainment(opened) ? "" : ` (skipped: ${opened.why})`;
if (isContainment(opened)) await opened.close();

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hasp-containment-"));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** `hasp containment` of a user who has nothing yet. */
async function containment(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const own = { HOME: folder, XDG_CACHE_HOME: path.join(folder, "cache"), ...env };
  return await hasp(["containment", ...args], { cwd: folder, env: own });
}
const NO_PROGRAMS = { PATH: "/nowhere" };

describe.runIf(process.platform === "linux")("hasp containment where nothing contains", () => {
  it("says why and what to do, and ends with 1", async () => {
    const { code, out, err } = await containment([], NO_PROGRAMS);
    expect([code, err]).toEqual([1, ""]);
    expect(out).toMatchInlineSnapshot(`
      "Bubblewrap  no: Bubblewrap is not installed
          → Install the package bubblewrap (on Debian and Ubuntu: \`sudo apt-get install bubblewrap\`).
      Pyodide     no: Pyodide is not installed
          → Run \`hasp containment --pyodide\`, which fetches it after a yes.
      Answers that are programs are not judged here: no containment. HASP never runs them without one.
      "
    `);
  });

  it("says the same to programs", async () => {
    const { code, out } = await containment(["--json"], NO_PROGRAMS);
    expect([code, JSON.parse(out)]).toMatchInlineSnapshot(`
      [
        1,
        {
          "bubblewrap": {
            "next": "Install the package bubblewrap (on Debian and Ubuntu: \`sudo apt-get install bubblewrap\`).",
            "why": "Bubblewrap is not installed",
            "works": false,
          },
          "pyodide": {
            "next": "Run \`hasp containment --pyodide\`, which fetches it after a yes.",
            "why": "Pyodide is not installed",
            "works": false,
          },
        },
      ]
    `);
  });
});

describe.skipIf(!isContainment(opened))(`hasp containment where Bubblewrap works${why}`, () => {
  const env = { PATH: process.env["PATH"] ?? "" };

  it("names it, and ends with 0", async () => {
    const { code, out, err } = await containment([], env);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^Bubblewrap +yes: bubblewrap \d+\.\d+\.\d+, Python 3\.\d+\.\d+$/m);
    expect(out).toMatch(/^Pyodide +no: Pyodide is not installed$/m);
    expect(out).toMatch(/^Answers that are programs are judged in: bubblewrap \d/m);
  });

  it("says the same to programs", async () => {
    const { code, out } = await containment(["--json"], env);
    const { bubblewrap, used } = JSON.parse(out) as { bubblewrap: { name: string }; used: string };
    expect([code, bubblewrap, used]).toEqual([
      0,
      { works: true, name: used, python: expect.stringMatching(/^3\./), packages: [] },
      bubblewrap.name,
    ]);
  });
});

describe("hasp containment sets nothing up", () => {
  const orders = ["--pyodide", "--packages=numpy"] as const;
  const isEmpty = (): boolean => !fs.existsSync(path.join(folder, "cache", "hasp"));

  it.each(orders)("by %s where nobody is there to ask", async (order) => {
    const { code, err } = await containment([order], NO_PROGRAMS);
    expect([code, isEmpty()]).toEqual([2, true]);
    expect(err).toContain("Nobody is there to ask.");
  });

  it.each(orders)("by %s in a job, which says yes in no one's place", async (order) => {
    const { code, err } = await containment([order, "--yes"], { ...NO_PROGRAMS, HASP_JOB: "train-1" });
    expect([code, isEmpty()]).toEqual([3, true]);
    expect(err).toContain("A job runs this command");
  });

  it("of names that are no packages: options, files, addresses", async () => {
    for (const name of ["--index-url=http://127.0.0.1:9", "./x", "numpy @ http://127.0.0.1:9/x.whl", ""]) {
      const { code, err } = await containment([`--packages=${name}`, "--yes"], NO_PROGRAMS);
      expect([code, err]).toEqual([2, expect.stringContaining("Expected names of Python packages")]);
    }
    expect(isEmpty()).toBe(true);
  });

  it("without npm, and says so", async () => {
    const { code, err } = await containment(["--pyodide", "--yes"], NO_PROGRAMS);
    expect([code, err]).toEqual([2, expect.stringContaining("npm is not on the PATH")]);
    expect(fs.readdirSync(path.join(folder, "cache/hasp/containment"))).toEqual([]);
  });

  it("where the cache is no folder, and says so", async () => {
    const file = path.join(folder, "file");
    fs.writeFileSync(file, "");
    for (const order of orders) {
      const { code, err } = await containment([order, "--yes"], { ...NO_PROGRAMS, XDG_CACHE_HOME: file });
      expect([code, err]).toEqual([2, expect.stringContaining(file)]);
    }
  });
});
