/** Mentions that are looked at, in one session. */
const MAX_MENTIONS = 200;
const MENTION = /(?:^|[\s("'`])@(?:"([^"\n]{1,300})"|([\w~.\-/\\][\w.\-/\\+]{0,300}))/g;

/** A session's prompts are one array until the person says more. */
const known = new WeakMap<readonly string[], readonly string[]>();

/** The files that a person named with `@`, as in `@src/a.ts`: the host showed them to the agent, and no hook saw it. */
export function mentionedFiles(prompts: readonly string[]): readonly string[] {
  const before = known.get(prompts);
  if (before !== undefined) return before;
  const found = new Set<string>();
  for (const prompt of prompts)
    for (const [, quoted, bare] of prompt.matchAll(MENTION)) {
      const path = quoted ?? bare?.replace(/[.,]+$/, "") ?? "";
      // `@dataclass` and `@name` are no files.
      if (/[./\\]/.test(path) && found.size < MAX_MENTIONS) found.add(path);
    }
  const paths = [...found];
  known.set(prompts, paths);
  return paths;
}
