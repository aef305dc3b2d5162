import path from "node:path";
import { Command, Option } from "commander";
import { exportDocuments, exportPage } from "../../app/export-run.ts";
import { openRunAt } from "../../app/open-run.ts";
import { systemClock } from "../../platform/clock.ts";
import { nodeFiles } from "../../platform/files.ts";
import { readPageBundle, sha256Base64 } from "../../platform/page-bundle.ts";
import { version } from "../../../package.json";
import { need } from "../checked.ts";
import { helpText } from "../help.ts";
import { interruptible } from "../interrupt.ts";
import { convertSkill } from "../portable-skill.ts";
import { inSession, readSkills } from "../session.ts";
import { counted } from "../table.ts";
import { CliError, EXIT, openTerminal, type SetExit } from "../terminal.ts";

interface Options {
  readonly to?: "atif" | "html";
  /** The argument is a skill, and its SKILL.md is written in the portable form. */
  readonly portable?: boolean;
  readonly episode?: string;
  readonly output: string;
  /** html: the skills that judge each step. */
  readonly skills?: string[];
  readonly json?: boolean;
}

async function runAtif(given: string, { episode, output, json }: Options): Promise<0 | 1> {
  const terminal = openTerminal(json === true);
  const files = nodeFiles();
  const run = need(await openRunAt(files, given));
  const exported = await exportDocuments({ run, output, episode, version }, files);
  const [written, { diagnostics }] = [need(exported), exported];
  terminal.diagnostics(diagnostics);
  terminal.result({ written, diagnostics });
  const [only] = written;
  terminal.line(
    written.length === 1 && only !== undefined
      ? `written to ${only.file}`
      : `${written.length} files written to ${output}`,
  );
  const replaced = written.reduce((sum, { loneSurrogates }) => sum + loneSurrogates, 0);
  if (replaced > 0) terminal.line(`${replaced} halves of characters (lone surrogates) became U+FFFD`);
  return diagnostics.length === 0 ? EXIT.fine : EXIT.findings;
}

async function runHtml(given: string, { episode, output, skills, json }: Options): Promise<0 | 1> {
  const terminal = openTerminal(json === true);
  const exported = await inSession(async (session) => {
    const run = need(await openRunAt(session.files, given));
    const folders = skills === undefined ? undefined : await readSkills(skills, session);
    return interruptible(terminal, (signal, on) =>
      exportPage(
        { run, output, episode, skills: folders },
        {
          ...session,
          clock: systemClock,
          readBundle: () => readPageBundle(path.join(path.dirname(__filename), "webview")),
          sha256: sha256Base64,
          signal,
          on,
        },
      ),
    );
  });
  const [written, { diagnostics }] = [need(exported), exported];
  terminal.diagnostics(diagnostics);
  const size = `${(written.bytes / 1e6).toFixed(1)} MB`;
  terminal.line(`${counted(written.episodes, "episode")} written to ${written.file}, ${size}`);
  terminal.result({ ...written, diagnostics });
  return diagnostics.length === 0 ? EXIT.fine : EXIT.findings;
}

async function runChosen(given: string, options: Options): Promise<0 | 1> {
  const { to, portable, output, json } = options;
  if (portable === true && to === undefined)
    return convertSkill(given, { output, to: "portable", ...(json !== undefined && { json }) });
  if (to === undefined || portable === true)
    throw new CliError("Say what to write.", "A run: --to atif or --to html. A skill: --portable.");
  return to === "html" ? runHtml(given, options) : runAtif(given, options);
}

/** `hasp export <run> --to atif|html -o <file|folder>`, `hasp export --portable <skill> -o <folder>`. */
export function exportCommand(setExit: SetExit): Command {
  return new Command("export")
    .description(
      "Write episodes for other systems, each as an ATIF 1.7 document, or as one HTML page that anyone can open; or a skill in the form that other readers of Agent Skills take.",
    )
    .argument("<run>", "a run folder; with --portable a skill folder")
    .addOption(new Option("--to <format>", "the format to write").choices(["atif", "html"]))
    .option("--portable", "a skill: its HASP keys as texts under `metadata` (back: hasp import --portable)")
    .option("--episode <id>", "only this episode: its id, or its number in the run")
    .requiredOption(
      "-o, --output <path>",
      "atif: a file for one episode, a folder (ending in /) for all; html: the page; --portable: the folder above",
    )
    .option("--skills <dir...>", "html: also show what these skills would do at each step")
    .option("--json", "print what was written as JSON")
    .addHelpText(
      "after",
      helpText(
        "hasp export samples/.hasp/runs/first-look --to atif --episode 1 -o episode.json",
        "hasp export .hasp/runs/mine --to atif -o exported/",
        "hasp export .hasp/runs/mine --to html --skills skills -o mine.html",
        "hasp export --portable skills/web-search/retrieval-failure -o .agents/skills",
      ),
    )
    .action(async (run: string, options: Options) => {
      setExit(await runChosen(run, options));
    });
}
