import type { EvidenceOrder } from "../../app/measure-skill.ts";
import { logFindings } from "../log-findings.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { warn } from "../notification.ts";
import { searchingRuns } from "../runs/searching-runs.ts";
import type { EditorJudging, EditorServices } from "../services.ts";
import type { LocatedSkill } from "../workspace/library.ts";
import type { ReviewPanels } from "./panels.ts";
import type { Reviews } from "./reviews.ts";
import type { ReviewThreads } from "./threads.ts";

/** Services that the parts of a review share. */
export interface Desk extends Pick<EditorServices, "log" | "clock" | "library" | "runs" | "shownFiles"> {
  readonly judging: EditorJudging;
  readonly reviews: Reviews;
  readonly panels: ReviewPanels;
  readonly threads: ReviewThreads;
}

/** The skill with the runs of its domain, newest first, and the other skills that act there. */
export async function evidenceOrder(
  { library, runs, judging }: Pick<Desk, "library" | "runs" | "judging">,
  { uri, domain }: LocatedSkill,
): Promise<EvidenceOrder> {
  const ofDomain = (await runs.list()).filter(({ run }) => (run?.domain ?? domain) === domain);
  const others = (await library.list()).filter(
    (one) => one.domain === domain && one.uri.path !== uri.path && !one.isDisabled,
  );
  return {
    folder: uri.fsPath,
    runs: await searchingRuns(judging, ofDomain),
    library: await library.read(others),
  };
}

export const messagesOf = (diagnostics: readonly Pick<Diagnostic, "message">[]): string =>
  diagnostics.map(({ message }) => message).join(" ");

/** Into the log; what a person should know before they trust a review also as a warning. */
export function tell({ log }: Pick<Desk, "log">, diagnostics: readonly Diagnostic[]): void {
  logFindings(log, diagnostics);
  const warning = diagnostics.find(({ code }) => code === "HASP705");
  if (warning !== undefined) warn(`${warning.message} ${warning.next ?? ""}`);
}
