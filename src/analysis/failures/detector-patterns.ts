import type { DetectorPattern, FailureDetector } from "../../model/failure.ts";

/** The pattern of each detector's failures where the domain has none of its own: that of an agent that searches. Fixed, so that equal runs give equal clusters. */
export const DETECTOR_PATTERNS: Readonly<Record<FailureDetector, DetectorPattern>> = {
  premature_final: {
    group: "termination",
    abstraction: "The agent gives its answer before it has gathered enough for a question of several facts.",
    trigger: "A final answer is proposed in the first or second step.",
    hint: "Replace the early answer by a search for the part of the question that nothing has covered yet.",
  },
  repeated_search: {
    group: "retrieval",
    abstraction: "The agent sends nearly the same query again and gets nearly the same results.",
    trigger: "A search shares over four fifths of its words with an earlier search.",
    hint: "Reword the query, or search for another entity of the question.",
  },
  no_read_before_final: {
    group: "evidence",
    abstraction: "The agent answers from titles, snippets or memory, without opening a document.",
    trigger: "A final answer is proposed while no document has been read.",
    hint: "Read the best document, or verify the answer by a search, before answering.",
  },
  query_too_broad: {
    group: "retrieval",
    abstraction: "A query names a bare subject, so that the search finds nothing or a page of many meanings.",
    trigger: "A search of one or two content words.",
    hint: "Add a word of the question that tells the subject apart, such as a place, a year or a profession.",
  },
  query_too_narrow: {
    group: "retrieval",
    abstraction: "A query asks for too much at once, so that no page matches it.",
    trigger: "A search of more than fifteen words, or of a quoted phrase.",
    hint: "Shorten the query to the one entity that the next fact is about, without quotation marks.",
  },
  wrong_entity_focus: {
    group: "entity",
    abstraction: "The agent follows an entity that is related to the question and answers about it.",
    trigger: "A final answer names an entity whose relation to the question was never checked.",
    hint: "Search for the entity that the question asks about, and compare it with the answer.",
  },
  reasoning_hallucination: {
    group: "evidence",
    abstraction: "The answer holds names, dates or facts that no document says.",
    trigger: "Most content words of a final answer are in nothing that was read, nor in the question.",
    hint: "Search for the question again, and answer from the text that comes back.",
  },
  format_mismatch: {
    group: "format",
    abstraction: "The answer is a sentence or an explanation instead of a short name, date or number.",
    trigger: "A final answer is longer than answers of this domain are.",
    hint: "Keep the shortest phrase that answers the question.",
  },
  partial_answer: {
    group: "format",
    abstraction:
      "The answer leaves out a part of the full name, or of the several things that are asked for.",
    trigger:
      "A final answer is shorter than the phrase that the documents use, or covers one part of the question.",
    hint: "Give the complete name as it is written in the source, and all parts that the question asks for.",
  },
  contradictory_evidence_ignored: {
    group: "evidence",
    abstraction: "Sources disagree, and the agent takes one of them without a further look.",
    trigger: "A final answer is proposed while the latest results contradict one another.",
    hint: "Search for a further source that settles the contradiction.",
  },
  excessive_steps_no_progress: {
    group: "termination",
    abstraction: "The agent goes on for several steps that bring nothing new.",
    trigger: "Three steps in a row found nothing, or what was known already.",
    hint: "Change the approach: search for another entity, or answer with what is known.",
  },
  incomplete_implementation: {
    group: "format",
    abstraction:
      "The program is not whole: it does not parse, it is a stub, or a path through it gives nothing.",
    trigger: "A final answer with a syntax error, a body without statements, or a path without a result.",
    hint: "Quote the place that is not finished, and have it written out before the answer is given.",
  },
  incomplete_logic: {
    group: "evidence",
    abstraction: "The program runs, and gives a wrong result for a part of the input that the task allows.",
    trigger: "A final answer whose program treats no case at the edges of what the task allows.",
    hint: "Name a case that the program may get wrong, and have it followed through the lines that treat it.",
  },
  pf_override_harmful: {
    group: "control",
    abstraction: "A skill changes an action, or holds back an answer, and the episode is lost all the same.",
    trigger: "A Program Function modifies an action that was sound, or holds back an answer.",
    hint: "Fall back to a search that follows the question, or leave the action as it was proposed.",
  },
};
