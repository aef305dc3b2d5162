import { allDomains, domainNames } from "../domains/registry.ts";
import { MOST_RESULTS, RESULTS, type RetrieverKind } from "../domains/passages/retriever-kinds.ts";
import { KNOBS, SETTINGS, type Knob, type KnobGroup, type Setting } from "../model/control.ts";
import { HARNESS_SITES } from "../harness/teacher.ts";
import { shippedLibraries } from "../model/domain-spec.ts";
import { TRIGGERS, type ShippedList } from "../model/shipped-lists.ts";
import { TARGET_NAME } from "../model/target.ts";
import { TERMS } from "../model/terms.ts";
import { HOOK_DEFAULTS } from "./hook-settings.ts";

/** What may stand behind a key of `hasp.yaml`. */
export type ConfigShape =
  | { readonly kind: "flag"; readonly fallback: boolean }
  | {
      readonly kind: "number";
      readonly fallback: number;
      readonly whole: boolean;
      readonly least: number;
      readonly most: number;
    }
  | { readonly kind: "choice"; readonly values: readonly { readonly text: string; readonly about: string }[] }
  | { readonly kind: "path" }
  | { readonly kind: "text" }
  | { readonly kind: "texts" }
  | {
      readonly kind: "group";
      readonly keys: readonly ConfigKey[];
      /** Keys that follow a form and are not listed, e.g. `handler.<skill_id>`. A regular expression. */
      readonly form?: string;
    }
  /** Groups by names that people choose. `form`: of the names, a regular expression. */
  | { readonly kind: "named"; readonly keys: readonly ConfigKey[]; readonly form: string };

/** A key of `hasp.yaml`: what reads it, its JSON schema, completion, hovers and the documentation come from this. */
export interface ConfigKey {
  readonly name: string;
  readonly about: string;
  readonly shape: ConfigShape;
}

const SETTING_ABOUT = Object.fromEntries(
  SETTINGS.map((setting) => [setting, TERMS[setting].sentence]),
) as Readonly<Record<Setting, string>>;

const LIST_ABOUT: Readonly<Record<ShippedList, string>> = {
  worth: "Skills that help more than they harm on recorded runs (default).",
  paper: "All 26 skills of the paper with its triggers, for reproductions and experiments.",
};

const RETRIEVER_ABOUT: Readonly<Record<RetrieverKind, string>> = {
  corpus: "The local corpus, by BM25.",
  http: "A server that answers `/retrieve`; its address is given with `--retriever-url`.",
  wikipedia: "Wikipedia's own API.",
  serpapi: "SerpAPI; its key comes from the environment.",
  "teacher-snippet": "The teacher writes a short snippet for each search; no READ.",
};

const SITE_ABOUT: Readonly<Record<(typeof HARNESS_SITES)[number], string>> = {
  difficulty_gate: "Scores how hard the question is.",
  pf_selector: "Chooses the Program Functions of a question.",
  answer_format: "Brings the answer into the form that the question asks for.",
  retry: "Decides whether an answer gets another round.",
  search_snippet: "Writes the snippets of the retriever `teacher-snippet`.",
};

