import path from "node:path";
import { openModel } from "../../app/run/models.ts";
import { defaultDomain, domainNames, domainOf } from "../../domains/registry.ts";
import {
  bootstrap,
  type BootstrapCandidate,
  type Bootstrapped,
  type BootstrapServices,
} from "../../evolve/bootstrap.ts";
import { createBudget, costText } from "../../llm/budget.ts";
import { counted } from "../../model/counted.ts";
import { isClean } from "../../model/diagnostic.ts";
import { EVOLVE_LIMITS } from "../../model/evolution.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { newFolder } from "../../platform/new-folder.ts";
import { need } from "../checked.ts";
import { defineCommand, type Call } from "../define-command.ts";
import { countDiagnostics } from "../format-diagnostic.ts";
import { KEYS } from "../help.ts";
import { interruptible } from "../interrupt.ts";
import { modelOrder, withModels } from "../models.ts";
import { decimal, needed, oneOf, SKILL_FOLDERS, text, TRIGGERS, whole, withDefault } from "../options.ts";
import { backtestRuns } from "../runs.ts";
import { readSkills } from "../session.ts";
import { CliError, EXIT, type ExitCode, type Terminal } from "../terminal.ts";

const OPTIONS = {
  author: needed(text("--author <spec>", "the model that writes the skills, e.g. openai:gpt-4o-2024-11-20")),
  price: text("--price <in/out>", "dollars for a million tokens of the author, e.g. 2.50/10"),
  maxDollars: decimal("--max-dollars <n>", "what the author may cost"),
  output: text("-o, --output <folder>", "gets a folder for each skill (default: skills/<domain>)"),
  domain: withDefault(oneOf("--domain <name>", "the kind of agent", domainNames()), defaultDomain().name),
  skills: SKILL_FOLDERS,
  triggers: TRIGGERS,
  candidates: withDefault(
    whole("--candidates <n>", "skills to propose at most", 1),
    EVOLVE_LIMITS.candidates,
  ),
  minCluster: withDefault(
    whole("--min-cluster <n>", "recovered failures of the smallest cluster", 1),
    EVOLVE_LIMITS.minClusterSize,
  ),
};

/** The whole folder or nothing; what is there stays. */
function skillWriter(files: NodeFiles): BootstrapServices["writeSkill"] {
  return async (folder, texts) => {
    if (await files.exists(folder)) return false;
    await newFolder(folder, async (temporary) => {
      for (const [name, content] of Object.entries(texts))
        await files.writeText(path.join(temporary, name), content);
    });
    return true;
  };
}

function candidateLines({
  id,
  cluster,
  skillId,
  replies,
  folder,
  refusals,
}: BootstrapCandidate): readonly string[] {
  const name = skillId ?? "no skill";
  const about = `${id}  ${name}  for ${cluster.category} (${counted(cluster.size, "failure")}, ${replies === 1 ? "1 reply" : `${replies} replies`})`;
  const end = folder === undefined ? "refused" : `written to ${folder}`;
  return [`${about}: ${end}`, ...refusals.map(({ code, message }) => `    ${code} ${message}`)];
}

function print(terminal: Terminal, result: Bootstrapped, cost: string): void {
  const { questions, recovered, clusters, candidates, endedBy } = result;
  terminal.line(
    `${counted(recovered, "recovered failure")}: questions that failed in one episode and were answered right in another, of ${counted(questions, "judged question")}`,
  );
  terminal.line(
    `${counted(clusters, "cluster")} of these failures, ${counted(candidates.length, "skill")} proposed`,
  );
  for (const candidate of candidates) for (const line of candidateLines(candidate)) terminal.line(line);
  const written = candidates.filter(({ folder }) => folder !== undefined).length;
  terminal.line(
    `${counted(written, "skill")} written, without a review: read them, then run hasp backtest; cost of the author: ${cost}`,
  );
  if (endedBy !== undefined)
    terminal.line(
      `Ended early: ${endedBy} Replies are kept: the same command asks only for what is missing.`,
    );
}

function outputOf({
  output,
  domain,
}: {
  readonly output: string | undefined;
  readonly domain: string;
}): string {
  const folder = output?.replace(/[/\\]+$/, "") ?? `skills/${domain}`;
  if (path.basename(folder) === domain) return folder;
  throw new CliError(
    `The skills of ${domain} cannot be in ${folder}: the last part of the path names their domain.`,
    `Write -o ${path.posix.join(folder, domain)}.`,
  );
}

async function runBootstrap(call: Call<typeof OPTIONS>, paths: readonly string[]): Promise<ExitCode> {
  const { options, terminal, session, files } = call;
  const domain = domainOf(options.domain);
  if (domain === undefined) throw new CliError("No such domain.", "Name another with --domain.");
  const output = outputOf(options);
  const runs = await backtestRuns(paths, files);
  const acting = await readSkills(options.skills, session, { mayBeNone: true });
  const { candidates, minCluster: minClusterSize } = options;
  return withModels(files, terminal, async (models) => {
    const budget = createBudget(options.maxDollars);
    const author = need(await openModel(models, modelOrder(options.author, options.price), budget));
    return interruptible(terminal, async (signal, on) => {
      const order = { runs, domain, output, acting, candidates, minClusterSize };
      const services = { ...session, author, writeSkill: skillWriter(files), signal, on };
      const result = await bootstrap(order, services);
      terminal.endProgress();
      terminal.diagnostics(result.diagnostics);
      const value = need(result);
      print(terminal, value, costText(budget));
      if (result.diagnostics.length > 0) terminal.line(countDiagnostics(result.diagnostics));
      terminal.result({ ...value, diagnostics: result.diagnostics });
      const isWhole = value.endedBy === undefined && isClean(result.diagnostics);
      return isWhole && value.candidates.some(({ folder }) => folder !== undefined)
        ? EXIT.fine
        : EXIT.findings;
    });
  });
}

/** `hasp bootstrap <run…> --author <spec>`. */
export const bootstrapCommand = defineCommand({
  name: "bootstrap",
  about:
    "Have a model write the first skills of a domain, for failures that other episodes of the same question avoided.",
  takes: [["<run...>", "run folders"]],
  options: OPTIONS,
  json: "print what was found, proposed, written and refused as JSON",
  section: KEYS,
  examples: [
    "hasp bootstrap .hasp/runs/reflexion --author openai:gpt-4o-2024-11-20 --price 2.50/10 --max-dollars 1",
    "hasp bootstrap .hasp/runs/a .hasp/runs/b --author http://localhost:8000/v1#student --candidates 3",
  ],
  run: runBootstrap,
});
