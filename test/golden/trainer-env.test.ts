import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ROOT } from "../support/core.ts";
import { openScene, type HookScene } from "../support/hook-process.ts";

/** `hasp trainer`, with programs in the place of uv and Python that download nothing. */

let scene: HookScene;
beforeEach(() => {
  scene = openScene("trainer");
  mkdirSync(path.join(scene.base, "bin"));
  scene.env["PATH"] = `${path.join(scene.base, "bin")}:/usr/bin:/bin`;
  program("python3", "exit 0");
});
afterEach(() => scene.close());

function program(name: string, script: string): string {
  const file = path.join(scene.base, "bin", name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

const FOLDER = "cache/hasp/trainer";
const PYTHON = `${FOLDER}/bin/python`;
const inBase = (name: string): string => path.join(scene.base, name);

/** Makes the environment, and keeps what it was asked in `asked`. */
const uvThat = (sync: string): string =>
  program(
    "uv",
    `echo "$PWD $*" >> "${inBase("asked")}"
[ "$1" != venv ] || { mkdir -p "${inBase(FOLDER)}/bin"; touch "${inBase(PYTHON)}" "${inBase(FOLDER)}/pyvenv.cfg"; exit 0; }
${sync}`,
  );

it("without an environment jobs have no Python, and the refusal says how to get one", async () => {
  const { code, err } = await scene.hasp("trainer", "path");
  expect(code).toBe(2);
  expect(err).toContain("There is no Python with the trainer's packages.");
  expect(err).toContain("hasp trainer install");
});

it("the option comes before the variable, and a file that is not there is no choice", async () => {
  scene.env["HASP_TRAINER_PYTHON"] = program("theirs", "");
  expect((await scene.hasp("trainer", "path")).out).toBe(`${inBase("bin/theirs")}\n`);
  const mine = program("mine", "");
  expect((await scene.hasp("trainer", "path", "--python", mine)).out).toBe(`${mine}\n`);
  const missing = await scene.hasp("trainer", "path", "--python", "/no/python");
  expect([missing.code, missing.err]).toEqual([2, expect.stringContaining("--python names /no/python")]);
});

it("nothing is installed unasked", async () => {
  uvThat("exit 0");
  expect(await scene.hasp("trainer", "install")).toMatchObject({
    code: 2,
    out: expect.stringContaining(" GB in "),
    err: expect.stringContaining("--yes"),
  });
  expect(existsSync(inBase("asked"))).toBe(false);
});

it("uv installs by hash, outside the workspace; then it is installed already, and jobs have their Python", async () => {
  uvThat("exit 0");
  // A workspace must not bring the program that installs.
  writeFileSync(scene.at("uv"), "#!/bin/sh\ntouch taken\n", { mode: 0o755 });
  scene.env["PATH"] = `.:${scene.env["PATH"]}`;
  expect(await scene.hasp("trainer", "install", "--yes")).toMatchObject({ code: 0, err: "" });
  const requirements = path.join(ROOT, "trainer/requirements.txt");
  const at = inBase("cache/hasp");
  expect(readFileSync(inBase("asked"), "utf8").trim().split("\n").at(-1)).toBe(
    `${at} pip sync --require-hashes --python ${inBase(PYTHON)} ${requirements}`,
  );
  expect(existsSync(scene.at("taken"))).toBe(false);
  expect((await scene.hasp("trainer", "path")).out).toBe(`${inBase(PYTHON)}\n`);
  expect((await scene.hasp("trainer", "install")).out).toContain("Installed already");
});

it("an installation that fails says why, leaves no Python for jobs, and is repeated", async () => {
  uvThat("echo resolving; echo 'no route to the index' >&2; exit 2");
  const failed = await scene.hasp("trainer", "install", "--yes");
  expect([failed.code, failed.err]).toEqual([2, expect.stringContaining("no route to the index")]);
  expect((await scene.hasp("trainer", "path")).err).toContain("unfinished");
  uvThat("exit 0");
  expect((await scene.hasp("trainer", "install", "--yes")).code).toBe(0);
  expect((await scene.hasp("trainer", "path")).code).toBe(0);
});

it("without a Python that is recent enough, and without uv, it says so", async () => {
  for (const name of ["python3.13", "python3.12", "python3.11", "python3", "python"]) program(name, "exit 1");
  scene.env["PATH"] = path.join(scene.base, "bin");
  const { code, err } = await scene.hasp("trainer", "install", "--yes");
  expect([code, err]).toEqual([2, expect.stringContaining("no Python 3.11 or later is on the PATH")]);
});

/** An environment of these versions, as its Python describes it. */
const described = (packages: object, gpus: readonly object[] = []): string =>
  program("described", `echo '${JSON.stringify({ version: "3.12.1", packages, gpus, fault: null })}'`);

it("check compares with the requirements: exit code 1 where a version differs or is missing", async () => {
  const pins = { torch: "2.15.0", transformers: "5.23.0", trl: "1.16.0", peft: "0.21.2" };
  const fine = await scene.hasp(
    "trainer",
    "check",
    "--python",
    described(pins, [{ name: "A card", gb: 48 }]),
  );
  expect([fine.code, fine.out]).toEqual([0, expect.stringContaining("A card, 48 GB")]);
  const other = described({ ...pins, trl: "1.0.0", peft: null });
  const differs = await scene.hasp("trainer", "check", "--python", other);
  expect(differs.code).toBe(1);
  expect(differs.out).toContain("! trl is 1.0.0; the trainer was made for 1.16.0.");
  expect(differs.out).toContain("! peft is missing; the trainer was made for 0.21.2.");
});

it("a Python that does not answer is named", async () => {
  const { code, err } = await scene.hasp("trainer", "check", "--python", program("broken", "exit 3"));
  expect([code, err]).toEqual([2, expect.stringContaining("does not answer")]);
});
