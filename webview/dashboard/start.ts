import { createStore } from "../replay/store.ts";
import type { Memory } from "../shared/host.ts";
import { createDashboardController, type DashboardConnection } from "./controller.ts";
import { INITIAL_DASHBOARD } from "./model.ts";
import { HaspDashboard } from "./root.ts";

/** Brings the page's `<hasp-dashboard>` to life over a host. */
export function startDashboard(connection: DashboardConnection, memory: Memory): void {
  const view = document.querySelector("hasp-dashboard");
  if (!(view instanceof HaspDashboard)) throw new Error("The page has no <hasp-dashboard> element.");
  const store = createStore(INITIAL_DASHBOARD);
  const controller = createDashboardController(connection, store, memory);
  view.attach(store, controller);
  void controller.open();
}
