import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeJudge } from "../../../../../src/domains/code/judge/code-judge.ts";
import { writeMaterial, type Material } from "../../../../../src/domains/code/judge/material.ts";
import { CAN_RUN, openCodeJudge } from "../../../../support/code-judge.ts";
import { ASSERTS, CALLS, ECHO, METHOD, UNITTEST } from "../../../../support/code-materials.ts";

const UNJUDGED: readonly (readonly [string, Material, string])[] = [
  [
    "a package",
    { ...UNITTEST, prompt: "import no_such_package\ndef shout(text):\n" },
    "needs no_such_package, which is not installed here",
  ],
  [
    "a package that another one asks for",
    {
      ...UNITTEST,
      prompt:
        "raise ImportError(\"Missing optional dependency 'no_such_reader'. Install it.\")\ndef shout(text):\n",
    },
    "needs no_such_reader, which is not installed here",
  ],
  [
    "a reference that fails",
    { ...ASSERTS, asserts: ["assert area(2) == 5"] },
    "its reference solution fails its tests here",
  ],
  [
    "a reference without a value",
    { ...CALLS, solution: "    raise ValueError\n" },
    "its reference solution fails its tests here",
  ],
  ["inputs", { ...CALLS, groups: [{ name: "base", inputs: "[]" }] }, "it has no tests"],
  ["assertions", { ...ASSERTS, asserts: [] }, "it has no tests"],
  ["scripts' tests", { kind: "scripts", tests: [] }, "it has no tests"],
  [
    "an input that can be read",
    { ...METHOD, tests: [{ input: "[1", output: "1" }] },
    "its tests have a form that is not known",
  ],
  [
    "a value that is expected",
    { ...METHOD, tests: [{ input: "1", output: "NaN" }] },
    "its tests expect a value that cannot be compared",
  ],
  [
    "a value that is expected in an assertion",
    { ...ASSERTS, imports: ["import datetime"], asserts: ["assert area(2) == datetime.date(2000, 1, 1)"] },
    "its tests expect a value that cannot be compared",
  ],
  [
    "tests, of which it writes some itself",
    { ...ASSERTS, imports: [`import os\nos.write(3, b'["test", null]\\n["test", {"entry": 5}]\\n')`] },
    "its tests have a form that is not known",
  ],
  ["tests of another form", { ...ASSERTS, plus: "inputs = 5" }, "its tests have a form that is not known"],
];

describe.skipIf(!CAN_RUN)("questions without a verdict (skipped without a containment)", () => {
  let judge: Awaited<ReturnType<typeof openCodeJudge>>;
  beforeAll(async () => {
    judge = await openCodeJudge();
  });
  afterAll(async () => judge.close());

  test.each(UNJUDGED)("no verdict for want of %s", async (_, material, why) => {
    expect(await judge.ask(material, "def area(s): pass")).toEqual({ why });
  });

  test.each([
    ["no material", undefined, "it has no tests"],
    ["material of another form", '{"kind": "scipts"}', "its tests have a form that is not known"],
    ["material that is no JSON", "assert f(1) == 2", "its tests have a form that is not known"],
  ])("no verdict for %s", async (_, material, why) => {
    expect(await judge.ask(material, "def area(s): pass")).toEqual({ why });
  });
});

test("without a containment no answer has a verdict, and each says why", async () => {
  const next = "Install one.";
  const judge = await codeJudge.open({
    concurrency: 1,
    openContainment: async () => ({ why: "nothing contains", next }),
  });
  const task = {
    question: "",
    answer: "def echo(x): return x",
    gold: undefined,
    material: writeMaterial(ECHO),
  };
  const reply = await judge.judge(task, new AbortController().signal);
  expect(reply).toEqual({ why: "no containment here: nothing contains. Install one." });
  await judge.close();
});
