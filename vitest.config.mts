import { defineConfig } from "vitest/config";
import { viteTextImports } from "./scripts/text-imports.mts";

const project = (name: string, timeout: number, extra: object = {}) => ({
  extends: true as const,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout: timeout,
    hookTimeout: timeout,
    ...extra,
  },
});

export default defineConfig({
  plugins: [viteTextImports()],
  test: {
    projects: [
      project("unit", 20_000),
      project("golden", 30_000),
      // One Chromium at a time: two cores.
      project("webview", 60_000, { fileParallelism: false }),
      project("e2e", 300_000, { fileParallelism: false }),
    ],
  },
});
