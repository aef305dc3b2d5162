import { finalActionOf } from "../../model/action-types.ts";
import type { Episode, Step } from "../../model/episode.ts";
import { correctionOf, passedOf, votersAt } from "../signals/evidence.ts";
import { shown, type Detector } from "../../domains/detectors/episode-view.ts";

const isApplied = (step: Step, type: "MODIFY_ACTION" | "INJECT_CONTEXT"): readonly string[] =>
  step.events.flatMap(({ status, intervention, pass, skillId }) =>
    status === "applied" && intervention?.type === type && pass !== "post" ? [skillId] : [],
  );

/** Skills by which another action ran than was proposed: their Program Function, or the vote of their handler. */
function changers(episode: Episode, step: Step): readonly string[] {
  if (correctionOf(step) !== "modified") return [];
  return [...isApplied(step, "MODIFY_ACTION"), ...votersAt(episode, step.t)];
}

/** Skills whose context held back a final action. */
function holders(episode: Episode, step: Step): readonly string[] {
  const [first, ...later] = step.proposals;
  const isHeld = later.length > 0 && first?.action.type === finalActionOf(episode.facts);
  return isHeld ? isApplied(step, "INJECT_CONTEXT") : [];
}

export const pfOverrideHarmful: Detector = ({ episode }) => {
  if (passedOf(episode) !== false) return undefined;
  const overridden = episode.steps.flatMap((step, t) => {
    const by = [...changers(episode, step), ...holders(episode, step)];
    return by.length === 0 ? [] : [{ t, by }];
  });
  const skills = [...new Set(overridden.flatMap(({ by }) => by))].join(", ");
  return shown(
    overridden,
    (n) => `${skills} changed ${n === 1 ? "1 action" : `${n} actions`}, and the episode failed`,
  );
};
