import type { Fact } from "../model/facts.ts";
import type { WorkspaceOrder } from "../model/own-records.ts";
import { ownRecords } from "../platform/own-records.ts";
import { sha256 } from "../platform/sha256.ts";
import { confirm } from "./confirm.ts";
import { needPerson } from "./need-person.ts";
import { text } from "./options.ts";
import { Unconfirmed, type Terminal } from "./terminal.ts";

/** `--yes=<hash>` is another way to write it (yes-to-content.ts). */
export const YES_TO = text(
  "--yes-to <hash>",
  "allow a job, an experiment or an evolution that you did not make: exactly the content of this hash; also --yes=<hash>",
);

/** The parts of an order, a line each. */
export const factLines = (facts: readonly Fact[]): readonly string[] =>
  facts.map(([name, value]) => `${name.padEnd(8)} ${value}`);

/**
 * Ends the command with exit code 3 unless this user has made the order, or says yes to exactly its content. Orders of earlier versions ask
 * once.
 */
export async function needOwn(
  terminal: Terminal,
  { name, file, text: content, facts, refused }: WorkspaceOrder,
  { yesTo }: { readonly yesTo?: string | undefined },
): Promise<void> {
  const own = ownRecords();
  if (own.has(file, content)) return;
  const hash = sha256(content);
  for (const line of [...factLines(facts), `content  ${hash}`]) terminal.line(line);
  const why = `You did not make the ${name} on this machine, or it was changed since.`;
  if (refused !== undefined)
    throw new Unconfirmed(`${why} ${refused}`, `Make it yourself, or change ${file}.`);
  needPerson();
  if (yesTo !== undefined && yesTo !== hash)
    throw new Unconfirmed(`${why} Its content is not ${yesTo}.`, "Read it again: it has changed.");
  if (yesTo === undefined && terminal.context.streams.stdin.isTTY !== true)
    throw new Unconfirmed(
      why,
      `Read the lines above. To allow exactly that, repeat the command with --yes=${hash}.`,
    );
  terminal.line(why);
  if (!(await confirm(terminal, "Allow exactly this?", yesTo === hash)))
    throw new Unconfirmed(`Nobody has allowed the ${name}.`, "Nothing was done.");
  own.keep(file, content);
}
