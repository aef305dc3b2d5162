/** Prints the table of a folder and keeps it as `results.json`. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

import { SETTINGS } from "../../../src/model/control.ts";
import { runPaths } from "../../../src/trace/run-paths.ts";
import { shellLine } from "../../../src/platform/shell-word.ts";
import { ROOT } from "../paths.mts";
import { stop } from "../report.mts";
import { readManifest } from "./inputs.mts";
import { rowsOf } from "./measures.mts";
import { PLAIN, type Side } from "./order.mts";
import { pathsIn } from "./paths.mts";
import { figures, render } from "./table.mts";

const CLI = relative(process.cwd(), join(ROOT, "dist/hasp.cjs"));

/** The name of a model; some servers name it by the path of its file. */
const nameOf = (model: string): string => model.split(/[/\\]/).at(-1) ?? model;

/** The sides that the product answered as: in the order of the settings, each before the same with skills of its own. */
function sidesIn(runs: string): readonly Side[] {
  const names = existsSync(runs) ? readdirSync(runs).toSorted() : [];
  return SETTINGS.flatMap((setting) =>
    names.filter((name) => name === setting || name.startsWith(`${setting}+`)),
  );
}

/**
 * The table as text. `results.json` holds the figures and one row a question: no text of a question, a passage or an answer, so that
 * it can be published whatever the licence of the questions.
 */
export function report(folder: string): string {
  const paths = pathsIn(folder);
  const manifest = readManifest(folder);
  if (manifest === undefined)
    throw stop(`${folder} holds no measurement. Start one with --url, or name its folder with -o.`);
  const asked = sidesIn(paths.runs);
  const sides = [PLAIN, ...asked].map((side) => ({ side, rows: rowsOf(folder, side) }));
  const found = figures(sides);
  const rows = Object.fromEntries(
    sides.filter((one) => one.rows.length > 0).map((one) => [one.side, one.rows]),
  );
  const about = { ...manifest, model: nameOf(manifest.model) };
  const results = { schema: "hasp.demo-model/1", ...about, ...found, rows };
  writeFileSync(paths.results, `${JSON.stringify(results, undefined, 1)}\n`);
  const runs = asked.map(paths.run).filter((run) => existsSync(runPaths(run).run));
  const open =
    runs.length === 0
      ? []
      : [
          `Open the folder ${folder} in VS Code with HASP Studio; the runs are in its view Runs. Or on the command line:`,
          ...runs.map(
            (run) =>
              `  ${shellLine(["node", CLI, "replay", relative(process.cwd(), run), "--episode", "1"])}`,
          ),
        ];
  return [`Model: ${about.model}\n`, render(found), ...open, `Figures and rows: ${paths.results}`, ""].join(
    "\n",
  );
}
