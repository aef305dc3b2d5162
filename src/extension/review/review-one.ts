import type { SkillEvidence } from "../../app/measure-skill.ts";
import { reviewOneSkill, type ReviewEvent } from "../../app/review-skill.ts";
import type { ChatModel } from "../../llm/chat-model.ts";
import type { Review } from "../../model/review.ts";
import type { UnusableReply } from "../../protocol/review.ts";
import { COMMANDS } from "../contributions.ts";
import { Failure } from "../failure.ts";
import { describeUsage } from "../models/configure.ts";
import type { LocatedSkill } from "../workspace/library.ts";
import { type Desk, evidenceOrder, messagesOf, tell } from "./desk.ts";

function unusableFailure({ uri }: LocatedSkill, { teacher, problems }: UnusableReply): Failure {
  const way = { label: "Show reply", command: COMMANDS.showReview.id, arguments: [uri] };
  const message = `The reply of ${teacher} is unusable: ${messagesOf(problems)}`;
  return new Failure(message, "Nothing was stored.", way);
}

/** Shows what was measured on the skill's page. */
export function showMeasured(
  { panels, clock }: Desk,
  { uri }: LocatedSkill,
  { sections }: SkillEvidence,
): void {
  panels.measured(uri, { when: clock.now(), sections });
}

/** Shows each stage of a review, and the teacher's words as they come, on the skill's page. */
function listener(desk: Desk, skill: LocatedSkill, { id: teacher }: ChatModel): (event: ReviewEvent) => void {
  const { log, panels } = desk;
  let words = "";
  const write = (phase: string, said = ""): void => {
    words = said;
    panels.follow(skill.uri, { teacher, phase, words });
  };
  return (event) => {
    switch (event.kind) {
      case "checking":
        return write("Running the checks and cases …");
      case "progress":
        return write(`Judging recorded episodes: ${event.done} of ${event.total} …`);
      case "measured":
        return showMeasured(desk, skill, event.measured);
      case "asking":
        return write("The teacher reads the skill …");
      case "text":
        return write("The teacher answers …", words + event.text);
      case "restarted":
        return write("The connection was lost; the teacher begins again …");
      case "retried":
        for (const { message } of event.problems)
          log.warn(`The reply of ${teacher} could not be read: ${message}`);
        return write("The reply could not be read; the teacher is asked once more …");
    }
  };
}

/**
 * Has the teacher review the skill by the recorded runs and the other skills of its domain, and shows the threads of the review.
 * Throws where there is none: the reply was unusable, the skill cannot be read, or the review was not stored.
 */
export async function reviewOne(
  desk: Desk,
  skill: LocatedSkill,
  teacher: ChatModel,
  signal: AbortSignal,
): Promise<Review> {
  const { log, clock, panels, shownFiles: files, judging, reviews, threads } = desk;
  let unusable: UnusableReply | undefined;
  let stored: Review | undefined;
  const on = listener(desk, skill, teacher);
  on({ kind: "checking" });
  try {
    const store = (review: Review) => reviews.add(skill.uri, review);
    const order = await evidenceOrder(desk, skill);
    const result = await reviewOneSkill(order, { ...judging, files, teacher, store, clock, signal, on });
    tell(desk, result.diagnostics);
    const errors = result.diagnostics.filter(({ severity }) => severity === "error");
    const next = errors[0]?.next ?? "The log has the details.";
    if (result.unusable !== undefined) {
      const problems = errors.map(({ code, message }) => ({ code, message }));
      unusable = { teacher: teacher.id, when: clock.now(), text: result.unusable, problems };
      throw unusableFailure(skill, unusable);
    }
    const { value } = result;
    if (value === undefined) throw new Failure(messagesOf(errors) || "It cannot be read.", next);
    const unwritten = errors.filter(({ code }) => code.startsWith("HASP71"));
    if (unwritten.length > 0) throw new Failure(`The review was not stored: ${messagesOf(unwritten)}`, next);
    stored = value;
    const { decision, qSkill, usage } = value;
    log.info(
      `${teacher.id} reviewed ${skill.skillId}: ${decision}, Q_skill ${qSkill}, ${describeUsage(usage)}`,
    );
    await threads.show(skill.uri, value);
    return value;
  } finally {
    panels.finish(skill.uri, { unusable, isStored: stored !== undefined });
  }
}
