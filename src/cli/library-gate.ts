import { readEvolved } from "../evolve/read-evolved.ts";
import { replayGate, type ReplayedGate } from "../evolve/replay-gate.ts";
import { counted } from "../model/counted.ts";
import { versionFolder } from "../model/domain-folder.ts";
import { decisionWordOf, GATE_WORDS, GATES } from "../model/evolution.ts";
import { need } from "./checked.ts";
import { defineCommand, type Call } from "./define-command.ts";
import { evolutionAt } from "./library-option.ts";
import { needed, oneOf, withDefault } from "./options.ts";
import { renderTable } from "./table.ts";
import { EXIT, type ExitCode, type Terminal } from "./terminal.ts";

const OPTIONS = {
  gate: needed(oneOf("--gate <gate>", "the gate that decides", GATES)),
  worth: withDefault(oneOf("--worth <switch>", "ask for worth on held-out questions", ["on", "off"]), "off"),
};

function print(terminal: Terminal, { gate, worthOn, epochs, firstDifferent, unknown }: ReplayedGate): void {
  terminal.line(`${gate}: ${GATE_WORDS[gate]}${worthOn ? ", and worth on held-out questions" : ""}`);
  const rows = epochs.flatMap(({ epoch, candidates }) =>
    candidates.map((one) => [
      String(epoch),
      one.id,
      versionFolder(one),
      decisionWordOf(one.recorded),
      one.ruling === "refused" ? "rejected" : one.ruling,
      one.reason,
    ]),
  );
  for (const line of renderTable(["epoch", "candidate", "skill", "recorded", "now", "reason"], rows))
    terminal.line(line);
  if (unknown > 0) terminal.line(`${counted(unknown, "candidate")} unknown: a result was not stored`);
  if (firstDifferent === undefined) {
    terminal.line("every epoch admits the same candidates");
    return;
  }
  const later = epochs.filter(({ otherLibrary }) => otherLibrary).map(({ epoch }) => epoch);
  const after =
    later.length === 0
      ? ""
      : `; epochs ${later.join(", ")} were proposed with another library than it would have left`;
  terminal.line(`epoch ${firstDifferent} is the first that admits other candidates${after}`);
}

async function runGate(
  { options, terminal, files }: Call<typeof OPTIONS>,
  folder: string,
): Promise<ExitCode> {
  const evolution = await evolutionAt(folder, files);
  const read = await readEvolved(files, evolution);
  const replayed = replayGate(need(read), options.gate, options.worth === "on");
  print(terminal, replayed);
  terminal.diagnostics(read.diagnostics);
  terminal.result({ evolution, ...replayed, diagnostics: read.diagnostics });
  return replayed.firstDifferent === undefined && read.diagnostics.length === 0 ? EXIT.fine : EXIT.findings;
}

/** `hasp library gate`. */
export const gateCommand = defineCommand({
  name: "gate",
  about: "Decide on the stored candidates of an evolution by another gate, without a rollout or a model.",
  takes: [["<evolution>", "the evolution's folder"]],
  options: OPTIONS,
  examples: ["hasp library gate evolutions/web-1 --gate exec-only --worth on"],
  codes: ["the same candidates are admitted", "others are, or a line cannot be read"],
  run: runGate,
});
