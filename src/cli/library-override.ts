import { overrideCandidate } from "../evolve/override-candidate.ts";
import { allDomains } from "../domains/registry.ts";
import { versionFolder } from "../model/domain-folder.ts";
import { systemClock } from "../platform/clock.ts";
import { libraryFiles } from "../platform/library-files.ts";
import { asOnlyWriter } from "../platform/run-lock.ts";
import { needPlaced } from "./checked.ts";
import { defineCommand, type Call } from "./define-command.ts";
import { evolutionAt, withoutSlash } from "./library-option.ts";
import { needed, text } from "./options.ts";
import { EXIT, type ExitCode } from "./terminal.ts";

const OPTIONS = {
  reason: needed(text("--reason <words>", "why, for the history")),
  library: text("--library <dir>", "the folder of generated skills (default: as the evolution names it)"),
};

async function decide(
  { options, terminal, files }: Call<typeof OPTIONS>,
  given: string,
  candidate: string,
  accept: boolean,
): Promise<ExitCode> {
  const folder = await evolutionAt(given, files);
  const ports = { files, library: libraryFiles(files), clock: systemClock, domains: allDomains() };
  const library = options.library === undefined ? undefined : withoutSlash(options.library);
  const order = { folder, candidate, accept, reason: options.reason, library };
  const done = needPlaced(await asOnlyWriter(folder, () => overrideCandidate(order, ports)));
  const name = versionFolder(done.candidate);
  terminal.line(accept ? `accepted  ${name}  ${done.folder ?? ""}` : `rejected  ${name}`);
  terminal.result(done);
  return EXIT.fine;
}

const TAKES = [
  ["<evolution>", "the evolution's folder"],
  ["<candidate>", "its id, such as e1-c2"],
] as const;

/** `hasp library accept`. */
export const acceptCommand = defineCommand({
  name: "accept",
  about: "Admit a candidate that the gate rejected or left undecided; the history keeps who decided and why.",
  takes: TAKES,
  options: OPTIONS,
  examples: ['hasp library accept evolutions/web-1 e1-c2 --reason "right for our questions"'],
  run: (call, evolution: string, candidate: string) => decide(call, evolution, candidate, true),
});

/** `hasp library reject`. */
export const rejectCommand = defineCommand({
  name: "reject",
  about: "Take an admitted candidate out of the library; the history keeps who decided and why.",
  takes: TAKES,
  options: OPTIONS,
  examples: ['hasp library reject evolutions/web-1 e1-c1 --reason "too broad"'],
  run: (call, evolution: string, candidate: string) => decide(call, evolution, candidate, false),
});
