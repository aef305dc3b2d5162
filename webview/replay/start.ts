import type { Host } from "../shared/host.ts";
import { createController } from "./controller.ts";
import { HaspReplay } from "./root.ts";
import { keepView, readSavedView } from "./saved-view.ts";
import { INITIAL_STATE } from "./state.ts";
import { createStore } from "./store.ts";

/** Brings the page's `<hasp-replay>` to life over a host. */
export function startReplay(host: Host): void {
  const view = document.querySelector("hasp-replay");
  if (!(view instanceof HaspReplay)) throw new Error("The page has no <hasp-replay> element.");
  const saved = readSavedView(host.memory.read());
  const store = createStore(
    saved === undefined ? INITIAL_STATE : { ...INITIAL_STATE, filter: saved.filter, mode: saved.mode },
  );
  const controller = createController(host.connection, store, saved?.place);
  host.connection.on("kept", ({ state }) => {
    const kept = readSavedView(state);
    // The page's own memory is as new, and what a person does meanwhile is newer.
    if (saved !== undefined || kept === undefined) return;
    if (store.get().filter === INITIAL_STATE.filter) controller.setFilter(kept.filter);
    if (store.get().mode === INITIAL_STATE.mode) controller.setMode(kept.mode);
  });
  keepView(host, store);
  view.attach(store, controller);
  void controller.open();
}
