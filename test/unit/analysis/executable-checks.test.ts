import { afterAll, describe, expect, it } from "vitest";
import { checkExecutable, type ExecutableReport } from "../../../src/analysis/executable-checks.ts";
import { openCore, readFolders } from "../../support/core.ts";
import { paperSkill } from "../../support/shipped.ts";

const core = openCore();
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));

const FILE = "mine/pf.ts";

async function check(body: string, before = ""): Promise<ExecutableReport> {
  const source = `import { ProgramFunction, injectContext, noop } from "hasp";\n${before}\nexport default class Mine extends ProgramFunction {\n${body}\n}\n`;
  const { value, diagnostics } = await core.compiler.transpile(FILE, source);
  const program =
    value === undefined ? undefined : { skillId: "mine", priority: 0.5, file: FILE, code: value };
  return checkExecutable(diagnostics, program, core.host);
}

const outcomes = (report: ExecutableReport): string[] =>
  report.checks.map(({ name, outcome }) => `${name}: ${outcome}`);
const findings = (report: ExecutableReport) => report.checks.flatMap((one) => one.diagnostics);

const NEVER = "shouldActivate() { return false; }";
const ABSTAIN = 'intervene() { return noop("nothing to do"); }';

describe("the four executable checks (SPEC §7 D)", () => {
  it("pass for a shipped skill; for each of them: golden/cli.test.ts", async () => {
    const [folder] = await readFolders(core.compiler, paperSkill("retrieval-failure"));
    const report = await checkExecutable([], folder?.program, core.host);
    expect(findings(report)).toEqual([]);
    expect(report.score).toBe(1);
  });

  it("stop at syntax when the file does not compile", async () => {
    const report = await check("shouldActivate( {");
    expect(outcomes(report)).toEqual([
      "syntax: failed",
      "interface: not run",
      "mock execution: not run",
      "return type: not run",
    ]);
    expect(report.score).toBe(0);
    expect(findings(report)[0]).toMatchObject({ file: FILE, severity: "error" });
  });

  it("stop at the interface when a method is missing", async () => {
    const report = await check(NEVER);
    expect(outcomes(report)[1]).toBe("interface: failed");
    expect(report.score).toBe(0.25);
    expect(findings(report)[0]?.message).toContain("intervene");
  });

  it("run intervene even where shouldActivate says no, and name the line that threw", async () => {
    const report = await check(`${NEVER}\n  intervene(ctx) { return ctx.nothing.at(0); }`);
    expect(outcomes(report)[2]).toBe("mock execution: failed");
    expect(findings(report)[0]).toMatchObject({ code: "HASP252", file: FILE, range: { start: { line: 4 } } });
    expect(findings(report)[0]?.next).toBeTruthy();
  });

  it("tell a wrong return type from a failure", async () => {
    const report = await check(`shouldActivate() { return "yes"; }\n  ${ABSTAIN}`);
    expect(outcomes(report).slice(2)).toEqual(["mock execution: passed", "return type: failed"]);
    expect(report.score).toBe(0.75);
    expect(findings(report)[0]?.message).toMatch(/must return true or false/);
  });

  it("find a PF that counts its own calls, by asking in another order", async () => {
    const report = await check(
      `shouldActivate() { return false; }\n  intervene() { calls += 1; return noop("call " + calls); }`,
      "let calls = 0;",
    );
    expect(findings(report).map((found) => found.code)).toEqual(["HASP254"]);
  });

  it("end for a PF that never does", async () => {
    const report = await check(`shouldActivate() { for (;;) {} }\n  ${ABSTAIN}`);
    expect(outcomes(report)[2]).toBe("mock execution: failed");
    expect(findings(report)[0]?.message).toMatch(/too long/);
  });
});