/** `pf.<skill_id>` and `handler.<skill_id>`. */
export const SKILL_SITE = /^(?:pf|handler)\.[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;

const siteKey = (name: string, about: string): ConfigKey => ({
  name,
  about,
  shape: { kind: "flag", fallback: true },
});

const SITE_KEYS: readonly ConfigKey[] = [
  ...HARNESS_SITES.map((site) => siteKey(site, SITE_ABOUT[site])),
  siteKey("pf", "All Program Functions that ask a teacher."),
  siteKey("handler", "All handlers that ask a teacher."),
];

function shapeOf(knob: Knob): ConfigShape {
  if (knob.kind === "flag") return { kind: "flag", fallback: knob.fallback };
  const { fallback, whole, least, most } = knob;
  return { kind: "number", fallback, whole, least, most };
}

const knobKeys = (group: KnobGroup): readonly ConfigKey[] =>
  Object.values<Knob>(KNOBS)
    .filter((knob) => knob.group === group)
    .map((knob) => ({ name: knob.name, about: knob.about, shape: shapeOf(knob) }));

/** Skills of the libraries that do not act. */
export const DISABLED = "disabled_skills";
/** Skills that every selection keeps; a key of `selection` and of `--set` that is no knob. */
export const PINNED = "pinned_skills";
/** The group of `hasp.yaml` and the beginning of `--set` keys that switch teacher sites. */
export const TEACHER_SITES = "teacher_sites";

const group = (name: string, about: string, keys: readonly ConfigKey[], form?: string): ConfigKey => ({
  name,
  about,
  shape: { kind: "group", keys, ...(form !== undefined && { form }) },
});

const choice = (name: string, about: string, values: Readonly<Record<string, string>>): ConfigKey => ({
  name,
  about,
  shape: { kind: "choice", values: Object.entries(values).map(([text, note]) => ({ text, about: note })) },
});

const TOOL_KEYS: readonly ConfigKey[] = [
  choice("retriever", "What SEARCH and READ ask.", RETRIEVER_ABOUT),
  { name: "corpus", about: "JSONL with title and text, inside the workspace.", shape: { kind: "path" } },
  {
    name: "top_k",
    about: "Results that one search lists.",
    shape: { kind: "number", fallback: RESULTS, whole: true, least: 1, most: MOST_RESULTS },
  },
];

const HOOK_GROUP: readonly ConfigKey[] = [
  choice("on_failure", "What a call gets that could not be judged; a stop is never held for it.", {
    open: "It runs (default).",
    closed: "It is refused.",
  }),
  choice("rewrite", "What a call with other inputs gets, where the host leaves the choice.", {
    ask: "The person is asked (default).",
    allow: "It runs, and the host's own question is skipped.",
  }),
  {
    name: "budget_ms",
    about: "Milliseconds for one event; after them the host gets the answer of `on_failure`.",
    shape: { kind: "number", fallback: HOOK_DEFAULTS.budgetMs, whole: true, least: 50, most: 25_000 },
  },
  {
    name: "max_holds",
    about: "Times that an agent is kept from stopping between two prompts.",
    shape: { kind: "number", fallback: HOOK_DEFAULTS.maxHolds, whole: true, least: 0, most: 7 },
  },
  {
    name: "record",
    about: "Sessions become episodes in `.hasp/runs/agent-sessions`.",
    shape: { kind: "flag", fallback: HOOK_DEFAULTS.record },
  },
];

const textKey = (name: string, about: string): ConfigKey => ({ name, about, shape: { kind: "text" } });
const listKey = (name: string, about: string): ConfigKey => ({ name, about, shape: { kind: "texts" } });

/** The keys of a target (src/model/target.ts). */
const TARGET_GROUP: readonly ConfigKey[] = [
  choice("kind", "How jobs are started there.", {
    ssh: "At once, by a runner that outlives the connection.",
    slurm: "By SLURM, when it has a place for them.",
  }),
  textKey(
    "host",
    "As `ssh` takes it: an alias of `~/.ssh/config`, or `user@host`. SLURM alone: this machine.",
  ),
  textKey("folder", "Gets everything: programs, environments, models, jobs. Absolute, or below `~/`."),
  listKey("setup", "Lines of `sh` before anything else, such as `module load python/3.12`."),
  textKey("python", "A Python 3.11 to 3.13 that environments are made with."),
  textKey("environment", "The Python of an environment that has the trainer's packages; none is made then."),
  textKey("partition", "SLURM: the partition of jobs."),
  textKey("account", "SLURM: the account that is charged."),
  textKey("qos", "SLURM: the quality of service."),
  textKey("gpu", "SLURM: the kind of GPU as the cluster names it, such as `l40s`."),
  textKey("constraint", "SLURM: features that nodes must have."),
  listKey("options", "SLURM: more options of `sbatch`, such as `--exclude=node7`."),
];

/** The group of `hasp.yaml` that names machines and clusters. */
export const TARGETS = "targets";

const SHIPPED = shippedLibraries(allDomains())
  .map((name) => `\`${name}\``)
  .join(", ");

/** Every key of `hasp.yaml`, in the order in which people write them. */
export const CONFIG_KEYS: readonly ConfigKey[] = [
  {
    name: "libraries",
    about: `Folders of the workspace that hold skills, and ${SHIPPED}: those that came with HASP Studio.`,
    shape: { kind: "texts" },
  },
  choice(
    TRIGGERS,
    "Which of the shipped skills act, and by which triggers; `--triggers` replaces it.",
    LIST_ABOUT,
  ),
  {
    name: DISABLED,
    about:
      "Ids of skills of these libraries that do not act: not in runs, backtests, replays, nor for agents.",
    shape: { kind: "texts" },
  },
  choice("domain", "The kind of task.", Object.fromEntries(domainNames().map((name) => [name, ""]))),
  choice("setting", "Which of the five settings a run takes; `--setting` replaces it.", SETTING_ABOUT),
  group("switches", "What takes part at all.", knobKeys("switches")),
  group("selection", "What of the library a question gets.", [
    ...knobKeys("selection"),
    {
      name: PINNED,
      about:
        "Ids of skills whose Program Function every selection keeps, besides the domain's mandatory ones.",
      shape: { kind: "texts" },
    },
  ]),
  group("runtime", "Limits while an episode runs.", knobKeys("runtime")),
  group("budgets", "What one episode may use.", knobKeys("budgets")),
  group(
    TEACHER_SITES,
    "Sites at which the teacher is asked: the harness's own, `pf.<skill_id>`, `handler.<skill_id>`, and the groups `pf` and `handler`.",
    SITE_KEYS,
    SKILL_SITE.source,
  ),
  group(
    "tools",
    "What SEARCH and READ ask, in domains that search. An address is given on the command line only.",
    TOOL_KEYS,
  ),
  group(
    "hook",
    "How `hasp hook` answers a coding agent; it counts once this workspace is trusted.",
    HOOK_GROUP,
  ),
  {
    name: TARGETS,
    about:
      "Machines and clusters that jobs are sent to, by names; each is used once you have said yes to it.",
    shape: { kind: "named", keys: TARGET_GROUP, form: TARGET_NAME.source },
  },
];

/** The keys of a group, or of each of its named groups; none for a name that is no group. */
export function keysOf(name: string): readonly ConfigKey[] {
  const shape = CONFIG_KEYS.find((key) => key.name === name)?.shape;
  return shape?.kind === "group" || shape?.kind === "named" ? shape.keys : [];
}
