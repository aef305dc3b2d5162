import type { WorkspaceConfig } from "../app/run/settings.ts";
import type { Domain } from "../domains/domain.ts";
import type { ToolOrder } from "../domains/environment.ts";
import { MOST_RESULTS, RESULTS, RETRIEVER_KINDS } from "../domains/passages/retriever-kinds.ts";
import type { IsGiven } from "./define-command.ts";
import { CliError } from "./terminal.ts";
import { oneOf, text, whole, withDefault, type OptionsOf } from "./options.ts";

/** The options about retrievers; `--corpus` is the command's own. */
export const RETRIEVER = {
  retriever: withDefault(oneOf("--retriever <kind>", "what SEARCH and READ ask", RETRIEVER_KINDS), "corpus"),
  retrieverUrl: text(
    "--retriever-url <url>",
    "http: where /retrieve answers (needed); wikipedia: another api.php; serpapi: another server that speaks like it",
  ),
  retrieverLanguage: withDefault(text("--retriever-language <code>", "the Wikipedia that is asked"), "en"),
  retrieverConcurrency: withDefault(
    whole("--retriever-concurrency <n>", "calls under way at once; 0: 8, and 3 for Wikipedia"),
    0,
  ),
  topK: withDefault(
    whole("--top-k <n>", `results that one search lists, at most ${MOST_RESULTS}`, 1),
    RESULTS,
  ),
};

/** A command line's words about retrievers and the corpus. */
export type RetrieverOptions = OptionsOf<typeof RETRIEVER> & { readonly corpus?: string | undefined };

/** The tools and the corpus of a run; where the command line names none, those of `hasp.yaml`. */
export function toolsOf(
  options: RetrieverOptions,
  { tools }: { readonly tools: Partial<WorkspaceConfig["tools"]> },
  isGiven: IsGiven,
): { readonly tools: ToolOrder; readonly corpus: string | undefined } {
  const { retrieverUrl: url, retrieverLanguage: language, retrieverConcurrency: concurrency } = options;
  const retriever = (isGiven("retriever") ? undefined : tools.retriever) ?? options.retriever;
  const topK = (isGiven("topK") ? undefined : tools.topK) ?? options.topK;
  const corpus = isGiven("corpus") ? options.corpus : tools.corpus;
  return { tools: { retriever, url, language, concurrency, topK }, corpus };
}

const CORPUS = { corpus: { long: "--corpus" } };

/** As `toolsOf`, in a domain: one that searches nothing takes neither options about it, which are refused, nor those of `hasp.yaml`. */
export function toolsIn(
  domain: Pick<Domain, "name" | "needsPassages">,
  options: RetrieverOptions,
  config: Pick<WorkspaceConfig, "tools">,
  isGiven: IsGiven,
): ReturnType<typeof toolsOf> {
  if (domain.needsPassages !== undefined) return toolsOf(options, config, isGiven);
  const [given] = Object.entries({ ...RETRIEVER, ...CORPUS }).filter(([name]) => isGiven(name));
  if (given === undefined) return toolsOf(options, { tools: {} }, isGiven);
  const [, { long }] = given;
  throw new CliError(
    `Runs of the domain "${domain.name}" search nothing: ${long} has no use there.`,
    "Leave it out.",
  );
}
