import { describe, expect, it } from "vitest";
import { exportAtif } from "../../../src/trace/export-atif.ts";
import { codexOutput } from "../../../src/trace/formats/codex-output.ts";
import { exitCodeIn } from "../../../src/trace/formats/exit-code.ts";
import { TRAJ } from "./formats-fixtures.ts";
import { importValue } from "./formats-support.ts";

it("an export to ATIF and back keeps what only episodes of coding agents have", async () => {
  const given = await importValue(TRAJ, "case-1.traj");
  const more = { prompts: ["Go on."], unanswered: [0], result: { ok: false, exitCode: 2 } };
  const steps = given.steps.map((step) => (step.t === 1 ? { ...step, ...more } : step));
  const episode = { ...given, steps };
  expect(await importValue(exportAtif(episode, "1.0.0").document)).toEqual(episode);
});

describe("how a command ended", () => {
  it.each([
    ["Exit code 2\nboom", 2],
    ["Error: Exit code 1", 1],
    ["x\n<exited with exit code 3>\n", 3],
    ["x\n<shellId: 12 completed with exit code 3>", 3],
    ["x\nCommand exited with code 4", 4],
    ["Exit code 1\n<exited with exit code 0>", 0],
    ["<exited with exit code 1>\n<exited with exit code 0>\r\n", 0],
    ["the tests say: Exit code 5", undefined],
    ["Process exited with code 6\nmore", undefined],
    ["Exit code 2x", undefined],
    [`Exit code 7\n${"x".repeat(5000)}`, 7],
    ["", undefined],
  ])("%j", (text, code) => expect(exitCodeIn(text)).toBe(code));

  it.each([
    ["Chunk ID: a\nWall time: 1 s\nProcess exited with code 2\nOutput:\nx", { exitCode: 2, ok: false }],
    ["Exit code: 0\nWall time: 1 s\nOutput:\nx", { exitCode: 0, ok: true }],
    [{ content: "x", success: true }, { ok: true }],
    ['{"output":"printed by the program"}', undefined],
    [{ output: "x", metadata: { exit_code: 1.5 } }, undefined],
  ])("of Codex: %j", (output, result) => expect(codexOutput(output).result).toEqual(result));
});
