import type { Connection } from "../../src/protocol/connection.ts";
import type { SkillStep, TrainingHost, TrainingView } from "../../src/protocol/training.ts";
import type { Store } from "../replay/store.ts";
import { failedOf } from "../shared/failed.ts";
import { nextSorting, type SkillColumn, type TrainingState } from "./model.ts";

export type TrainingConnection = Connection<TrainingHost, TrainingView>;

/** All that a person can make the view do. */
export interface TrainingController {
  /** Reads the page anew. */
  open(): Promise<void>;
  showCard(card: number): void;
  sortBy(column: SkillColumn): void;
  openRow(card: number, row: number): void;
  openSkillStep(skill: number, step: SkillStep): void;
  writeFiles(): void;
  change(): void;
  openFolder(): void;
  openFile(card: number): void;
  openRaw(card: number): void;
  showSignals(card: number, source: number): void;
  openRun(): void;
  /** `t`: 0-based step. */
  openEpisode(id: string, t?: number): void;
  openPlace(finding: number, place: number): void;
  openLog(): void;
  openHelp(): void;
}

export function createTrainingController(
  connection: TrainingConnection,
  store: Store<TrainingState>,
): TrainingController {
  const orFail = async (work: Promise<unknown>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      store.update({ failed: failedOf(error) });
    }
  };
  async function read(): Promise<void> {
    const page = await connection.request("open", {});
    store.update({ page, card: page.kind === "data" ? page.shown : 0, failed: undefined });
  }
  const controller: TrainingController = {
    open: () => orFail(read()),
    showCard: (card) => store.update({ card }),
    sortBy: (column) => store.update({ sorting: nextSorting(store.get().sorting, column) }),
    openRow: (card, row) => void orFail(connection.request("openRow", { card, row })),
    openSkillStep: (skill, step) => void orFail(connection.request("openSkillStep", { skill, step })),
    writeFiles: () => void orFail(connection.request("writeFiles", {})),
    change: () => void orFail(connection.request("change", {})),
    openFolder: () => void orFail(connection.request("openFolder", {})),
    openFile: (card) => void orFail(connection.request("openFile", { card })),
    openRaw: (card) => void orFail(connection.request("openRaw", { card })),
    showSignals: (card, source) => void orFail(connection.request("showSignals", { card, source })),
    openRun: () => void orFail(connection.request("openRun", {})),
    openEpisode: (id, t = 0) => void orFail(connection.request("openEpisode", { id, t })),
    openPlace: (finding, place) => void orFail(connection.request("openPlace", { finding, place })),
    openLog: () => void orFail(connection.request("openLog", {})),
    openHelp: () => void orFail(connection.request("openHelp", { page: "training-data" })),
  };
  connection.on("changed", () => void controller.open());
  return controller;
}
