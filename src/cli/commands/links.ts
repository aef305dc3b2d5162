import fs from "node:fs";
import { Command } from "commander";
import { allowedLinks, allowedLinksFile, type AllowedLink } from "../../platform/allowed-links.ts";
import { allowLink, forgetLink, linkAt } from "../../platform/link-consent.ts";
import { shellWord } from "../../platform/shell-word.ts";
import { confirm } from "../confirm.ts";
import { defineCommand, type CommandContext } from "../define-command.ts";
import { helpText } from "../help.ts";
import { needPerson } from "../need-person.ts";
import { flag } from "../options.ts";
import { EXIT } from "../terminal.ts";

/** `changed`: the link leads elsewhere now, so nothing is written through it. */
function stateOf({ link, target }: AllowedLink): "allowed" | "changed" | "missing" {
  try {
    return fs.realpathSync(link) === target ? "allowed" : "changed";
  } catch {
    return "missing";
  }
}

const listCommand = defineCommand({
  name: "list",
  about: "List the links that you allowed (default).",
  run({ terminal }) {
    const links = allowedLinks().map((one) => ({ ...one, state: stateOf(one) }));
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
  },
});

const allowCommand = defineCommand({
  name: "allow",
  about: "Allow files to be written through one link, as long as it leads to the same place.",
  takes: [["<link>", "the link itself, such as .hasp"]],
  options: { yes: flag("--yes", "do not ask") },
  examples: ["hasp links allow .hasp"],
  async run({ options: { yes }, terminal }, given: string) {
    needPerson();
    const { link, target } = linkAt(given);
    terminal.line(`${link} -> ${target}`);
    const allowed = await confirm(terminal, "Let HASP write files through this link?", yes);
    if (allowed) allowLink({ link, target }, new Date().toISOString());
    terminal.line(
      allowed ? `Kept in ${allowedLinksFile()}, as long as it leads there.` : "Nothing was changed.",
    );
    terminal.result({ link, target, allowed });
    return EXIT.fine;
  },
});

const forgetCommand = defineCommand({
  name: "forget",
  about: "Take the permission back.",
  takes: [["<link>", "the link itself"]],
  examples: ["hasp links forget .hasp"],
  run({ terminal }, given: string) {
    const forgotten = forgetLink(given);
    terminal.line(
      forgotten
        ? `Nothing is written through ${given} any more.`
        : `${given} was not allowed. Nothing was changed.`,
    );
    terminal.result({ link: given, forgotten });
    return forgotten ? EXIT.fine : EXIT.findings;
  },
});

/** `hasp links [list | allow <link> | forget <link>]`. */
export function linksCommand(context: CommandContext): Command {
  const command = new Command("links")
    .description("Symbolic links that HASP may write through. It writes through no other (docs/links.md).")
    .addHelpText("after", helpText("hasp links", "hasp links allow .hasp", "hasp links forget .hasp"));
  command.addCommand(listCommand(context), { isDefault: true });
  for (const one of [allowCommand, forgetCommand]) command.addCommand(one(context));
  return command;
}
