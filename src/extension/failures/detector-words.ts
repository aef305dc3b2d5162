import type { FailureDetector, FailureGroup } from "../../model/failure.ts";

/** The failure that each detector finds in an episode, in one sentence for a tooltip; docs/failures.md has the exceptions. */
export const DETECTOR_WORDS: Readonly<Record<FailureDetector, string>> = {
  premature_final: "The answer came in fewer than 3 steps.",
  repeated_search: "A search shares more than 80% of its words with an earlier one.",
  no_read_before_final: "No document was read before the answer.",
  query_too_broad: "A search of at most 2 content words found nothing, or a page of many meanings.",
  query_too_narrow: "A search has more than 15 words, or has a quoted phrase and found nothing.",
  wrong_entity_focus: "The answer has less than 30% of the words of every accepted answer.",
  reasoning_hallucination: "Less than 30% of the content words of the answer were read before it.",
  format_mismatch: "The answer has more than 5 words.",
  partial_answer: "The answer has a part, at least 30%, of the words of the nearest accepted answer.",
  contradictory_evidence_ignored: "The latest results before the answer contradicted one another.",
  excessive_steps_no_progress: "At least 3 steps in a row brought nothing new.",
  incomplete_implementation:
    "The program does not parse, has a function without a body, or gives None on a path.",
  incomplete_logic: "Tests fail, although the program is whole.",
  pf_override_harmful: "A skill changed an action or held back the answer, and the episode failed.",
};

/** The kind of failure that a group holds, for a tooltip. */
export const GROUP_WORDS: Readonly<Record<FailureGroup, string>> = {
  termination: "the episode ends at the wrong time, or never",
  retrieval: "a search or its query fails",
  entity: "the answer is about something else",
  evidence: "the answer is not supported by what was read",
  format: "the answer has the wrong form, or is incomplete",
  control: "a skill or a tool interferes",
};
