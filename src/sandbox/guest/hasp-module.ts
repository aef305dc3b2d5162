import { askedFor } from "../../skill/asked-for.ts";
import { gitCall } from "../../skill/git-call.ts";
import { freshQuery, tellingWords } from "../../skill/fresh-query.ts";
import { changeCommand, changeInput, refuse } from "../../skill/tool-call.ts";
import type { Intervention } from "../../model/intervention.ts";

/** One list for all, so that the instances of most PFs stay flat (guest/programs.ts). */
export const NOTHING: readonly string[] = Object.freeze([]);

/** The class that a PF extends. Its methods are the PF's own. */
export class ProgramFunction {
  needsTeacher = false;
  maxFires: number | undefined = undefined;
  after: readonly string[] = NOTHING;
}

function modifyAction(change: { type?: string; arg?: string; reason: string }): Intervention {
  return {
    type: "MODIFY_ACTION",
    ...(change.type !== undefined && { newActionType: change.type }),
    ...(change.arg !== undefined && { newActionArg: change.arg }),
    reason: change.reason,
  };
}

function injectContext(text: string, reason: string): Intervention {
  return { type: "INJECT_CONTEXT", contextText: text, reason };
}

function noop(reason: string): Intervention {
  return { type: "NOOP", reason };
}

/** What `import … from "hasp"` finds inside the sandbox; its types are in skill/lib/hasp.d.ts. */
export const haspModule = {
  ProgramFunction,
  modifyAction,
  injectContext,
  noop,
  freshQuery,
  tellingWords,
  changeCommand,
  changeInput,
  refuse,
  askedFor,
  gitCall,
};
