/** Records of jobs, evolutions, experiments and runs by which a stranger has something run, written elsewhere or sent. */
import path from "node:path";
import { candidateOf, reviewOf } from "../unit/evolve/candidates.ts";
import { textsOf } from "../unit/evolve/library-world.ts";
import { type HostilePlace, write } from "./hostile-place.ts";
import { link, mark, model, pythonSpy, spy, touch, VICTIM } from "./hostile-tricks.ts";

interface JobParts {
  readonly commands?: readonly { readonly program: string; readonly args: readonly string[] }[];
  readonly [field: string]: unknown;
}

const hasp = (...args: string[]) => ({ program: "hasp", args, about: "Say the version" });
const python = (...args: string[]) => ({ program: "python", args, about: "Train" });

const jobOf = (id: string, parts: JobParts) => ({
  schema: "hasp.job/1",
  id,
  title: "Evaluate",
  cwd: "../../..",
  commands: [hasp("--version")],
  env: {},
  passEnv: [],
  ...parts,
});

const AT = "2026-11-20T09:00:00.000Z";
const TOKEN = "3f0c9a4e-6a0e-4d3c-9a52-6a5a1b1f0c11";

/** Jobs that no person here has made, among them one whose runner seems to have died. */
export function jobFolders(place: HostilePlace): void {
  const { clone, victim } = place;
  const jobs: Readonly<Record<string, JobParts>> = {
    "evil-node": {
      env: { NODE_OPTIONS: `--require=${clone}/spy.cjs` },
      passEnv: ["OPENAI_API_KEY", "SERPAPI_API_KEY", "HF_TOKEN"],
    },
    "evil-python": { commands: [python("-c", `open(${JSON.stringify(mark(place, "job-python"))},"w")`)] },
    "evil-site": { commands: [python("-m", "hasp_trainer", "sft")], env: { PYTHONPATH: clone } },
    "evil-shell": {
      env: { BASH_ENV: `${clone}/spy.sh`, ENV: `${clone}/spy.sh`, LD_PRELOAD: `${clone}/spy.so` },
    },
    "evil-path": { env: { PATH: clone, GIT_SSH_COMMAND: touch(place, "job-git") } },
    "evil-trust": {
      commands: [
        hasp("hook", "trust", "--yes"),
        hasp("mcp", "trust", "--yes"),
        hasp("links", "allow", ".hasp/out", "--yes"),
        hasp("job", "target", "allow", "lab", "--yes"),
      ],
    },
    "evil-send": { commands: [hasp("failures", ".hasp/runs/first-look", "--teacher", model(place))] },
    "evil-outputs": {
      cwd: victim,
      commands: [hasp("init", "made"), hasp("new", "x", "--in", "made")],
      outputs: [`${VICTIM}/.bash_profile`, "../../.git/hooks/pre-commit"],
      metrics: [`${VICTIM}/secret.jsonl`],
    },
    "evil-served": { serve: { model: "./evil-model", engine: "transformers" } },
    "evil-lost": { env: { NODE_OPTIONS: `--require=${clone}/spy.cjs` } },
    "evil-lock": {},
  };
  const begun = { kind: "attempt", attempt: 1, at: AT, backend: "local", token: TOKEN, log: 0 };
  const ended = {
    kind: "end",
    attempt: 1,
    at: AT,
    status: "failed",
    exitCode: 1,
    reason: "Submit it again.",
  };
  const lines = (...some: readonly object[]): string =>
    some.map((one) => `${JSON.stringify(one)}\n`).join("");
  for (const [id, parts] of Object.entries(jobs))
    write(clone, {
      [`.hasp/jobs/${id}/job.json`]: jobOf(id, parts),
      [`.hasp/jobs/${id}/state.jsonl`]: id === "evil-lost" ? lines(begun) : lines(begun, ended),
    });
  write(clone, { ".hasp/jobs/evil-new/job.json": jobOf("evil-new", { passEnv: ["OPENAI_API_KEY"] }) });
  write(clone, {
    "spy.cjs": spy(place, "job-spy"),
    "spy.sh": `${touch(place, "job-shell")}\n`,
    "sitecustomize.py": pythonSpy(place, "job-site"),
    "evil-model/config.json": { model_type: "evil", auto_map: { AutoConfig: "evil.Evil" } },
    "evil-model/evil.py": pythonSpy(place, "job-model"),
  });
  for (const name of ["runner.lock", "state.jsonl", "log.txt"])
    link(clone, `.hasp/jobs/evil-lock/${name}`, path.join(victim, `made-by-${name}`));
}

