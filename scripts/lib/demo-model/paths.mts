import { join } from "node:path";

/** Files of the measurement's folder, which is a workspace: its runs open in the replay. */
export function pathsIn(folder: string) {
  return {
    manifest: join(folder, "measurement.json"),
    questions: join(folder, "questions.jsonl"),
    corpus: join(folder, "corpus.jsonl"),
    /** One row a question of the plain script. */
    plain: join(folder, "plain.jsonl"),
    results: join(folder, "results.json"),
    runs: join(folder, ".hasp", "runs"),
    run: (side: string) => join(folder, ".hasp", "runs", side),
    /** `hasp run` starts here: replies that one side keeps must not answer another one, as nobody would wait for them. */
    start: (side: string) => join(folder, "settings", side),
  };
}
