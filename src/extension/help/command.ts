import * as vscode from "vscode";
import { HELP_PAGES, helpFile, isHelpPage, type HelpPage } from "../../model/help-page.ts";
import { choose } from "../choose.ts";
import { fieldsOf, registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { openPage } from "./open-page.ts";

/** A page as another part of the extension, a link or a keybinding names it. */
interface AskedPlace {
  readonly page: HelpPage;
  readonly anchor: string | undefined;
}

function placeIn(argument: unknown): AskedPlace | undefined {
  const { page, anchor } = fieldsOf(argument);
  return isHelpPage(page) ? { page, anchor: typeof anchor === "string" ? anchor : undefined } : undefined;
}

async function askPage(): Promise<AskedPlace | undefined> {
  const picks = Object.entries(HELP_PAGES).map(([page, { title, about }]) => ({
    label: title,
    detail: about,
    value: { page: page as HelpPage, anchor: undefined },
  }));
  return choose("HASP: Help", "Page to open", picks, { matchOnDetail: true });
}

/** `HASP: Help`, and the `?` of each view, which opens the page of that view. */
export function registerHelp(log: vscode.LogOutputChannel, extension: vscode.Uri): vscode.Disposable {
  async function help(argument?: unknown): Promise<void> {
    const place = placeIn(argument) ?? (await askPage());
    if (place !== undefined) await openPage(extension, helpFile(place.page), place.anchor);
  }
  const open = (page: HelpPage) => (): Promise<void> => help({ page });
  return vscode.Disposable.from(
    registerCommand(log, COMMANDS.help, help),
    registerCommand(log, COMMANDS.helpOnSkills, open("skills")),
    registerCommand(log, COMMANDS.helpOnRuns, open("replay")),
    registerCommand(log, COMMANDS.helpOnFailures, open("failures")),
    registerCommand(log, COMMANDS.helpOnEvolutions, open("evolution")),
    registerCommand(log, COMMANDS.helpOnExperiments, open("experiments")),
    registerCommand(log, COMMANDS.helpOnJobs, open("jobs")),
    registerCommand(log, COMMANDS.helpOnBacktest, open("backtest")),
  );
}
