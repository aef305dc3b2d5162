import { counted } from "../../model/counted.ts";
import { exportDocuments, exportPage } from "../../app/export-run.ts";
import { systemClock } from "../../platform/clock.ts";
import { sha256Base64 } from "../../platform/page-bundle.ts";
import { version } from "../../../package.json";
import { need } from "../checked.ts";
import { defineCommand, type Call } from "../define-command.ts";
import { interruptible } from "../interrupt.ts";
import { flag, needed, oneOf, text, texts, TRIGGERS } from "../options.ts";
import { convertSkill } from "../portable-skill.ts";
import { RECORDED_SKILLS, skillsOfRun } from "../recorded-skills.ts";
import { openRunAt } from "../runs.ts";
import { readSkills } from "../session.ts";
import { CliError, EXIT, type ExitCode } from "../terminal.ts";

const OPTIONS = {
  to: oneOf("--to <format>", "the format to write", ["atif", "html"]),
  portable: flag(
    "--portable",
    "a skill: its HASP keys as texts under `metadata` (back: hasp import --portable)",
  ),
  episode: text("--episode <id>", "only this episode: its id, or its number in the run"),
  output: needed(
    text(
      "-o, --output <path>",
      "atif: a file for one episode, a folder (ending in /) for all; html: the page; --portable: the folder above",
    ),
  ),
  skills: texts("--skills <dir...>", "html: also show what these skills would do at each step"),
  triggers: TRIGGERS,
  recordedSkills: RECORDED_SKILLS,
};

async function runAtif({ options, terminal, files }: Call<typeof OPTIONS>, given: string): Promise<ExitCode> {
  const { episode, output } = options;
  const run = await openRunAt(given, files);
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

async function runHtml(
  { options, terminal, session, files }: Call<typeof OPTIONS>,
  given: string,
): Promise<ExitCode> {
  const { episode, output } = options;
  const run = await openRunAt(given, files);
  const recorded = options.recordedSkills === true ? await skillsOfRun(run, session) : undefined;
  const skills = recorded?.skills ?? (options.skills && (await readSkills(options.skills, session)));
  const services = {
    ...session,
    clock: systemClock,
    readBundle: async () => (await import("../page-bundle.ts")).PAGE_BUNDLE,
    sha256: sha256Base64,
  };
  const exported = await interruptible(terminal, (signal, on) =>
    exportPage({ run, output, episode, skills }, { ...services, signal, on }),
  );
  const written = need(exported);
  const diagnostics = [...(recorded?.diagnostics ?? []), ...exported.diagnostics];
  terminal.diagnostics(diagnostics);
  const size = `${(written.bytes / 1e6).toFixed(1)} MB`;
  terminal.line(`${counted(written.episodes, "episode")} written to ${written.file}, ${size}`);
  terminal.result({ ...written, diagnostics });
  return diagnostics.length === 0 ? EXIT.fine : EXIT.findings;
}

async function runChosen(call: Call<typeof OPTIONS>, given: string): Promise<ExitCode> {
  const { to, portable, output } = call.options;
  if (portable === true && to === undefined) return convertSkill(given, output, "portable", call.terminal);
  if (to === undefined || portable === true)
    throw new CliError("Say what to write.", "A run: --to atif or --to html. A skill: --portable.");
  return to === "html" ? runHtml(call, given) : runAtif(call, given);
}

/** `hasp export <run> --to atif|html -o <file|folder>`, `hasp export --portable <skill> -o <folder>`. */
export const exportCommand = defineCommand({
  name: "export",
  about:
    "Write episodes for other systems, each as an ATIF 1.7 document, or as one HTML page that anyone can open; or a skill in the form that other readers of Agent Skills take.",
  takes: [["<run>", "a run folder; with --portable a skill folder"]],
  options: OPTIONS,
  json: "print what was written as JSON",
  examples: [
    "hasp export samples/.hasp/runs/first-look --to atif --episode 1 -o episode.json",
    "hasp export .hasp/runs/mine --to atif -o exported/",
    "hasp export .hasp/runs/mine --to html --skills skills -o mine.html",
    "hasp export --portable skills/web-search/retrieval-failure -o .agents/skills",
  ],
  run: runChosen,
});
