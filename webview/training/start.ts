import { createStore } from "../replay/store.ts";
import { createTrainingController, type TrainingConnection } from "./controller.ts";
import { INITIAL_TRAINING } from "./model.ts";
import { HaspTraining } from "./root.ts";

/** Brings the page's `<hasp-training>` to life over a host. */
export function startTraining(connection: TrainingConnection): void {
  const view = document.querySelector("hasp-training");
  if (!(view instanceof HaspTraining)) throw new Error("The page has no <hasp-training> element.");
  const store = createStore(INITIAL_TRAINING);
  const controller = createTrainingController(connection, store);
  view.attach(store, controller);
  void controller.open();
}
