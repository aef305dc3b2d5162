import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasp as haspIn } from "../support/cli.ts";
import { RUN, sampleWorkspace } from "../support/sample-workspace.ts";

const WORKSPACE = path.join(mkdtempSync(path.join(tmpdir(), "hasp-wrong-")), "workspace");

const hasp = (...args: string[]) => haspIn(args, { cwd: WORKSPACE });

beforeAll(() => sampleWorkspace(WORKSPACE));
afterAll(() => rmSync(path.dirname(WORKSPACE), { recursive: true, force: true }));

describe("hasp, given something wrong", () => {
  it.each([
    [["no-such-command"], "unknown command"],
    [["backtest", "--skills", "skills"], "required option"],
    [["validate", "nowhere"], "There is no nowhere"],
    [["validate", ".hasp"], "No skill at .hasp"],
    [["replay", "skills", "--episode", "1"], "There is no run at skills"],
    [["replay", RUN, "--episode", "99"], "The run has no episode 99"],
    [["explain", RUN, "--episode", "1", "--step", "0", "--skill", "retrieval_failure"], "counted from 1"],
    [["find", RUN, " "], "is empty"],
    [
      ["run", "--domain", "agent", "--questions", "q.jsonl", "--policy", "recorded:x", "-o", "x"],
      "no environment for the domain",
    ],
    [
      ["run", "--domain", "maths", "--questions", "q.jsonl", "--policy", "recorded:x", "-o", "x"],
      "No domain is called",
    ],
    [
      ["experiment", "e1", "--domain", "coding-agent", "--questions", "q.jsonl"],
      "Domains with an environment: web-search",
    ],
    [["judge", RUN, "--judge", "exact_maths"], "names neither a judge nor a model"],
    [["score", RUN, "--judge", "exact_match"], "Use exact_math, or a model: openai:<model>"],
    [["import", "--from", "reflexion", "missing.jsonl", "-o", "x"], "no such file"],
    [
      ["review", "skills", "--teacher", "http://gpu.lan:8000/v1#m"],
      "set HASP_PLAIN_HTTP=http://gpu.lan:8000",
    ],
    [["review", "skills", "--teacher", "http://8.8.8.8/v1#m"], "Use https, or a tunnel"],
  ])("%j ends with 2 and says what to do", async (args, says) => {
    const { code, out, err } = await hasp(...args);
    expect(code).toBe(2);
    expect(out + err).toContain(says);
  });

  it("reports a broken skill and a hanging PF with file and line, ends with 1, and goes on with the others", async () => {
    const broken = path.join(WORKSPACE, "broken");
    mkdirSync(path.join(broken, "hangs"), { recursive: true });
    mkdirSync(path.join(broken, "torn"), { recursive: true });
    const good = path.join(WORKSPACE, "skills/web-search/retrieval-failure");
    cpSync(good, path.join(broken, "retrieval-failure"), { recursive: true });
    writeFileSync(path.join(broken, "torn/SKILL.md"), "---\nname: [torn\n---\n");
    writeFileSync(
      path.join(broken, "hangs/SKILL.md"),
      "---\nname: hangs\ndescription: Never ends.\nmetadata:\n  hasp:\n    skill_id: hangs\n    title: Hangs\n    version: 1\n    priority: 0.5\n    error_category: hangs\n    applicable_modes: [all]\n    applicable_phases: [think]\n    system_summary: Never ends.\n---\n\n# Hangs\n",
    );
    writeFileSync(
      path.join(broken, "hangs/pf.ts"),
      'import { ProgramFunction, noop, type Intervention } from "hasp";\nexport default class Hangs extends ProgramFunction {\n  shouldActivate(): boolean {\n    for (;;) {}\n  }\n  intervene(): Intervention {\n    return noop("never");\n  }\n}\n',
    );
    const { code, out } = await hasp("validate", "broken");
    expect(code).toBe(1);
    expect(out).toMatch(/broken\/torn\/SKILL\.md:\d+:\d+ {2}error/);
    expect(out).toMatch(/broken\/hangs\/pf\.ts:\d+:\d+ {2}error {2}HASP252 {2}.*too long/);
    expect(out).toContain("✓ retrieval_failure");
  });

  it("runs the cases as the editor does, mends none of them by itself, and leaves them out when told", async () => {
    const folder = path.join(WORKSPACE, "doubtful/retrieval-failure");
    cpSync(path.join(WORKSPACE, "skills/web-search/retrieval-failure"), folder, { recursive: true });
    const file = path.join(folder, "cases.yaml");
    const doubtful = readFileSync(file, "utf8").replace("fires: false", "fires: true");
    writeFileSync(file, doubtful);
    const { code, out } = await hasp("validate", "doubtful", "--fix");
    expect(code).toBe(1);
    expect(out).toMatch(
      /cases\.yaml:\d+:\d+ {2}error {2}HASP310 {2}.*: expected fires, but it does not fire\n {4}→ Change the PF/,
    );
    expect(out).toContain("✗ retrieval_failure: 4 of 4 executable checks passed, 8 of 9 cases hold");
    expect(readFileSync(file, "utf8")).toBe(doubtful);
    expect(await hasp("validate", "doubtful", "--no-cases")).toMatchObject({
      code: 0,
      out: "✓ retrieval_failure: 4 of 4 executable checks passed\n1 skill: 0 errors, 0 warnings\n",
    });
  });

  it("without a path takes hasp.yaml, its libraries, and what it says of them", async () => {
    const config = path.join(WORKSPACE, "hasp.yaml");
    for (const name of ["repeated-action", "question-echo"])
      cpSync(path.join(WORKSPACE, "skills/web-search", name), path.join(WORKSPACE, "few", name), {
        recursive: true,
      });
    writeFileSync(config, "libraries: [few]\ndisabled_skills:\n  - repeted_action\n  - question_echo\n");
    try {
      const { code, out } = await hasp("validate");
      expect(out).toMatch(
        /^hasp\.yaml:3:5 {2}warning {2}HASP419 {2}No skill of the libraries is called "repeted_action", so nothing is switched off\.\n {4}→ Did you mean "repeated_action"\?/,
      );
      expect(out).toMatch(/question-echo\/SKILL\.md:\d+:\d+ {2}information {2}HASP430/);
      expect(out).toMatch(/2 skills: 0 errors, 1 warning\n$/);
      expect(code).toBe(0);
    } finally {
      rmSync(config);
    }
  });
});
