import { PRESETS, PRESET_NAMES, presetHeader, presetNamed } from "../../../jobs/presets.ts";
import type { Target } from "../../../model/target.ts";
import { didYouMean } from "../../../skill/suggest.ts";
import { defineCommand } from "../../define-command.ts";
import { resourceWords } from "../../../model/job-words.ts";
import { text } from "../../options.ts";
import { renderTable, right } from "../../table.ts";
import { targetNamed } from "../../targets.ts";
import { CliError, EXIT } from "../../terminal.ts";

/** A cluster that says nothing of partition, account or GPU. */
const PLAIN: Target = { kind: "slurm", folder: "~/hasp" };

/** `hasp job preset [<name>]`. */
export const presetCommand = defineCommand({
  name: "preset",
  about: "List what jobs ask for by default, or print the head of a batch script that asks for it.",
  takes: [["[name]", "a preset, such as e4"]],
  options: {
    target: text("--target <name>", "with the partition, account and GPU of this target of hasp.yaml"),
  },
  examples: ["hasp job preset", "hasp job preset e4 --target lab > e4.sbatch"],
  async run({ files, terminal, options }, given?: string) {
    if (given === undefined) {
      const rows = PRESET_NAMES.map((name) => {
        const { about, resources, measured } = PRESETS[name];
        return [name, resourceWords(resources), measured === undefined ? "" : `${measured} h`, about];
      });
      for (const line of renderTable(["name", "asks for", right("measured"), "for"], rows))
        terminal.line(line);
      terminal.result(PRESETS);
      return EXIT.fine;
    }
    const name = presetNamed(given);
    if (name === undefined)
      throw new CliError(`There is no preset ${given}.`, didYouMean(given, PRESET_NAMES));
    const named = options.target === undefined ? undefined : await targetNamed(files, options.target);
    const lines = presetHeader(name, named?.target ?? PLAIN);
    for (const line of lines) terminal.line(line);
    terminal.result({ name, ...PRESETS[name], lines });
    return EXIT.fine;
  },
});
