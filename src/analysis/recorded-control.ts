import { domainOfRecord } from "../domains/registry.ts";
import { DEFAULT_CONTROL, surfacesOf, type Control } from "../model/control.ts";
import type { Episode } from "../model/episode.ts";

/**
 * The control that an episode ran with. An imported episode records none, and one of an older version not every knob: these have the
 * defaults of the domain, because an agent's session has other limits than a question.
 */
export function controlOf({ settings, facts }: Pick<Episode, "settings" | "facts">): Control {
  const recorded = settings?.control;
  return {
    ...DEFAULT_CONTROL,
    ...domainOfRecord(facts).defaults,
    // Runs of the versions without this knob added every context.
    ...(recorded !== undefined && { maxContexts: DEFAULT_CONTROL.maxContexts }),
    ...recorded,
  };
}

/** Whether the PFs of an episode had a teacher to ask; of a record that does not say so, whether one of them asked. */
export function hadTeacher(episode: Pick<Episode, "settings" | "facts" | "steps">): boolean {
  const teacher = episode.settings?.teacher;
  if (teacher !== undefined) return teacher !== "none" && surfacesOf(controlOf(episode)).teacher;
  return episode.steps.some(({ events }) => events.some(({ teacherCalls }) => teacherCalls !== undefined));
}
