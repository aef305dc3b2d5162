import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { folderForAll } from "../../support/folder-for-all.ts";
import {
  canOthersRunSuite,
  openTargets,
  runHostileAnswers,
  runSuiteAs,
} from "../../support/hostile-suite.ts";
import { THOROUGH } from "../../support/thorough.ts";
import { usePyodide } from "./pyodide-world.ts";

/** Of 60 interpreters, each of which takes a second to start. */
const PATIENCE = 600_000;

/** Its devices are its own, in memory; what ends an interpreter is told by an exit code, and nothing stops one from inside. */
const ITS_OWN = [
  "opens the terminal of its starter: escaped 4",
  "finds shared memory of the machine: escaped ['tmp']",
  "ends by a signal: ended by exited, not signal",
  "reads address 0: ended by exited, not signal",
  "stops itself: ended by exited, not time",
];

/** Without what is known of Pyodide. */
const unexpected = (faults: readonly string[]): readonly string[] =>
  faults.filter((fault) => !ITS_OWN.some((known) => fault.startsWith(known)));

const OTHER_USER = 1234;
const canBeAnother = process.getuid?.() === 0 && canOthersRunSuite();

describe.runIf(THOROUGH).each(["alone", "in bubblewrap"] as const)("Pyodide %s", (form) => {
  const opened = usePyodide(form);
  let folder: string;
  let world: Awaited<ReturnType<typeof openTargets>>;
  beforeAll(async () => {
    folder = folderForAll("hasp-hostile-");
    world = await openTargets(folder);
  });
  afterAll(async () => {
    await world.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it("holds every hostile answer", { timeout: PATIENCE }, async ({ skip }) => {
    const containment = opened() ?? skip("Bubblewrap does not work here.");
    const faults = await runHostileAnswers(containment, world.targets);
    expect(unexpected(faults)).toEqual([]);
    expect([world.connections(), world.isIntact()]).toEqual([0, true]);
  });

  it.skipIf(!canBeAnother)(
    "holds them for a user without privileges too",
    { timeout: PATIENCE },
    async ({ skip }) => {
      if (opened() === undefined) skip("Bubblewrap does not work here.");
      const own = path.join(folder, "another");
      fs.mkdirSync(own);
      fs.chownSync(own, OTHER_USER, OTHER_USER);
      const faults = await runSuiteAs(
        OTHER_USER,
        form === "alone" ? "pyodide" : "pyodide in bubblewrap",
        own,
      );
      expect(unexpected(faults)).toEqual([]);
    },
  );
});
