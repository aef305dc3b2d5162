import fs from "node:fs";
import { Command } from "commander";
import { allowedLinks, allowedLinksFile, type AllowedLink } from "../../platform/allowed-links.ts";
import { allowLink, forgetLink, linkAt } from "../../platform/link-consent.ts";
import { shellWord } from "../../platform/shell-word.ts";
import { confirm } from "../confirm.ts";
import { helpText } from "../help.ts";
import { EXIT, openTerminal, type ExitCode, type SetExit } from "../terminal.ts";

interface Options {
  readonly yes?: boolean;
  readonly json?: boolean;
}

type LinkState = "allowed" | "changed" | "missing";

interface ListedLink extends AllowedLink {
  /** `changed`: it leads elsewhere now, so nothing is written through it. */
  readonly state: LinkState;
}

function stateOf({ link, target }: AllowedLink): LinkState {
  try {
    return fs.realpathSync(link) === target ? "allowed" : "changed";
  } catch {
    return "missing";
  }
}

function runList({ json }: Options): ExitCode {
  const terminal = openTerminal(json === true);
  const links = allowedLinks().map((one): ListedLink => ({ ...one, state: stateOf(one) }));
  if (links.length === 0) terminal.line("No link is allowed. Nothing is written through any.");
  for (const { link, target, state } of links) {
    terminal.line(`${link} -> ${target}`);
    if (state === "changed")
      terminal.line(
        `  ! It leads elsewhere now, and nothing is written through it: hasp links allow ${shellWord(link)}`,
      );
    if (state === "missing")
      terminal.line(`  ! It is gone, or leads to nothing now: hasp links forget ${shellWord(link)}`);
  }
  terminal.result({ links });
  return EXIT.fine;
}

async function runAllow(given: string, { yes, json }: Options): Promise<ExitCode> {
  const terminal = openTerminal(json === true);
  const { link, target } = linkAt(given);
  terminal.line(`${link} -> ${target}`);
  const allowed = await confirm("Let HASP write files through this link?", yes);
  if (allowed) allowLink({ link, target }, new Date().toISOString());
  terminal.line(
    allowed ? `Kept in ${allowedLinksFile()}, as long as it leads there.` : "Nothing was changed.",
  );
  terminal.result({ link, target, allowed });
  return EXIT.fine;
}

function runForget(given: string, { json }: Options): ExitCode {
  const terminal = openTerminal(json === true);
  const forgotten = forgetLink(given);
  terminal.line(
    forgotten
      ? `Nothing is written through ${given} any more.`
      : `${given} was not allowed. Nothing was changed.`,
  );
  terminal.result({ link: given, forgotten });
  return forgotten ? EXIT.fine : EXIT.findings;
}

function listCommand(setExit: SetExit): Command {
  return new Command("list")
    .description("List the links that you allowed (default).")
    .option("--json", "print the result as JSON")
    .action((options: Options) => setExit(runList(options)));
}

function allowCommand(setExit: SetExit): Command {
  return new Command("allow")
    .description("Allow files to be written through one link, as long as it leads to the same place.")
    .argument("<link>", "the link itself, such as .hasp")
    .option("--yes", "do not ask")
    .option("--json", "print the result as JSON")
    .addHelpText("after", helpText("hasp links allow .hasp"))
    .action(async (link: string, options: Options) => setExit(await runAllow(link, options)));
}

function forgetCommand(setExit: SetExit): Command {
  return new Command("forget")
    .description("Take the permission back.")
    .argument("<link>", "the link itself")
    .option("--json", "print the result as JSON")
    .addHelpText("after", helpText("hasp links forget .hasp"))
    .action((link: string, options: Options) => setExit(runForget(link, options)));
}

/** `hasp links [list | allow <link> | forget <link>]`. */
export function linksCommand(setExit: SetExit): Command {
  const command = new Command("links")
    .description("Symbolic links that HASP may write through. It writes through no other (docs/links.md).")
    .addHelpText("after", helpText("hasp links", "hasp links allow .hasp", "hasp links forget .hasp"));
  command.addCommand(listCommand(setExit).exitOverride(), { isDefault: true });
  for (const one of [allowCommand, forgetCommand]) command.addCommand(one(setExit).exitOverride());
  return command;
}
