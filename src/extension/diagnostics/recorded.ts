import * as vscode from "vscode";
import type { BacktestReport, RecordedFinding } from "../../app/backtest.ts";
import { serialQueue } from "../../model/serial-queue.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { NodeFiles } from "../../platform/files.ts";
import type { SkillFolder as ReadSkill } from "../../skill/read-skill.ts";
import { SETTINGS } from "../contributions.ts";
import { onSettingsChange, readSetting } from "../settings.ts";
import { shownText } from "../workspace/editor-files.ts";
import type { LibrarySource } from "../workspace/library.ts";
import { layerOf } from "./layer.ts";
import type { Publisher } from "./publisher.ts";

/** Diagnostics of skills by recorded episodes: shown as long as a skill is unchanged, gone with its first edit. */
export interface RecordedHints extends vscode.Disposable {
  /** Shows the diagnostics of the latest backtest, which replace those of an earlier one; none without a result. */
  backtested(result?: Judged): void;
  /** Shows the diagnostics of one skill on all runs; of its trigger they tell more than a backtest on some. */
  counted(folder: string, result: Judged): void;
}

/** Skills with what came of them. */
export interface Judged {
  readonly skills: readonly ReadSkill[];
  readonly report: BacktestReport;
}

interface Services {
  /** Sees unsaved text. */
  readonly files: NodeFiles;
  readonly library: LibrarySource;
  readonly publisher: Publisher;
  readonly log: vscode.LogOutputChannel;
}

/** The findings, with the content of each skill that they are about, by its folder. */
interface Judgement {
  readonly contents: ReadonlyMap<string, string>;
  readonly findings: readonly RecordedFinding[];
}

/** No `pf.ts` that was read is longer. */
const MAX_BYTES = 10_000_000;
const ON_TRIGGERS: ReadonlySet<string> = new Set(["HASP313", "HASP314", "HASP315"]);

const contentOf = ({ skill, pfSource }: Pick<ReadSkill, "skill" | "pfSource">): string =>
  JSON.stringify([skill, pfSource]);

async function judgementOf({ skills, report }: Judged): Promise<Judgement> {
  const { recordedFindings } = await import("../../app/backtest.ts");
  return {
    contents: new Map(skills.map((one) => [one.folder, contentOf(one)])),
    findings: recordedFindings(report, skills),
  };
}

export function showRecordedHints({ files, library, publisher, log }: Services): RecordedHints {
  let latest: Judgement | undefined;
  const counts = new Map<string, Judgement>();

  /** The content of each skill as it acts today, of those that were judged. */
  async function today(judged: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
    const skills = (await library.list()).filter(
      ({ uri, isBuiltIn, isDisabled }) => judged.has(uri.fsPath) && !isBuiltIn && !isDisabled,
    );
    const read = skills.map(async ({ uri, skill }) => {
      const pf = vscode.Uri.joinPath(uri, "pf.ts");
      const pfSource = await shownText(files, pf, MAX_BYTES);
      return [uri.fsPath, contentOf({ skill, pfSource })] as const;
    });
    return new Map(await Promise.all(read));
  }

  async function standing(): Promise<readonly Diagnostic[]> {
    const all = [...(latest === undefined ? [] : [latest]), ...counts.values()];
    if (all.length === 0 || !readSetting(SETTINGS.diagnosticsEnabled)) return [];
    const now = await today(new Set(all.flatMap(({ contents }) => [...contents.keys()])));
    const isOf = ({ contents }: Judgement, folder: string): boolean =>
      now.has(folder) && now.get(folder) === contents.get(folder);
    const isCounted = (folder: string): boolean => {
      const count = counts.get(folder);
      return count !== undefined && isOf(count, folder);
    };
    const stands = (one: Judgement): readonly RecordedFinding[] =>
      one.findings.filter(({ about }) => about.every((folder) => isOf(one, folder)));
    const told = (latest === undefined ? [] : stands(latest)).filter(
      ({ diagnostic, about }) => !(ON_TRIGGERS.has(diagnostic.code) && about.every(isCounted)),
    );
    return [...told, ...[...counts.values()].flatMap(stands)].map(({ diagnostic }) => diagnostic);
  }

  const failure = "Showing what episodes say failed";
  const refresh = layerOf({ by: "record", look: standing, failure, publisher, log });
  const held = vscode.Disposable.from(library.onDidChange(refresh), onSettingsChange(refresh));
  const inTurn = serialQueue();
  /** In the order in which the results came. */
  const keep = (change: () => Promise<unknown>): void =>
    void inTurn(change).then(refresh, (error: unknown) =>
      log.error("Judging what episodes say failed", String(error)),
    );
  return {
    backtested: (result) =>
      keep(async () => (latest = result === undefined ? undefined : await judgementOf(result))),
    counted: (folder, result) => keep(async () => counts.set(folder, await judgementOf(result))),
    dispose: () => held.dispose(),
  };
}
