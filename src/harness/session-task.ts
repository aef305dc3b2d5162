import type { Domain } from "../domains/domain.ts";
import type { Control } from "../model/control.ts";
import type { DomainFacts } from "../model/episode.ts";
import type { PfHost } from "../sandbox/pf-host.ts";
import type { LiveEpisode } from "../trace/live.ts";
import type { Prefix } from "./branch-prefix.ts";
import type { LibrarySkill, Selected } from "./select/select.ts";
import type { SavedSession, State } from "./session-state.ts";
import type { TeacherClient } from "./teacher.ts";

/** What an episode's proposals are judged with; neither its policy nor its environment. */
export interface SessionTask {
  readonly question: string;
  readonly host: PfHost;
  readonly library: readonly LibrarySkill[];
  readonly domain: Pick<
    Domain,
    "name" | "finalAction" | "pfLists" | "contextRules" | "skillText" | "texts" | "answerFormat"
  >;
  readonly control: Control;
  readonly facts: DomainFacts;
  readonly teacher: TeacherClient;
  readonly record: LiveEpisode["record"];
  /** Recorded steps that the episode begins with; the session comes as it stands after them. */
  readonly prefix?: Prefix | undefined;
  /** Where an earlier process left the session. Skills are selected anew, which without a teacher comes out the same. */
  readonly saved?: SavedSession | undefined;
}

/** A session under way. */
export interface Opened {
  readonly task: SessionTask;
  readonly selected: Selected;
  readonly state: State;
}
