import { type ArrivalChecks, object, oneOf, position, text } from "./check.ts";
import { helpPlace } from "./help-check.ts";
import { SKILL_STEPS, type TrainingHost, type TrainingView } from "./training.ts";

/** Checks of everything that arrives from the view of training data and signals. */
export const FROM_TRAINING: ArrivalChecks<TrainingView, TrainingHost> = {
  requests: {
    open: object({}),
    openRow: object({ card: position, row: position }),
    openSkillStep: object({ skill: position, step: oneOf(SKILL_STEPS) }),
    writeFiles: object({}),
    change: object({}),
    openFolder: object({}),
    openFile: object({ card: position }),
    openRaw: object({ card: position }),
    showSignals: object({ card: position, source: position }),
    openRun: object({}),
    openEpisode: object({ id: text, t: position }),
    openPlace: object({ finding: position, place: position }),
    openLog: object({}),
    openHelp: helpPlace,
  },
  events: {},
};
