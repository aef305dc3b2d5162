import path from "node:path";
import { defineConfig } from "vitest/config";
import { viteTextImports } from "./scripts/text-imports.mts";

const project = (name: string, timeout: number, extra: object = {}) => ({
  extends: true as const,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout: timeout,
    hookTimeout: timeout,
    // One second without it, which a busy machine lets pass between two looks. Less than a test's time, so that it says what it saw.
    expect: { poll: { timeout: Math.min(timeout / 2, 30_000) } },
    ...extra,
  },
});

/** Hundreds of tests start the CLI, a file of 7 MB: compiling it once halves each start. Never what `hasp hook` keeps for itself. */
const COMPILED = path.resolve(import.meta.dirname, "node_modules/.cache/hasp-tests");

/** `vi.mock` holds for all that is loaded: these files load it for themselves. */
const REPLACES_MODULES = [
  "test/unit/analysis/signals/step-measures.test.ts",
  "test/unit/app/{import-answers,judge-run-domains,revised-pairs}.test.ts",
  "test/unit/domains/{detectors,teacher-prompts,toy,estimate-*}.test.ts",
  "test/unit/extension/**/*.test.ts",
];

export default defineConfig({
  plugins: [viteTextImports()],
  test: {
    projects: [
      // A module is loaded once a worker, not once a file: tests leave it as they found it.
      project("unit", 20_000, { isolate: false, exclude: REPLACES_MODULES }),
      project("unit-mocks", 20_000, { include: REPLACES_MODULES }),
      // One compiler and its sandboxes serve the files of a worker (test/support/cli.ts).
      project("golden", 60_000, { isolate: false, env: { NODE_COMPILE_CACHE: COMPILED } }),
      // One Chromium and one of its pages for all files, one file at a time.
      project("webview", 60_000, {
        fileParallelism: false,
        isolate: false,
        globalSetup: ["test/webview/support/setup.ts"],
      }),
      // One process for all files, which share one VS Code and one browser.
      project("e2e", 300_000, {
        fileParallelism: false,
        isolate: false,
        globalSetup: ["test/e2e/support/setup.ts"],
      }),
      project("trainer", 120_000),
      // Real agents of other people, each with a model of ours: some seconds a turn where the machine is busy.
      project("hosts", 120_000, { globalSetup: ["test/hosts/support/setup.ts"] }),
      // A real language model answers one request at a time: minutes for the questions of one setting.
      project("model", 600_000, {
        fileParallelism: false,
        globalSetup: ["test/model/support/setup.ts"],
      }),
      // Jobs of a real SLURM, which all files share: mostly waiting, for its scheduler and for grace times.
      project("cluster", 240_000, {
        fileParallelism: false,
        globalSetup: ["test/cluster/setup.ts"],
        env: { NODE_COMPILE_CACHE: COMPILED },
      }),
      // Students are pre-trained, served and fine-tuned: minutes, and more of them beside other stages.
      project("miniature", 1_500_000),
    ],
  },
});
