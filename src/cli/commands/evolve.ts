import { estimateEvolution, type EstimatedCalls } from "../../evolve/estimate.ts";
import { evolutionSchema, readArtifactText } from "../../evolve/artifacts.ts";
import { evolutionPaths } from "../../evolve/evolution-paths.ts";
import { evolve, type Evolved } from "../../evolve/evolve.ts";
import type { EvolveEvent, EvolveOrder, EvolveServices } from "../../evolve/order.ts";
import { readEvolution } from "../../evolve/report.ts";
import { readNamed } from "../../app/named-text.ts";
import { factsOf } from "../../model/facts.ts";
import { costText, dollars } from "../../llm/budget.ts";
import { counted } from "../../model/counted.ts";
import { isClean } from "../../model/diagnostic.ts";
import { decisionWordOf, PHASE_WORDS, phaseLetter } from "../../model/evolution.ts";
import { ownRecords } from "../../platform/own-records.ts";
import { libraryFiles } from "../../platform/library-files.ts";
import { need } from "../checked.ts";
import { defineCommand } from "../define-command.ts";
import { EVOLVE_OPTIONS } from "../evolve-options.ts";
import { evolveOrder, type EvolveCall } from "../evolve-order.ts";
import { inEpisodeSession, type EpisodeSession } from "../episode-session.ts";
import { countDiagnostics } from "../format-diagnostic.ts";
import { KEYS } from "../help.ts";
import { needOwn } from "../own-order.ts";
import { readSkills } from "../session.ts";
import { renderTable, right } from "../table.ts";
import { EXIT, type ExitCode, type Terminal } from "../terminal.ts";

const dollarsText = (amount: number | undefined): string =>
  amount === undefined ? "unknown" : dollars(amount);

/** The sum over all models. A budget needs the price of each. */
export function togetherText(calls: readonly Pick<EstimatedCalls, "dollars">[]): string {
  const sum = calls.reduce((all, { dollars = 0 }) => all + dollars, 0);
  const known = calls.filter(({ dollars }) => dollars !== undefined).length;
  if (known === calls.length) return `at most about ${dollarsText(sum)}, and --max-dollars sets a limit`;
  const rest = "no price is known of the other models (--author-price, --teacher-price and --price name it)";
  return sum === 0 ? "price unknown" : `at most about ${dollarsText(sum)} on models with a price; ${rest}`;
}

function printEstimate(terminal: Terminal, calls: readonly EstimatedCalls[]): void {
  const columns = ["at most", "model", ...["calls", "input tokens", "output tokens", "dollars"].map(right)];
  const rows = calls.map((one) => [
    one.part,
    one.model,
    String(one.calls),
    String(one.inputTokens),
    String(one.outputTokens),
    dollarsText(one.dollars),
  ]);
  for (const line of renderTable(columns, rows)) terminal.line(line);
  terminal.line(`together: ${togetherText(calls)}; tokens are guessed`);
}

function showing(terminal: Terminal): (event: EvolveEvent) => void {
  return (event) => {
    if (event.kind === "progress") return terminal.progress(event.done, event.total, event.words);
    if (event.kind === "trouble") return terminal.line(event.message);
    if (event.kind === "candidate") {
      const { id, skillId, version, decision } = event.candidate;
      const name = skillId === "" ? "no skill" : `${skillId}__v${version}`;
      return terminal.line(`    ${id}  ${decisionWordOf(decision)}  ${name}: ${decision.reason}`);
    }
    const { epoch, phase, status, words = "" } = event;
    const what = `epoch ${epoch}  ${phaseLetter(phase)}  ${PHASE_WORDS[phase]}`;
    if (status === "done") terminal.line(`${what}: ${words}`);
    else if (status === "done before") terminal.line(`${what}: done before (${words})`);
    return undefined;
  };
}

const ENDS = {
  stopped: "Stopped after a phase",
  cancelled: "Interrupted",
  budget: "The budget is spent",
} as const;

