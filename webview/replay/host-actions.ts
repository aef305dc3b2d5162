import type { FailurePattern } from "../../src/model/failure-pattern.ts";
import type { HelpPlace } from "../../src/model/help-page.ts";
import type { RunFiller, StepCommand } from "../../src/protocol/replay.ts";
import type { ReplayConnection } from "../shared/host.ts";
import { failureOf } from "./loader.ts";
import { headAt } from "./showing.ts";
import type { ReplayState } from "./state.ts";
import type { Store } from "./store.ts";

/** Commands that run in the host. The view shows the failure of one. */
export interface HostActions {
  /** Makes a skill from all episodes that show the pattern; the one shown comes first if it does. */
  newSkillFromPattern(pattern: FailurePattern): void;
  openSource(skillId: string, line: number | undefined): void;
  /** Runs a command of the host on the step shown; of a PF where `skillId` says which. */
  stepCommand(command: StepCommand, skillId?: string): void;
  openLog(): void;
  /** Opens a shipped page of help, e.g. at a term. */
  openHelp(place: HelpPlace): void;
  fillRun(command: RunFiller): void;
}

const COMMAND_NAMES: Readonly<Record<StepCommand, string>> = {
  newSkillFromStep: "New Skill from This Step",
  addStepAsCase: "Add Step as Case",
  debugPf: "Debug PF on This Step",
  branchFromHere: "Branch from Here",
  judgeWithRunSkills: "Judge with the Skills of the Run",
  judgeWithTodaysSkills: "Judge with Today's Skills",
};

export function createHostActions(connection: ReplayConnection, store: Store<ReplayState>): HostActions {
  const act = (failure: string, request: Promise<unknown>): void => {
    request.catch((error: unknown) => store.update({ failedAction: failureOf(failure, error) }));
  };
  return {
    newSkillFromPattern: (pattern) => {
      const { index, facets } = store.get();
      const shows = facets.found.get(index ?? -1)?.patterns.some(({ name }) => name === pattern) === true;
      const params = shows && index !== undefined ? { pattern, index } : { pattern };
      act("“New Skill from This Pattern” did not run.", connection.request("newSkillFromPattern", params));
    },
    openSource: (skillId, line) =>
      act(
        `The source of ${skillId} could not be opened.`,
        connection.request("openSource", line === undefined ? { skillId } : { skillId, line }),
      ),
    stepCommand: (command, skillId) => {
      const { index, t } = store.get();
      if (index === undefined || headAt(store.get(), index)?.length === 0) return;
      const params = skillId === undefined ? { command, index, t } : { command, index, t, skillId };
      act(`“${COMMAND_NAMES[command]}” did not run.`, connection.request("stepCommand", params));
    },
    fillRun: (command) => act("The command did not run.", connection.request("fillRun", { with: command })),
    openLog: () => act("The log could not be opened.", connection.request("openLog", {})),
    openHelp: (place) => act("The help could not be opened.", connection.request("openHelp", place)),
  };
}
