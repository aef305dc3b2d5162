import { expect, test } from "vitest";
import { redrivenRemark } from "../../../src/model/redriven.ts";

const run = (title: string, policy?: unknown) => ({
  title,
  settings: policy === undefined ? undefined : { policy },
});
const live = run("live", "http://127.0.0.1:8000/v1#q");
const redriven = run("again", "recorded:.hasp/runs/live");

test("a comparison with a run of recorded proposals says that it can win nothing, and what it costs", () => {
  const [remark, ...others] = redrivenRemark([live, redriven], [2.2, 3.4]);
  expect(others).toEqual([]);
  expect(remark).toMatchObject({ code: "HASP866", severity: "information" });
  expect(remark?.message).toContain("The proposals of again come from a record");
  expect(remark?.message).toContain("3.4 steps an episode in again, 2.2 in live (+55%)");
});

test.each([
  ["none known", [undefined, undefined]],
  ["none at all", [0, 0]],
] as const)("with steps: %s, nothing is said of the cost", (_name, steps) => {
  expect(redrivenRemark([redriven, live], steps)[0]?.message).not.toContain("cost");
});

test.each([
  ["live runs", live, live],
  ["imports", run("import"), run("import")],
  ["settings of another kind", run("x", 4), live],
])("%s get none", (_name, a, b) => {
  expect(redrivenRemark([a, b], [1, 2])).toEqual([]);
});