function printEnd(
  terminal: Terminal,
  { endedBy, final, dollars, costUnknown, epochs }: Evolved,
  order: EvolveOrder,
): void {
  if (final !== undefined) terminal.line(final.words);
  terminal.line(
    `${counted(epochs, "epoch")} done, cost of all models: ${costText({ spent: dollars, costUnknown })}`,
  );
  if (endedBy !== undefined)
    terminal.line(
      `${ENDS[endedBy]}: repeat the command to resume ${order.folder}; nothing that is done is done again.`,
    );
}

/** The acting library as `--skills` or `hasp.yaml` choose it, and the generated skills as they are at that moment. */
function withGenerated(
  call: EvolveCall,
  { services }: EpisodeSession,
  { generated }: EvolveOrder,
): EvolveServices["readSkills"] {
  const { session, files } = call;
  return async (domain) => {
    const chosen = await services.readSkills(domain);
    const isThere = await files.exists(generated);
    const evolved = isThere ? await readSkills([generated], session).catch(() => []) : [];
    const known = new Set(chosen.map(({ folder }) => folder));
    return [...chosen, ...evolved.filter(({ folder }) => !known.has(folder))];
  };
}

/** Asks about an evolution that is there, and that this user has not begun. */
async function needOwnEvolution({ files, terminal, options }: EvolveCall, folder: string): Promise<void> {
  const { state: file } = evolutionPaths(folder);
  const { value } = await readArtifactText(files, file, evolutionSchema);
  if (value === undefined) return;
  const { artifact, text } = value;
  await needOwn(terminal, { name: `evolution ${folder}`, file, text, facts: factsOf(artifact) }, options);
}

async function runEvolve(call: EvolveCall): Promise<ExitCode> {
  const { terminal, options, files, session } = call;
  const asEpisodes = { ...call, options: { ...options, policy: options.policy ?? "" } };
  return inEpisodeSession(asEpisodes, async (episode) => {
    const { services, signal, config } = episode;
    const order = await evolveOrder(call, config);
    const { redactor } = services.models;
    const evolveServices: EvolveServices = {
      ...services,
      startHost: session.startHost,
      readSkills: withGenerated(call, episode, order),
      library: libraryFiles(files),
      own: ownRecords(),
      training: {
        redact: (text) => redactor.redact(text),
        readNamed: (file) => readNamed(files, file),
      },
      signal,
      stop: new AbortController().signal,
      on: showing(terminal),
    };
    const estimate = need(await estimateEvolution(order, evolveServices));
    printEstimate(terminal, estimate);
    if (options.estimate === true) {
      terminal.result({ estimate });
      return EXIT.fine;
    }
    await needOwnEvolution(call, order.folder);
    const result = await evolve(order, evolveServices);
    terminal.endProgress();
    // The last one of an evolution that could not begin ends the command.
    terminal.diagnostics(result.value === undefined ? result.diagnostics.slice(0, -1) : result.diagnostics);
    const ended = need(result);
    printEnd(terminal, ended, order);
    if (result.diagnostics.length > 0) terminal.line(countDiagnostics(result.diagnostics));
    const report = (await readEvolution(files, order.folder)).value;
    terminal.result({ ...ended, estimate, report, diagnostics: result.diagnostics });
    if (ended.endedBy !== undefined) return EXIT.findings;
    return isClean(result.diagnostics) ? EXIT.fine : EXIT.findings;
  });
}

/** `hasp evolve --epochs <n> -o <folder>`. */
export const evolveCommand = defineCommand({
  name: "evolve",
  about:
    "Let a library of skills grow from failed episodes: analyse, propose, check, review, admit, and build training data.",
  options: EVOLVE_OPTIONS,
  section: KEYS,
  examples: [
    "hasp evolve -o .hasp/evolutions/first --episodes .hasp/runs/reflexion --author openai:gpt-4o-mini --gate exec-only",
    "hasp evolve -o .hasp/evolutions/live --epochs 3 --questions hotpot.jsonl --policy http://127.0.0.1:8000/v1#qwen --author http://127.0.0.1:8000/v1#qwen --teacher openai:gpt-4o-2024-11-20 --max-dollars 20",
    "hasp evolve -o .hasp/evolutions/first --episodes .hasp/runs/reflexion --author openai:gpt-4o-mini --gate exec-only --estimate",
  ],
  run: runEvolve,
});
