import type { DataCard } from "../model/data-card.ts";
import type { Severity } from "../model/diagnostic.ts";
import type { HelpPlace } from "../model/help-page.ts";
import type { ImportReport } from "../model/import-report.ts";
import type { SignalsReport } from "../model/signals-report.ts";
import type { Contract, NoRequests } from "./contract.ts";

/** A diagnostic as the view lists it. */
export interface ShownFinding {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly next?: string;
}

/** Training data: a preview, or the files of a folder. */
export interface DataPage {
  readonly kind: "data";
  /** For the heading: the runs or the folder. */
  readonly title: string;
  /** Undefined: a preview, nothing is written yet. */
  readonly folder: string | undefined;
  /** One for each file. */
  readonly cards: readonly DataCard[];
  /** Position of the card to show first. */
  readonly shown: number;
  readonly findings: readonly ShownFinding[];
}

/** A card that cannot be read. */
export interface BrokenPage {
  readonly kind: "broken";
  readonly file: string;
  readonly message: string;
  readonly next: string;
}

/** The signals of a run, by skill. */
export interface SignalsPage {
  readonly kind: "signals";
  /** Of the run. */
  readonly title: string;
  readonly report: SignalsReport;
  readonly findings: readonly ShownFinding[];
}

/** A file of an import, as the page lists it. */
export interface ShownFile {
  readonly file: string;
  readonly format: string;
  /** Id of its first episode in the run. */
  readonly firstEpisode?: string;
  readonly episodes: number;
  readonly steps: number;
  /** Warnings and errors. */
  readonly problems: number;
  /** Kinds of lines or parts that no reader knows. */
  readonly unknown: number;
}

/** The report of an import. */
export interface ImportPage {
  readonly kind: "import";
  /** Of the run. */
  readonly title: string;
  /** The run folder, as a command line names it. */
  readonly run: string;
  readonly report: Omit<ImportReport, "files">;
  /** Files that were read, and those of them that a person should look at. */
  readonly read: number;
  readonly odd: number;
  /** Those to look at come first; of very many the first ones. */
  readonly files: readonly ShownFile[];
}

export type TrainingPage = DataPage | BrokenPage | SignalsPage | ImportPage;

/** The two steps of a skill that its row of the signals links to. */
export const SKILL_STEPS = ["best", "worst"] as const;
export type SkillStep = (typeof SKILL_STEPS)[number];

/** Requests that the view of training data makes. Positions are those of the lists of the page. */
export interface TrainingHost extends Contract {
  requests: {
    open: { params: Record<string, never>; result: TrainingPage };
    /** Opens the step of a sample row in the replay. */
    openRow: { params: { card: number; row: number }; result: null };
    /** Opens a step of a skill in the replay. */
    openSkillStep: { params: { skill: number; step: SkillStep }; result: null };
    /** Asks for the folder and writes the files of the preview. */
    writeFiles: { params: Record<string, never>; result: null };
    /** Asks the questions of the build again, with the answers so far. */
    change: { params: Record<string, never>; result: null };
    openFolder: { params: Record<string, never>; result: null };
    /** Opens the file of a card. */
    openFile: { params: { card: number }; result: null };
    /** Opens the card itself as JSON. */
    openRaw: { params: { card: number }; result: null };
    /** Shows the signals of a run that a card names. */
    showSignals: { params: { card: number; source: number }; result: null };
    /** Opens the run that an import made. */
    openRun: { params: Record<string, never>; result: null };
    /** Opens an episode of that run by its id, at a 0-based step. */
    openEpisode: { params: { id: string; t: number }; result: null };
    /** Opens the file of a finding at its line. */
    openPlace: { params: { finding: number; place: number }; result: null };
    openLog: { params: Record<string, never>; result: null };
    openHelp: { params: HelpPlace; result: null };
  };
  events: {
    /** The page was replaced: ask again. */
    changed: null;
  };
}

export interface TrainingView extends Contract {
  requests: NoRequests;
  events: Record<string, never>;
}
