import { isOnlyFinal } from "../model/action-types.ts";
import { surfacesOf } from "../model/control.ts";
import type { Proposal } from "../model/episode.ts";
import type { StepDecision } from "./dispatch.ts";
import {
  selectInstructions,
  selectOnDraft,
  type DraftChoice,
  type InstructionChoice,
  type InstructionInput,
} from "./select/instructions.ts";
import type { Asked } from "./session-state.ts";
import type { Opened } from "./session-task.ts";

function reminderInput({ task, selected, state }: Opened, t: number): InstructionInput {
  const { pfs } = surfacesOf(task.control);
  const { library, facts } = task;
  return {
    t,
    context: state.context,
    observation: state.observation,
    skills: selected.withText,
    control: task.control,
    last: state.last,
    searchReturnsText: facts.searchReturnsText,
    holdsBack: pfs,
    onlyFinal: isOnlyFinal(facts),
    textAlone: new Set(library.flatMap(({ skill, program }) => (program === undefined ? skill.skillId : []))),
    standing: state.standing,
    told: state.told,
  };
}

/** The instructions that the policy reads before step `t`. */
export function remind(opened: Opened, t: number): InstructionChoice {
  const choice = selectInstructions(reminderInput(opened, t));
  opened.state.standing = choice.standing;
  return choice;
}

/** The instructions that go with the contexts, `told` in number, that hold back the final action of step `t`. */
export function onDraft(opened: Opened, t: number, held: Proposal, told: number): DraftChoice {
  const draft = `${held.thought}\n${held.action.arg}`;
  return selectOnDraft({ ...reminderInput(opened, t), told, draft });
}

/** What a held-back final action is sent back with; undefined where it stands. A first one may be held back by phase texts alone. */
export function choiceOnDraft(
  opened: Opened,
  { t, nth }: Asked,
  held: Proposal,
  { executed, injected, holdBack }: StepDecision,
): DraftChoice | undefined {
  const { facts, domain, control } = opened.task;
  const mayHold =
    isOnlyFinal(facts) && surfacesOf(control).pfs && nth === 0 && executed.type === domain.finalAction;
  if (!holdBack && !mayHold) return undefined;
  const choice = onDraft(opened, t, held, injected.length);
  return holdBack || choice.holdsBack ? choice : undefined;
}
