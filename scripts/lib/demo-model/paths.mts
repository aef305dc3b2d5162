import { join } from "node:path";

import type { Setting } from "../../../src/model/control.ts";

/** Files of the measurement's folder, which is a workspace: its runs open in the replay. */
export function pathsIn(folder: string) {
  return {
    manifest: join(folder, "measurement.json"),
    questions: join(folder, "questions.jsonl"),
    corpus: join(folder, "corpus.jsonl"),
    /** One row a question of the plain script. */
    plain: join(folder, "plain.jsonl"),
    results: join(folder, "results.json"),
    run: (setting: Setting) => join(folder, ".hasp", "runs", setting),
    /** `hasp run` starts here: replies that one setting keeps must not answer another one, as nobody would wait for them. */
    start: (setting: Setting) => join(folder, "settings", setting),
  };
}
