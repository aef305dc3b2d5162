import type { Episode } from "../../model/episode.ts";
import { LIVE_SCHEMA, type LiveEvent } from "../../trace/live-events.ts";

/** An episode as the lines of its live file, up to and without step `t`: the session stands again where it stood then. */
export function linesUntil(episode: Episode, t: number): readonly LiveEvent[] {
  const { id, questionId, sample, question, source, facts, settings, library, prelude } = episode;
  const head = { id, questionId, sample, question, source, facts, settings, library };
  const started = {
    schema: LIVE_SCHEMA,
    event: "started",
    ...head,
    ...(prelude !== undefined && { prelude }),
  } as const;
  // What the host told of tasks came before the step was proposed.
  const decisions = (episode.decisions ?? []).filter(
    (one) => (one.t ?? 0) < t || (one.part === "hook_tasks" && one.t === t),
  );
  return [
    started,
    ...decisions.map((decision) => ({ event: "decided", decision }) as const),
    ...episode.steps.slice(0, t).flatMap(stepLines),
  ];
}

function stepLines(step: Episode["steps"][number]): LiveEvent[] {
  const { t, proposals, events, injected, executed, observation, prompts, unanswered, result, extra } = step;
  const last = proposals.length - 1;
  const proposed = proposals.flatMap((proposal, i): LiveEvent[] => [
    {
      event: "proposed",
      t,
      proposal,
      ...(i === 0 && prompts !== undefined && { prompts }),
      ...(i === 0 && unanswered !== undefined && { unanswered }),
    },
    {
      event: "judged",
      t,
      events: events.filter((event) => event.proposal === i),
      injected: i === last ? injected : [],
    },
  ]);
  const brought = { ...(result !== undefined && { result }), ...(extra !== undefined && { extra }) };
  return [
    ...proposed,
    { event: "executed", t, action: executed },
    { event: "observed", t, observation, ...brought },
  ];
}
