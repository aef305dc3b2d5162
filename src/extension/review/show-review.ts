import { linkFeedback, type SkillTexts } from "../../review/feedback-links.ts";
import { changedSince } from "../../review/review-store.ts";
import {
  DIMENSION_WEIGHTS,
  DIMENSIONS,
  type Dimension,
  type Fingerprint,
  type Review,
  type ReviewEdit,
} from "../../model/review.ts";
import type { ReviewHead, ScoreRow, ShownEdit, ShownReview } from "../../protocol/review.ts";

interface DimensionWords {
  readonly name: string;
  readonly meaning: string;
}

const WORDS: Readonly<Record<Dimension, DimensionWords>> = {
  concept: {
    name: "Concept",
    meaning: "Does the failure come back, does the lesson carry over, and is it not in the library already?",
  },
  trigger: { name: "Trigger", meaning: "Does it fire where it should, and only there?" },
  intervene: { name: "Intervention", meaning: "Does it repair this failure and break nothing?" },
  exec: {
    name: "Execution",
    meaning:
      "Does the code load and keep to its interface? The teacher's opinion; the checks are measured apart.",
  },
  val: { name: "Value", meaning: "Would failed episodes come out right, together with the other skills?" },
};

/** Newest first. */
export function reviewHeads(reviews: readonly Review[]): readonly ReviewHead[] {
  return reviews
    .map(({ when, version, decision, qSkill }, index) => ({ when, version, decision, qSkill, index }))
    .toReversed();
}

function showEdit(
  { file, first, last, original, replacement, why }: ReviewEdit,
  texts: SkillTexts,
): ShownEdit {
  const place = first === last ? `${file}:${first}` : `${file}:${first}-${last}`;
  const [link] = linkFeedback(`${file}:${first}`, texts);
  return { why: [{ ...link, text: place }, { text: `: ${why}` }], original, replacement };
}

/** A review as the view draws it, with links into the skill as it is now. */
export function showReview(review: Review, now: Fingerprint, texts: SkillTexts): ShownReview {
  const { when, version, teacher, prompt, decision, basis, qSkill, cases, usage, tries } = review;
  const asStored = { when, version, teacher, prompt, decision, basis, qSkill, cases, usage, tries };
  const score = (name: Dimension): ScoreRow => ({
    ...WORDS[name],
    score: review.scores[name],
    weight: DIMENSION_WEIGHTS[name],
    why: linkFeedback(review.comments[name] ?? "", texts),
  });
  return {
    ...asStored,
    scores: DIMENSIONS.map(score),
    suggestions: review.suggestions.map((text) => linkFeedback(text, texts)),
    edits: (review.edits ?? []).map((edit) => showEdit(edit, texts)),
    evidence: review.evidence,
    checks: review.executable?.checks,
    changed: changedSince(review, now),
  };
}
