import { readdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type HostScene } from "./host-scene.ts";
import type { Raw, Script, Turn } from "./model-server.ts";
import { KEYS, openTerminal } from "./terminal.ts";

export const ASKED = "Make the parser read comments";
export const TAKEN_BACK = "Delete parser.py and write it anew";
export const INSTEAD = "Keep parser.py, and cut each line at its #";

const [BEFORE, AFTER] = ['line.split(",")', 'line.split("#")[0].split(",")'];
const ANSWERS = {
  asked: "It splits at commas alone. How shall I go about it?",
  takenBack: "parser.py is gone.",
  instead: "The parser reads comments, and the file is kept.",
};

/** A model that does what was said last, and answers when that is done. */
function modelIn({ host, repo }: HostScene): Script {
  const works: readonly (readonly [string, readonly Turn[]])[] = [
    [
      INSTEAD,
      [
        { calls: [host.shell("git checkout parser.py")] },
        { calls: [host.look(path.join(repo, "parser.py"))] },
        { calls: [host.edit(path.join(repo, "parser.py"), BEFORE, AFTER)] },
        { say: ANSWERS.instead },
      ],
    ],
    [TAKEN_BACK, [{ calls: [host.shell("rm parser.py")] }, { say: ANSWERS.takenBack }]],
    [ASKED, [{ calls: [host.shell("cat parser.py")] }, { say: ANSWERS.asked }]],
  ];
  return (request) => {
    const messages = (request["messages"] as Raw[]).map((message) => JSON.stringify(message));
    for (const [said, turns] of works) {
      const from = messages.findLastIndex((message) => message.includes(said));
      const done = messages.slice(from).filter((message) => message.includes('"tool_result"')).length;
      if (from !== -1) return turns[done] ?? { say: "Done." };
    }
    return { say: "Done." };
  };
}

/**
 * Has a person work with Claude Code in a scene of its own: they ask, tell it what to do, go back to before what they said last or first,
 * by `/rewind` as the keyboard opens it (Esc Esc), and say something else. Returns the session's file, which the host alone has written.
 */
export async function rewoundSession(scene: HostScene, before: "last" | "first" = "last"): Promise<string> {
  scene.write("parser.py", `def parse(line):\n    return ${BEFORE}\n`);
  scene.git("add", ".");
  scene.git("commit", "--quiet", "--message", "A parser");
  const terminal = await openTerminal(scene, modelIn(scene));
  try {
    const say = async (words: string, answer: string) => {
      await terminal.press(words, KEYS.enter);
      await terminal.shows(answer);
    };
    await terminal.shows("❯");
    await delay(2000);
    await say(ASKED, ANSWERS.asked);
    await say(TAKEN_BACK, ANSWERS.takenBack);
    await delay(1000);
    await terminal.press(KEYS.escape, KEYS.escape);
    await terminal.shows("Rewind");
    await terminal.press(...(before === "last" ? [] : [KEYS.up]), KEYS.up, KEYS.enter);
    await terminal.shows("Restore conversation");
    await terminal.press(KEYS.enter);
    await terminal.shows(before === "last" ? "❯ Delete" : "❯ Make");
    await terminal.press(KEYS.clear);
    await say(INSTEAD, ANSWERS.instead);
    await delay(1000);
    await terminal.press("/exit", KEYS.enter);
    await delay(1500);
  } finally {
    await terminal.close();
  }
  const projects = path.join(scene.home, ".claude/projects");
  const names = readdirSync(projects, { recursive: true, encoding: "utf8" });
  const [session, ...more] = names.filter((name) => name.endsWith(".jsonl"));
  if (session === undefined || more.length > 0) throw new Error(`One session expected: ${names.join(", ")}`);
  return path.join(projects, session);
}
