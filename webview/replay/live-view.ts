import { html, nothing, type TemplateResult } from "lit";
import type { Episode } from "../../src/model/episode.ts";
import type { LiveState, StepPhase } from "../../src/model/live-episode.ts";
import { icon, type IconName } from "../shared/icon.ts";
import type { Controller } from "./controller.ts";
import type { ReplayState } from "./state.ts";

interface LiveLook {
  readonly icon: IconName;
  readonly tone: string;
  readonly label: string;
}

export const RUNNING_LOOK: LiveLook = { icon: "play-circle", tone: "good", label: "running" };

export const LIVE_LOOKS: Readonly<Record<LiveState, LiveLook>> = {
  running: RUNNING_LOOK,
  stopped: { icon: "debug-stop", tone: "warn", label: "stopped, not finished" },
};

/** It left the list without a place in the run's file: whoever cancelled the run took it away. */
const GONE: LiveLook = { icon: "debug-stop", tone: "quiet", label: "no longer in the run" };

/** How the shown episode stands while it is not in the run's file; undefined for one that is. */
export function liveLook({ live, episode }: ReplayState): LiveLook | undefined {
  if (live.shown === undefined) return undefined;
  const head = live.heads.find(({ id }) => id === live.shown?.id);
  if (head !== undefined) return LIVE_LOOKS[head.state];
  return episode.state === "loading" ? RUNNING_LOOK : GONE;
}

/** How far the step that is shown has come; undefined where it is whole. */
export function phaseOf({ live, t }: ReplayState, episode: Episode): StepPhase {
  return t === episode.steps.length - 1 ? live.shown?.phase : undefined;
}

const AWAITED: Readonly<Record<NonNullable<StepPhase>, string>> = {
  proposed: "the Program Functions are being asked",
  judged: "about to be executed",
  executed: "waiting for the environment",
};

/** In place of what is not known yet. What stopped waits for nothing. */
export function waitingFor(state: ReplayState, phase: StepPhase): TemplateResult {
  const waits = liveLook(state) === RUNNING_LOOK && phase !== undefined;
  return html`<span class="quiet awaited"
    >${waits ? html`${icon("ellipsis")} ${AWAITED[phase]}` : "not known"}</span
  >`;
}

/** The toggle above the step of an episode that runs; behind the newest step it leads there. */
export function followView(state: ReplayState, episode: Episode, controller: Controller): unknown {
  const { live, t } = state;
  if (live.shown === undefined) return nothing;
  const isBehind = !live.follow && t < episode.steps.length - 1;
  return html`${
    isBehind
      ? html`<button
          type="button"
          class="link newest"
          title="Jump to newest (Shift+F)"
          @click=${() => controller.toggleFollow()}
        >
          Jump to newest
        </button>`
      : nothing
  }
  ${followButton(live.follow, controller)}`;
}

export function followButton(follow: boolean, controller: Controller): TemplateResult {
  const title = follow ? "Stop following (Shift+F)" : "Keep the newest step in sight (Shift+F)";
  return html`<button
    type="button"
    class="plain-button follow"
    title=${title}
    aria-pressed=${follow}
    @click=${() => controller.toggleFollow()}
  >
    ${icon(follow ? "check" : "play-circle")} Follow
  </button>`;
}
