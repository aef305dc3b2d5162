import * as vscode from "vscode";
import { standingEpisodes } from "../../trace/placed-episodes.ts";
import type { Outcome } from "../../model/episode.ts";
import { tellingLine } from "../../model/telling-line.ts";
import { hasFired } from "../../model/pf-facet.ts";
import { COMMANDS } from "../contributions.ts";
import { namedRuns } from "../runs/find-runs.ts";
import { nameOf } from "../workspace/skill-folders.ts";
import type { LanguageServices } from "./context.ts";
import { eventsUri } from "./events-uri.ts";

/** Episodes that are looked through; reading more would keep the editor waiting. */
const MOST_EPISODES = 2_000;
/** Steps that a page lists. */
const MOST_STEPS = 500;
const SHOWN = 100;

interface EventLine {
  readonly text: string;
  /** Undefined for a heading. */
  readonly step?: { readonly file: vscode.Uri; readonly index: number; readonly t: number };
}

const skillIn = (uri: vscode.Uri): string => nameOf(uri).replace(/\.md$/, "");

/** One line of somebody else's text. */
function clip(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= SHOWN ? line : `${line.slice(0, SHOWN - 1).toWellFormed()}…`;
}

function lineOf(t: number, outcome: Outcome, status: string, reason: string, question: string): string {
  return `step ${t + 1} · ${outcome} · ${status} · ${clip(reason)} · ${clip(tellingLine(question, SHOWN))}`;
}

async function recorded(
  skillId: string,
  { shownFiles, runs }: LanguageServices,
  token: vscode.CancellationToken | undefined,
): Promise<EventLine[]> {
  const found = await runs.list();
  const titles = new Map(found.map(({ file, title }) => [file.toString(), title]));
  const lines: EventLine[] = [];
  let left = MOST_EPISODES;
  for await (const { run, index, episode } of standingEpisodes(
    shownFiles,
    namedRuns(found),
    () => undefined,
  )) {
    if (left-- === 0 || lines.length >= MOST_STEPS || token?.isCancellationRequested === true) break;
    for (const { t, events } of episode.steps) {
      const event = events.find((one) => one.skillId === skillId && hasFired(one.status));
      if (event === undefined) continue;
      const text = `${lineOf(t, episode.outcome, event.status, event.reason, episode.question)} · ${clip(titles.get(run) ?? "")}`;
      lines.push({ text, step: { file: vscode.Uri.parse(run, true), index, t } });
    }
  }
  return lines;
}

function today(skillId: string, { latest }: LanguageServices): EventLine[] {
  const hits = latest.of(skillId)?.hits.filter((hit) => hasFired(hit.status) && !hit.diverged) ?? [];
  return hits.slice(0, MOST_STEPS).map(({ t, outcome, status, reason, episodeId, run, index }) => ({
    text: lineOf(t, outcome, status, reason, episodeId),
    step: { file: vscode.Uri.parse(run, true), index, t },
  }));
}

/** The steps on which a skill fired: as they were recorded, then as the latest backtest says of today's code. */
export async function eventLines(
  skillId: string,
  services: LanguageServices,
  token?: vscode.CancellationToken,
): Promise<readonly EventLine[]> {
  const then = await recorded(skillId, services, token);
  const now = today(skillId, services);
  return [
    { text: `# Where ${skillId} fired` },
    { text: "" },
    {
      text: then.length === 0 ? "No recorded step of this workspace's runs." : `## Recorded (${then.length})`,
    },
    ...then,
    ...(now.length === 0 ? [] : [{ text: "" }, { text: `## In the latest backtest (${now.length})` }]),
    ...now,
  ];
}

function linkOf({ step }: EventLine, line: number): vscode.DocumentLink[] {
  if (step === undefined) return [];
  const { file, index, t } = step;
  const query = encodeURIComponent(JSON.stringify([file, { index, t }]));
  const target = vscode.Uri.from({ scheme: "command", path: COMMANDS.revealStep.id, query });
  const link = new vscode.DocumentLink(new vscode.Range(line, 0, line, `step ${t + 1}`.length), target);
  link.tooltip = "Open this step in the replay";
  return [link];
}

export async function eventsText(uri: vscode.Uri, services: LanguageServices): Promise<string> {
  return (await eventLines(skillIn(uri), services)).map(({ text }) => text).join("\n");
}

/** Line by line as the page stands: it may have been made before the latest backtest. */
export async function eventLinks(
  document: vscode.TextDocument,
  services: LanguageServices,
): Promise<vscode.DocumentLink[]> {
  const lines = await eventLines(skillIn(document.uri), services);
  return lines.flatMap((line, i) =>
    i < document.lineCount && document.lineAt(i).text === line.text ? linkOf(line, i) : [],
  );
}

/** The recorded steps as places, for the list of references. */
export async function eventLocations(
  skillId: string,
  services: LanguageServices,
  token: vscode.CancellationToken,
): Promise<vscode.Location[]> {
  const lines = await eventLines(skillId, services, token);
  return lines.flatMap(({ step, text }, i) =>
    step === undefined
      ? []
      : [new vscode.Location(eventsUri(skillId), new vscode.Range(i, 0, i, text.length))],
  );
}