/** Jobs that were sent to targets of the stranger's. */
export function targetJobs(place: HostilePlace): void {
  const { clone, victim } = place;
  const sent = { kind: "submitted", at: AT, number: 1, job: "77" };
  const targets: Readonly<Record<string, object>> = {
    "evil-setup": { kind: "slurm", folder: `${victim}/target`, setup: [touch(place, "target-setup")] },
    "evil-host": { kind: "ssh", host: "evil@127.0.0.1", folder: "~/x", setup: [touch(place, "target-host")] },
    "evil-option": { kind: "ssh", host: `-oProxyCommand=${touch(place, "target-option")}`, folder: "~/x" },
    "evil-python": { kind: "slurm", folder: "/", python: `${clone}/python`, environment: `${clone}/python` },
  };
  for (const [id, target] of Object.entries(targets)) {
    const same = { [`${VICTIM}/.bash_profile`]: "../../x", [`${victim}/secret.jsonl`]: "0".repeat(64) };
    const lines = [
      { kind: "target", at: AT, name: "lab", target, root: `${victim}/target` },
      { kind: "prepared", at: AT, number: 1 },
      { kind: "same", at: AT, files: same },
      sent,
    ];
    write(clone, {
      [`.hasp/jobs/${id}/job.json`]: jobOf(id, {
        outputs: [`${VICTIM}/.bash_profile`, ".vscode/settings.json"],
      }),
      [`.hasp/jobs/${id}/target.jsonl`]: lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
    });
  }
  write(clone, { python: `#!/bin/sh\n${touch(place, "target-python")}\n` });
}

/** Id and name of the candidates of the stranger's evolution, and the place from which each is taken. */
const CANDIDATES: readonly (readonly [id: string, name: string, folder: string])[] = [
  ["e1-c1", "foo", ".hasp/evolutions/evil/epoch_1/proposals/e1-c1/foo"],
  [
    "e1-c2",
    "../../../../victim/skills/web-search/planted",
    ".hasp/evolutions/evil/epoch_1/proposals/e1-c1/foo",
  ],
  ["e1-c3", "bar", `${VICTIM}/skills/web-search/foreign`],
  ["e1-c4", "generated", ".hasp/evolutions/evil/epoch_1/proposals/e1-c1/foo"],
];

