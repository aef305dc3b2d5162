import { domainOfRecord } from "../domains/registry.ts";
import { DEFAULT_CONTROL, surfacesOf, type Control } from "../model/control.ts";
import type { Episode } from "../model/episode.ts";

const sameKind = (a: unknown, b: unknown): boolean =>
  typeof a === typeof b && Array.isArray(a) === Array.isArray(b);

/**
 * The control that an episode was run with, as its settings record it. An imported episode records none, and an old one not every knob:
 * these have the defaults of the domain, because an agent's session has other limits than a question.
 */
export function controlOf({ settings, facts }: Pick<Episode, "settings" | "facts">): Control {
  const recorded = settings?.["control"];
  const usual: Control = { ...DEFAULT_CONTROL, ...domainOfRecord(facts).defaults };
  if (typeof recorded !== "object" || recorded === null) return usual;
  const values = new Map(Object.entries(recorded));
  const known = Object.entries(usual).filter(([key, fallback]) => sameKind(values.get(key), fallback));
  return { ...usual, ...Object.fromEntries(known.map(([key]) => [key, values.get(key)])) };
}

/** Whether the PFs of an episode had a teacher to ask; of a record that does not say so, whether one of them asked. */
export function hadTeacher(episode: Pick<Episode, "settings" | "facts" | "steps">): boolean {
  const teacher = episode.settings?.["teacher"];
  if (typeof teacher === "string") return teacher !== "none" && surfacesOf(controlOf(episode)).teacher;
  return episode.steps.some(({ events }) => events.some(({ teacherCalls }) => teacherCalls !== undefined));
}
