import { START_OF_FILE, type Checked } from "../model/diagnostic.ts";
import type { Episode } from "../model/episode.ts";
import { noteLabel, type Note } from "../model/note.ts";
import { renderCase, type NewCase } from "../skill/render-case.ts";
import { caseSessionOf } from "./case-session.ts";
import { contextAt, type ContextRules } from "./context-at.ts";

/** Characters of one case: cases.yaml may have 1,000,000 in all, and a longer one is read by no person. */
const LONGEST_CASE = 200_000;

export interface NoteCase {
  readonly case: NewCase;
  /** For people: who noted what, and where. It stands above the case. */
  readonly comment: string;
}

/**
 * The case that a note asks for: the recorded context of its step, and what the policy proposed first. A step that is `good` must be
 * left alone, at any other the PF must fire. A note on the whole episode speaks of its last step. What the PF remembers at that step
 * is not part of it. RangeError where the episode has no such step.
 */
export function caseOfNote(note: Note, episode: Episode, rules: ContextRules): NoteCase {
  const t = note.t ?? episode.steps.length - 1;
  const context = contextAt(episode, t, rules);
  const proposed = episode.steps[t]?.proposals[0]?.action;
  if (proposed === undefined) throw new RangeError(`No step ${t} among ${episode.steps.length}`);
  const session = caseSessionOf(episode, t, rules);
  const label = noteLabel(note.kind);
  const at = `episode ${episode.id}, step ${t + 1}`;
  const said = note.text === undefined || note.text === "" ? "" : `: ${note.text}`;
  const by = note.author === undefined ? "" : ` by ${note.author}`;
  return {
    case: {
      name: `${label}, ${at}`,
      context,
      memory: undefined,
      ...(session && { session }),
      proposed,
      expect: { fires: note.kind !== "good" },
    },
    comment: `Noted ${note.when}${by} on ${at}, which ended ${episode.outcome}: ${label}${said}`,
  };
}

/** The same as an entry of cases.yaml; no value where its texts are too long for one. */
export function renderNoteCase(note: Note, episode: Episode, rules: ContextRules): Checked<string> {
  const { case: made, comment } = caseOfNote(note, episode, rules);
  const value = renderCase(made, comment);
  if (value.length <= LONGEST_CASE) return { value, diagnostics: [] };
  const diagnostic = {
    code: "HASP516",
    severity: "error",
    message: `The context of step ${(note.t ?? episode.steps.length - 1) + 1} has ${value.length} characters as a case; ${LONGEST_CASE} are the most.`,
    next: "Choose an earlier step, or write the case by hand with the part of the texts that matters.",
    range: START_OF_FILE,
  } as const;
  return { value: undefined, diagnostics: [diagnostic] };
}