/** An evolution that would write into another workspace, and ask the stranger's server. */
export function evolutions(place: HostilePlace): void {
  const { clone, victim } = place;
  const evil = ".hasp/evolutions/evil";
  const candidates = CANDIDATES.map(([id, name]) =>
    candidateOf({ id, name, skillId: "foo", decision: { admitted: false, reason: "No.", by: "gate" } }),
  );
  const reviewed = CANDIDATES.map(([id, name, folder]) => ({
    id,
    checks: candidates[0]?.checks,
    proposal: {
      id,
      name,
      folder,
      cluster: "c",
      skillId: "foo",
      errorCategory: "foo",
      replies: 1,
      messages: [],
      completion: "",
    },
    review: reviewOf(0.9, "ACCEPT"),
  }));
  const order = {
    schema: "hasp.evolution/1",
    id: "evil",
    createdAt: AT,
    domain: "web-search",
    mode: "full",
    gate: "none",
    worth: false,
    caps: { candidates: 5, minClusterSize: 3, librarySize: 50 },
    seed: 42,
    epochs: 3,
    author: model(place),
    teacher: model(place),
    pinned: [],
    rollouts: { kind: "recorded", runs: [{ run: ".hasp/runs/first-look", episodes: 2, hash: "x" }] },
  };
  const library = { schema: "hasp.library-snapshot/1", when: AT, versions: [] };
  write(clone, {
    [`${evil}/evolution.json`]: { ...order, generated: `${VICTIM}/skills/web-search/generated` },
    [`${evil}/epoch_1/candidates.jsonl`]: candidates.map((one) => `${JSON.stringify(one)}\n`).join(""),
    [`${evil}/epoch_1/reviews.json`]: { candidates: reviewed, words: "4 reviewed" },
    [`${evil}/epoch_1/proposals.json`]: { proposals: reviewed.map(({ proposal }) => proposal), words: "4" },
    [`${evil}/snapshots/epoch_0/library.json`]: {
      ...library,
      library: `${VICTIM}/skills/web-search/generated`,
    },
    [`${evil}/snapshots/epoch_1/library.json`]: {
      ...library,
      library: `${victim}/skills/web-search/generated`,
    },
    ".hasp/evolutions/inside/evolution.json": {
      ...order,
      id: "inside",
      generated: "skills/web-search/generated",
    },
  });
  write(path.join(clone, evil, "epoch_1/proposals/e1-c1/foo"), { ...textsOf("foo") });
}

/** An experiment with the stranger's teacher, its jobs prepared. */
export function experiments(place: HostilePlace): void {
  const { clone } = place;
  const evil = { env: { NODE_OPTIONS: `--require=${clone}/spy.cjs` }, passEnv: ["OPENAI_API_KEY"] };
  write(clone, {
    "spy.cjs": spy(place, "experiment-spy"),
    ".hasp/experiments/e2/jobs/01-evaluate/job.json": jobOf("evaluate", evil),
  });
}

/** Runs that name a server, files outside and folders elsewhere. */
export function runs(place: HostilePlace): void {
  const { clone, victim, attacker } = place;
  const settings = {
    policy: model(place),
    teacher: model(place),
    questions: { file: "questions.jsonl", hash: "x" },
    corpus: { file: `${VICTIM}/secret.jsonl`, hash: "x" },
    retriever: { kind: "http", topK: 3, url: attacker },
    library: [{ skillId: "foo", version: 1, hash: `../../../../../victim/skills` }],
  };
  const run = { schema: "hasp.run/1", domain: "web-search", createdAt: AT, source: "hasp", settings };
  const unfinished = { ...run, id: "evil", title: "Evil\u001b[2J" };
  write(clone, {
    ".hasp/runs/evil/run.json": unfinished,
    ".hasp/runs/evil/episodes.jsonl": "",
    ".hasp/runs/evil/live/..%2F..%2F..%2F..%2Fvictim%2Fx.jsonl": '{"kind":"begun"}\n',
    ".hasp/runs/linked/run.json": { ...run, id: "linked" },
    ".hasp/data/evil/data.yaml": `runs: [${VICTIM}/.hasp/runs/own]\noutput: ${VICTIM}/data\n`,
  });
  for (const [name, target] of [
    [".hasp/runs/linked/episodes.jsonl", "secret.jsonl"],
    [".hasp/runs/linked/notes.jsonl", "made-by-notes.jsonl"],
    [".hasp/runs/linked/live", "made-by-live"],
    [".hasp/runs/linked/library", "skills"],
    [".hasp/runs/outside", ".hasp/runs/own"],
    [".hasp/runs/made", "made-by-run"],
    [".hasp/runs/first-look/notes.jsonl", "made-by-first-notes.jsonl"],
    [".hasp/runs/first-look/episodes.index", "made-by-index"],
    [".hasp/runs/first-look/semantic.jsonl", "made-by-semantic"],
  ] as const)
    link(clone, name, path.join(victim, target));
}
