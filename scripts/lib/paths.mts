import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** The repository's root folder, absolute. */
export const ROOT = resolve(import.meta.dirname, "../..");

/** Downloaded hosts and the profile of `npm start`; kept between runs, never committed. */
export const CACHE = resolve(ROOT, ".vscode-test");

/** Reports and screenshots of the test stages. */
export const TEST_OUTPUT = resolve(ROOT, "test-output");

/** The workspace that `npm start` opens. */
export const SAMPLES = resolve(ROOT, "samples");

/** The packaged extension of the version in package.json. */
export function vsixPath(): string {
  const manifest = JSON.parse(readFileSync(resolve(ROOT, "package.json"), "utf8")) as {
    name: string;
    version: string;
  };
  return resolve(ROOT, `${manifest.name}-${manifest.version}.vsix`);
}
