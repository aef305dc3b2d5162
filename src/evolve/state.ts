import { need, refuse } from "../app/refusal.ts";
import { listIn } from "../evaluation/library-refs.ts";
import { isUnnamedList } from "../model/prompt-versions.ts";
import { hashText } from "../trace/hash.ts";
import { contentOf } from "../trace/run-folder.ts";
import { evolutionSchema, jsonText, readArtifactText, writeText, type EvolutionFile } from "./artifacts.ts";
import { evolutionPaths } from "./evolution-paths.ts";
import type { EvolveOrder, EvolveServices, LiveRollouts } from "./order.ts";

const MAX_BYTES = 1_000_000_000;

async function hashOf(
  file: LiveRollouts["run"]["corpus"],
  files: Pick<EvolveServices["files"], "readText">,
): Promise<string> {
  const found = file === undefined ? undefined : await files.readText(file.path, MAX_BYTES);
  return found?.kind === "text" ? hashText(found.text) : "";
}

/** All that the results depend on, as text: two orders with the same rollouts give the same evolution. */
async function rolloutsOf(
  { rollouts }: EvolveOrder,
  { files, sha256 }: EvolveServices,
): Promise<EvolutionFile["rollouts"]> {
  if (rollouts.kind === "recorded") {
    const runs = await Promise.all(
      rollouts.runs.map(async ({ run, index }) => ({
        run,
        episodes: index.entries.length,
        // Ids and outcomes in order tell runs apart without reading them whole.
        hash: sha256(JSON.stringify(index.entries.map(({ head }) => [head.id, head.outcome, head.length]))),
      })),
    );
    return { kind: "recorded", runs };
  }
  const { run, prefilter } = rollouts;
  return {
    kind: "live",
    questions: { file: run.questions.name, hash: await hashOf(run.questions, files) },
    policy: run.policy.spec,
    samples: run.samples,
    limit: run.limit ?? null,
    dataset: run.dataset ?? null,
    corpus: await hashOf(run.corpus, files),
    setting: run.choice.setting,
    control: run.choice.control,
    // Without its address, which may hold a password.
    retriever: { name: run.tools.retriever, language: run.tools.language, topK: run.tools.topK },
    sampling: run.sampling,
    prefilter: prefilter !== undefined,
  };
}

async function describe(order: EvolveOrder, services: EvolveServices): Promise<EvolutionFile> {
  const { folder, domain, generated, mode, gate, worth, caps, seed, author, teacher, pinned, epochs } = order;
  const createdAt = services.clock.now();
  const triggers = listIn(await services.readSkills(domain.name));
  const name = folder.split(/[/\\]/).findLast((part) => part !== "" && part !== ".") ?? folder;
  return {
    schema: "hasp.evolution/1",
    id: name,
    createdAt,
    domain: domain.name,
    generated,
    mode,
    gate,
    worth,
    caps: { ...caps },
    seed,
    author: author.spec,
    teacher: teacher?.spec ?? "none",
    pinned: [...pinned],
    ...(triggers !== undefined && { triggers }),
    rollouts: await rolloutsOf(order, services),
    epochs,
    worthRule: { null: "base rate", epochs },
  };
}

/** Without what an order does not say, or may say anew. */
const plain = ({
  createdAt: _at,
  epochs: _n,
  worthRule: _rule,
  ...rest
}: EvolutionFile): Readonly<Record<string, unknown>> => rest;

/** Names of the parts in which two descriptions differ. */
function differing(before: EvolutionFile, now: EvolutionFile): readonly string[] {
  const [a, b] = [plain(before), plain(now)];
  return Object.keys(b)
    .filter((key) => !isUnnamedList(key, a[key], b[key]))
    .filter((key) => JSON.stringify(a[key]) !== JSON.stringify(b[key]));
}

/** Known as this user's before it is there: a kill between the two asks nobody. */
async function keep({ files, own }: EvolveServices, state: string, file: EvolutionFile): Promise<void> {
  const text = jsonText(file);
  own.keep(state, text);
  await writeText(files, state, text);
}

/**
 * Begins an evolution in its folder, or resumes the one that is there. Refuses a folder that holds another one (HASP671) or anything else
 * (HASP672).
 */
export async function openEvolution(order: EvolveOrder, services: EvolveServices): Promise<EvolutionFile> {
  const { files } = services;
  const { state } = evolutionPaths(order.folder);
  const now = await describe(order, services);
  const read = await readArtifactText(files, state, evolutionSchema);
  if (read.value === undefined && read.diagnostics.length > 0)
    return need<never>({ ...read, value: undefined });
  if (read.value === undefined) {
    const other = await contentOf(files, order.folder);
    if (other !== undefined)
      refuse(
        "HASP672",
        `${order.folder} holds ${JSON.stringify(other)} already, and no evolution.`,
        "Name a new folder.",
        order.folder,
      );
    await keep(services, state, now);
    return now;
  }
  const { artifact: before, text } = read.value;
  if (!services.own.has(state, text))
    return refuse(
      "HASP836",
      `The evolution in ${order.folder} was not begun by you on this machine, and you have not allowed it.`,
      "Read its order, then allow it: repeat the command in a terminal, or HASP: Resume Evolution in VS Code.",
      state,
    );
  const differs = differing(before, now);
  if (differs.length > 0)
    return refuse(
      "HASP671",
      `The evolution in ${order.folder} was begun with another order (${differs.join(", ")}).`,
      "Repeat the command that began it, or name another folder.",
      state,
    );
  const file = { ...before, epochs: Math.max(before.epochs, now.epochs) };
  if (file.epochs !== before.epochs) await keep(services, state, file);
  return file;
}
