/** Bundled into dist-test/cli.cjs (scripts/build.mts): what test/support/cli.ts calls. */
export { buildProgram, runCli } from "../../src/cli/program.ts";
export { workersFrom } from "../../src/cli/workers.ts";
