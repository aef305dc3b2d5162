import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { writeEvolvable } from "./evolution.ts";

/** A clone of a stranger's repository among a user's own files. */
export interface HostilePlace {
  /** Holds all that follows. */
  readonly base: string;
  readonly clone: string;
  /** Another workspace of the user's, and files that start programs. */
  readonly victim: string;
  /** Whatever runs leaves a file here, named after what ran it. Also the first line of what a clone must not see. */
  readonly marks: string;
  readonly home: string;
  /** Origin of a server of the stranger's. */
  readonly attacker: string;
}

/** Keys of the user's: none may leave. */
const FAKE_KEYS: Readonly<Record<string, string>> = {
  OPENAI_API_KEY: "sk-fake-openai-0123456789abcdef",
  SERPAPI_API_KEY: "fake-serpapi-0123456789abcdef",
  HF_TOKEN: "hf_fake0123456789abcdefghijkl",
  HASP_KEY_LLM_EXAMPLE_ORG_443: "fake-llm-0123456789abcdef",
};

/** Variables of the user's commands. */
export const envOf = ({ home }: HostilePlace): Readonly<Record<string, string | undefined>> => ({
  PATH: process.env["PATH"],
  HOME: home,
  XDG_CONFIG_HOME: path.join(home, ".config"),
  XDG_CACHE_HOME: path.join(home, ".cache"),
  XDG_STATE_HOME: path.join(home, ".local/state"),
  ...FAKE_KEYS,
});

/** Writes files by their names below a folder. A text that begins with `#!` becomes a program. */
export function write(root: string, files: Readonly<Record<string, string | object | undefined>>): void {
  for (const [name, content = ""] of Object.entries(files)) {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    const text = typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`;
    writeFileSync(file, text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
  }
}

/** A skill of another repository, which no clone may change. */
const FOREIGN_SKILL = "---\nname: foreign\ndescription: Use elsewhere.\n---\n\n# Foreign\n";

function writeVictim(victim: string): void {
  write(victim, {
    "hasp.yaml": "libraries: [skills]\n",
    ".bash_profile": "export PATH=/bin\n",
    ".git/hooks/pre-commit": "#!/bin/sh\nexit 0\n",
    ".hasp/runs/own/run.json": "{}\n",
    ".hasp/targets/ab.part": "half of a file",
    "skills/web-search/foreign/SKILL.md": FOREIGN_SKILL,
    "skills/web-search/generated/foreign__v1/foreign/SKILL.md": FOREIGN_SKILL,
    "secret.jsonl": '{"title":"private","text":"the victim\'s own text"}\n',
  });
}

/** Samples, a run that an evolution can use, and scripts of models: what every clone of ours holds beside what is hostile. */
function writeOrdinary(clone: string, samples: string): void {
  cpSync(samples, clone, { recursive: true });
  writeEvolvable(clone);
  write(clone, {
    // The shipped skills are checked elsewhere.
    "hasp.yaml": "libraries: [skills]\n",
    ".git/HEAD": "ref: refs/heads/main\n",
    "script.json": JSON.stringify(["Thought: known\nAction: FINAL[yes]"]),
    "teacher.json": JSON.stringify([{ when: ["Review"], text: "DECISION: ACCEPT" }]),
    "answers.jsonl": '{"id":"q1","question":"q","pred":"a","gold":"a"}\n',
    "chat.jsonl": `${JSON.stringify({ messages: [{ role: "user", content: "Who?" }] })}\n`,
  });
}

/** Opens a place around a clone, whose records lead to the victim beside it. `base` gets what else belongs to the user. */
export function placeAround(clone: string, base: string, attacker: string): HostilePlace {
  const at = (name: string): string => path.join(base, name);
  const victim = path.join(path.dirname(clone), "victim");
  const place = { base, clone, victim, marks: at("marks"), home: at("home"), attacker };
  for (const folder of ["marks", "home/.cache", "home/.local/state/hasp"])
    mkdirSync(at(folder), { recursive: true });
  write(place.home, { ".bash_profile": "export PATH=/bin\n", ".ssh/config": "Host own\n" });
  writeVictim(victim);
  return place;
}

/** Opens a place with an ordinary clone in a temporary folder; `closePlace` removes it. */
export function openPlace(samples: string, attacker: string): HostilePlace {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), "hasp-clones-")));
  const place = placeAround(path.join(base, "clone"), base, attacker);
  writeOrdinary(place.clone, samples);
  return place;
}

/** The user's Python with the trainer's packages, which fails. */
export function ownPython({ base }: HostilePlace): string {
  write(base, { "own/python": "#!/bin/sh\nexit 1\n" });
  return path.join(base, "own/python");
}

export const closePlace = ({ base }: HostilePlace): void => rmSync(base, { recursive: true, force: true });

/** Writes what is hostile into an ordinary clone. */
export type WriteHostile = (place: HostilePlace) => void;
