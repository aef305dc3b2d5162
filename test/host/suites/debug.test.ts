import { equal, match, ok } from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

import { after, afterEach, before, describe, it } from "mocha";
import * as vscode from "vscode";

import { DebugRecorder, evaluate, type Frame, resume, topFrame } from "./debug-recorder.ts";
import { activated, eventually, skillMd, writeSkill } from "./support.ts";

const PF = `import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

/** Types and an interface, which the debugged copy does not hold. */
interface Wanted {
  readonly type: ActionType;
}

export default class SuiteDebug extends ProgramFunction {
  shouldActivate(ctx: StepContext, actionType: ActionType): boolean {
    const wanted: Wanted = { type: "SEARCH" };
    return actionType === wanted.type && ctx.searchCount > 0;
  }
  intervene(): Intervention {
    return injectContext("Look again.", "the suite says so");
  }
}
`;
/** 0-based. */
const RETURN_LINE = 10;
const FIRST_LINE = 9;

describe("HASP: Debug PF on This Step", () => {
  let recorder: DebugRecorder;
  /** The only folder of the PATH: its Node is too old, as that of a system may be. */
  let bin: string;
  const path = process.env["PATH"];
  let pf: vscode.Uri;
  const step = (): object => ({ run: ".hasp/runs/first-look", episode: 0, t: 1, skillId: "suite_debug" });

  before(async () => {
    await activated();
    bin = mkdtempSync(join(tmpdir(), "hasp-old-node-"));
    writeFileSync(join(bin, "node"), "#!/bin/sh\necho v20.20.2\n", { mode: 0o755 });
    process.env["PATH"] = bin;
    const files = { "SKILL.md": skillMd("suite-debug"), "pf.ts": PF };
    pf = vscode.Uri.joinPath(await writeSkill("suite-debug", files), "pf.ts");
    recorder = new DebugRecorder();
  });
  afterEach(() => vscode.debug.removeBreakpoints(vscode.debug.breakpoints));
  after(async () => {
    await vscode.debug.stopDebugging();
    recorder.dispose();
    process.env["PATH"] = path;
    rmSync(bin, { recursive: true });
  });

  /** Runs the command and says yes, as a person does by Enter on the first row. */
  async function debug(): Promise<void> {
    const run: { started?: boolean | undefined } = {};
    const isStarted = (): boolean => run.started === true;
    let running: Thenable<void> | undefined;
    // A skill that has just been written is not known at once: the command is tried again then.
    await eventually("the debugger to start", async () => {
      // Once it has started, a second look must not start it again.
      if (isStarted()) return true;
      running ??= vscode.commands
        .executeCommand<boolean | undefined>("hasp.debugPf", step())
        .then((result) => {
          run.started = result;
          running = undefined;
        });
      await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
      return isStarted();
    });
  }

  /** Checks the context at the next stop and resumes, once; gives the frame of the stop. */
  async function top(): Promise<Frame> {
    const stop = await eventually("a stop", () => recorder.stops.shift());
    const frame = await topFrame(stop);
    const seen = await evaluate(stop, frame, "ctx.question + ' | ' + ctx.searchCount + ' | ' + actionType");
    match(seen, /Who was the husband.* \| 1 \| SEARCH/);
    await resume(stop);
    return frame;
  }

  it("stops at a breakpoint in pf.ts in the editor's own Node, with the recorded context, and prints the decision", async () => {
    const at = new vscode.SourceBreakpoint(new vscode.Location(pf, new vscode.Position(RETURN_LINE, 0)));
    vscode.debug.addBreakpoints([at]);
    await debug();
    const frame = await top();
    equal(frame.line, RETURN_LINE + 1);
    match(frame.name, /shouldActivate/);
    // The server's window names it by a URI.
    ok(frame.source?.path?.endsWith(pf.path), frame.source?.path);
    await eventually("the decision", () => recorder.output.includes("INJECT_CONTEXT"));
    await recorder.allEnded();
    // The PATH has no Node that is recent enough.
    const started = recorder.configurations.map((one) => one["runtimeExecutable"] as string | undefined);
    ok(started.includes(process.execPath), started.join());
  });

  it("stops where the PF begins to decide if there is no breakpoint, and leaves none behind [thorough]", async () => {
    equal(vscode.debug.breakpoints.length, 0);
    await debug();
    equal((await top()).line, FIRST_LINE + 1);
    await recorder.allEnded();
    await eventually("no breakpoint", () => vscode.debug.breakpoints.length === 0);
  });

  it("debugs a skill that came with HASP Studio in a copy, and leaves the original alone [thorough]", async () => {
    const builtIn = { ...step(), skillId: "repeated_action" };
    const started = vscode.commands.executeCommand<boolean | undefined>("hasp.debugPf", builtIn);
    let ended = false;
    void started.then(() => (ended = true));
    await eventually("the debugger to start", async () => {
      await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
      return ended;
    });
    equal(await started, true);
    const stop = await eventually("a stop", () => recorder.stops.shift());
    const { source } = await topFrame(stop);
    match(source?.path ?? "", /\.hasp\/cache\/debug\/repeated_action\/pf\.ts$/);
    await resume(stop);
    await recorder.allEnded();
  });
});
