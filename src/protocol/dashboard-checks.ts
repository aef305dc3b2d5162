import { type ArrivalChecks, listOf, object, text } from "./check.ts";
import type { DashboardHost, DashboardView } from "./dashboard.ts";
import { helpPlace } from "./help-check.ts";

/** Checks of everything that arrives from the dashboard. */
export const FROM_DASHBOARD: ArrivalChecks<DashboardView, DashboardHost> = {
  requests: {
    open: object({}),
    show: object({ runs: listOf(text) }),
    saveCsv: object({}),
    submit: object({}),
    runExperiment: object({}),
    openLog: object({}),
    openHelp: helpPlace,
  },
  events: {},
};
