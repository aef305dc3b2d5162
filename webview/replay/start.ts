import type { Host } from "../shared/host.ts";
import { createController } from "./controller.ts";
import { HaspReplay } from "./root.ts";
import { INITIAL_STATE } from "./state.ts";
import { createStore } from "./store.ts";

/** Brings the page's `<hasp-replay>` to life over a host. */
export function startReplay(host: Host): void {
  const view = document.querySelector("hasp-replay");
  if (!(view instanceof HaspReplay)) throw new Error("The page has no <hasp-replay> element.");
  const store = createStore(INITIAL_STATE);
  const controller = createController(host.connection, store);
  view.attach(store, controller);
  void controller.open();
}
