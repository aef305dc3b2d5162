import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Material } from "../../../../../src/domains/code/judge/material.ts";
import { folderForAll } from "../../../../support/folder-for-all.ts";
import { CAN_RUN, openCodeJudge } from "../../../../support/code-judge.ts";
import { FORGED_ANSWERS } from "../../../../support/forged-answers.ts";
import { attackOf, HOSTILE_ANSWERS } from "../../../../support/hostile-answers.ts";
import { THOROUGH } from "../../../../support/thorough.ts";
import { openTargets } from "../../../../support/hostile-suite.ts";

const DOUBLE: Material = {
  kind: "calls",
  entry: "double",
  prompt: "def double(n):\n",
  solution: "    return 2 * n\n",
  tolerance: 0,
  groups: [{ name: "base", inputs: "[[3], [50000017]]" }],
};

const RIGHT = "def double(n): return n + n";

/** Without `--thorough` the ones that take what they can get are left out: a judge gives them gigabytes and seconds. */
const ATTACKS = HOSTILE_ANSWERS.filter(({ ends }) => THOROUGH || ends === undefined);

describe.skipIf(!CAN_RUN)("hostile answers (skipped without a containment)", () => {
  let judge: Awaited<ReturnType<typeof openCodeJudge>>;
  beforeAll(async () => {
    judge = await openCodeJudge();
  });
  afterAll(async () => judge.close());

  test(`${FORGED_ANSWERS.length} forgeries are not judged right, and the answers beside them are judged as ever`, async () => {
    const all = FORGED_ANSWERS.map(async ({ name, code }) => {
      const forged = await judge.ask(DOUBLE, code.replaceAll("@expected@", "6"));
      const right = await judge.ask(DOUBLE, RIGHT);
      return { name, forged: forged.passed, right: right.passed };
    });
    const wrong = (await Promise.all(all)).filter(({ forged, right }) => forged === true || right !== true);
    expect(wrong).toEqual([]);
  }, 120_000);

  test(`${ATTACKS.length} attacks are not judged right`, async () => {
    const folder = folderForAll("hasp-judged-");
    const opened = await openTargets(folder);
    const all = ATTACKS.map(async (answer) => {
      const code = `${attackOf(answer, opened.targets, "none")}\ndef double(n):\n    attack()\n    return None\n`;
      return { name: answer.name, passed: (await judge.ask(DOUBLE, code)).passed };
    });
    const right = (await Promise.all(all)).filter(({ passed }) => passed === true);
    const reached = { connections: opened.connections(), isIntact: opened.isIntact() };
    await opened.close();
    rmSync(folder, { recursive: true });
    expect(right).toEqual([]);
    expect(reached).toEqual({ connections: 0, isIntact: true });
  }, 900_000);
});
