import { stat } from "node:fs/promises";
import path from "node:path";
import { Command, Option } from "commander";
import { judgedBy } from "../../analysis/export-page.ts";
import { librarySnapshot } from "../../evaluation/library-refs.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Episode } from "../../model/episode.ts";
import { systemClock } from "../../platform/clock.ts";
import { type NodeFiles, nodeFiles } from "../../platform/files.ts";
import { readEpisodes } from "../../trace/episode-file.ts";
import { readNotes } from "../../trace/notes.ts";
import { exportAtif } from "../../trace/export-atif.ts";
import { exportName } from "../../trace/export-name.ts";
import { version } from "../../../package.json";
import { writeHtml } from "../export-html-file.ts";
import { helpText } from "../help.ts";
import { convertSkill } from "../portable-skill.ts";
import { findEpisode, openRunAt } from "../runs.ts";
import { inSession, readLibrary } from "../session.ts";
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

interface Written {
  readonly file: string;
  readonly episode: string;
  readonly loneSurrogates: number;
}

async function isFolder(given: string): Promise<boolean> {
  if (/[/\\]$/.test(given)) return true;
  return stat(given).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function write(episode: Episode, file: string, files: NodeFiles): Promise<Written> {
  const { document, loneSurrogates } = exportAtif(episode, version);
  await files.writeText(file, `${JSON.stringify(document, undefined, 2)}\n`);
  return { file, episode: episode.id, loneSurrogates };
}

/** All episodes of a run, each in a file of its own in the folder. */
async function writeAll(
  run: string,
  folder: string,
  files: NodeFiles,
): Promise<{ written: Written[]; diagnostics: Diagnostic[] }> {
  const { index } = await openRunAt(run, files);
  const written: Written[] = [];
  const diagnostics: Diagnostic[] = [];
  const taken = new Set<string>();
  for await (const { value, diagnostics: found } of readEpisodes(files, index)) {
    diagnostics.push(...found);
    if (value === undefined) continue;
    written.push(await write(value, path.join(folder, `${exportName(value.id, taken)}.json`), files));
  }
  return { written, diagnostics };
}

async function writeOne(
  run: string,
  wanted: string | undefined,
  output: string,
  files: NodeFiles,
): Promise<Written> {
  const opened = await openRunAt(run, files);
  const count = opened.index.entries.length;
  if (wanted === undefined && count !== 1) {
    throw new CliError(
      `The run has ${count} episodes, and ${output} is one file.`,
      `Name one with --episode, or a folder: -o ${output}/`,
    );
  }
  const episode = await findEpisode(opened, wanted ?? "1", files);
  const folder = await isFolder(output);
  return write(
    episode,
    folder ? path.join(output, `${exportName(episode.id, new Set())}.json`) : output,
    files,
  );
}

async function runExport(run: string, options: Options): Promise<0 | 1> {
  const terminal = openTerminal(options.json === true);
  const files = nodeFiles();
  const all = options.episode === undefined && (await isFolder(options.output));
  const { written, diagnostics } = all
    ? await writeAll(run, options.output, files)
    : { written: [await writeOne(run, options.episode, options.output, files)], diagnostics: [] };
  terminal.diagnostics(diagnostics);
  terminal.result({ written, diagnostics });
  const [only] = written;
  terminal.line(
    written.length === 1 && only !== undefined
      ? `written to ${only.file}`
      : `${written.length} files written to ${options.output}`,
  );
  const replaced = written.reduce((sum, { loneSurrogates }) => sum + loneSurrogates, 0);
  if (replaced > 0) terminal.line(`${replaced} halves of characters (lone surrogates) became U+FFFD`);
  return diagnostics.length === 0 ? EXIT.fine : EXIT.findings;
}

/** One page with the episodes, the labels of the run, the patterns of failure that were found and what skills decide. */
async function runHtml(run: string, { episode, output, skills, json }: Options): Promise<0 | 1> {
  const terminal = openTerminal(json === true);
  const files = nodeFiles();
  const { folder } = await openRunAt(run, files);
  const { notes, diagnostics: found } = await readNotes(files, folder);
  const common = { files, output, episode, notes };
  const { written, judging } =
    skills === undefined
      ? { written: await writeHtml(run, common), judging: [] }
      : await inSession(async (session) => {
          const library = await readLibrary(skills, session);
          const { host, compiler } = session;
          const snapshot = librarySnapshot(library, systemClock.now());
          const judges = judgedBy({ library, host, compiler }, snapshot);
          const onProgress = (done: number, total: number): void =>
            terminal.progress(done, total, `${done} of ${total} episodes judged`);
          return {
            written: await writeHtml(run, { ...common, judges, onProgress }),
            judging: library.diagnostics,
          };
        });
  terminal.endProgress();
  const diagnostics = [...judging, ...found, ...written.diagnostics];
  terminal.diagnostics(diagnostics);
  terminal.line(
    `${counted(written.episodes, "episode")} written to ${written.file}, ${(written.bytes / 1e6).toFixed(1)} MB`,
  );
  terminal.result({ ...written, diagnostics });
  return diagnostics.length === 0 ? EXIT.fine : EXIT.findings;
}

async function runChosen(given: string, options: Options): Promise<0 | 1> {
  const { to, portable, output, json } = options;
  if (portable === true && to === undefined)
    return convertSkill(given, { output, to: "portable", ...(json !== undefined && { json }) });
  if (to === undefined || portable === true)
    throw new CliError("Say what to write.", "A run: --to atif or --to html. A skill: --portable.");
  return to === "html" ? runHtml(given, options) : runExport(given, options);
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
