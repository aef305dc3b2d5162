import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { parseJson } from "../model/read-json.ts";
import type { LoadingHost } from "../skill/host-loading.ts";
import { variables } from "./surroundings.ts";

/** A SKILL.md as a host is to find it. */
export interface OfferedSkill {
  /** The name of its folder. */
  readonly folder: string;
  readonly bytes: Uint8Array;
}

/** What a host lists of the skills that it was offered, in their order. */
export interface HostListing {
  readonly version: string;
  readonly skills: readonly ListedByHost[];
}

/** As the host shows it to its model, or the reason why it does not. */
export type ListedByHost =
  | { readonly name: string; readonly description: string | undefined }
  | { readonly refused: string };

type Raw = Readonly<Record<string, unknown>>;

/** By the number of the request. */
type Answers = ReadonlyMap<string | number, Raw>;

/** How a host is asked for its skills, over its standard input, without a model. */
interface Listing {
  readonly program: string;
  readonly args: readonly string[];
  /** Where it looks for a project's skills. */
  readonly skillsIn: string;
  readonly env: (home: string) => Readonly<Record<string, string>>;
  readonly requests: (project: string) => readonly Raw[];
  /** The number of a request that a line answers. */
  readonly answered: (line: Raw) => unknown;
  readonly read: (answers: Answers, at: (skill: OfferedSkill) => string) => Read;
}

interface Read {
  readonly version: string;
  readonly of: (skill: OfferedSkill) => ListedByHost;
}

const record = (value: unknown): Raw =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Raw) : {};
const records = (value: unknown): readonly Raw[] => (Array.isArray(value) ? value.map(record) : []);
const words = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Nothing listens on this port of loopback: whatever a host would fetch, it does not reach. */
const NOWHERE = "http://127.0.0.1:9";
const NO_WEB = { HTTP_PROXY: NOWHERE, HTTPS_PROXY: NOWHERE, ALL_PROXY: NOWHERE, NO_PROXY: "" };
const NOT_LISTED = { refused: "it does not list the skill" };

const LISTINGS: Readonly<Record<LoadingHost, Listing>> = {
  "claude-code": {
    program: "claude",
    args: "--print --verbose --input-format stream-json --output-format stream-json".split(" "),
    skillsIn: ".claude/skills",
    env: (home) => ({
      CLAUDE_CONFIG_DIR: path.join(home, ".claude"),
      ANTHROPIC_BASE_URL: NOWHERE,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_TELEMETRY: "1",
      DISABLE_ERROR_REPORTING: "1",
      DISABLE_AUTOUPDATER: "1",
    }),
    requests: () =>
      ["initialize", "get_context_usage"].map((subtype) => ({
        type: "control_request",
        request_id: subtype,
        request: { subtype },
      })),
    answered: ({ response }) => record(response)["request_id"],
    read(answers, at) {
      const answer = (id: string): Raw => record(record(answers.get(id)?.["response"])["response"]);
      const { commands, claude_code_version: version } = answer("initialize");
      const shown = records(record(answer("get_context_usage")["skills"])["skillFrontmatter"]);
      const of = (skill: OfferedSkill): ListedByHost => {
        // One that the model is not shown, by its author's wish, is a command still.
        const listed = shown.find((one) => one["path"] === at(skill));
        const name = words(listed?.["name"]);
        const own = records(commands).filter(({ description }) => words(description)?.endsWith(" (project)"));
        const command = own.find((one) => one["name"] === (name ?? skill.folder));
        if (name === undefined && command === undefined) return NOT_LISTED;
        const description = words(command?.["description"])?.replace(/ \(project\)$/, "");
        return { name: name ?? skill.folder, description: description && unescaped(description) };
      };
      return { version: words(version) ?? "", of };
    },
  },
  codex: {
    program: "codex",
    args: ["app-server"],
    skillsIn: ".agents/skills",
    env: (home) => ({ CODEX_HOME: path.join(home, ".codex") }),
    requests: (project) => [
      { id: 1, method: "initialize", params: { clientInfo: { name: "hasp", version: "1" } } },
      { method: "initialized" },
      { id: 2, method: "skills/list", params: { cwds: [project], forceReload: true } },
    ],
    answered: ({ id }) => id,
    read(answers, at) {
      const agent = words(record(answers.get(1)?.["result"])["userAgent"]) ?? "";
      const [listed = {}] = records(record(answers.get(2)?.["result"])["data"]);
      const of = (skill: OfferedSkill): ListedByHost => {
        const found = records(listed["skills"]).find((one) => one["path"] === at(skill));
        if (found !== undefined)
          return { name: words(found["name"]) ?? "", description: words(found["description"]) };
        const error = records(listed["errors"]).find((one) => one["path"] === at(skill));
        return { refused: words(error?.["message"]) ?? NOT_LISTED.refused };
      };
      return { version: /\/(\d[\w.-]*)/.exec(agent)?.[1] ?? "", of };
    },
  },
};

const unescaped = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** The words before a command that give it no network at all, where this system lets them. */
function withoutNetwork(): readonly string[] {
  if (process.platform !== "linux") return [];
  const alone = ["unshare", ...(process.getuid?.() === 0 ? [] : ["--map-root-user"]), "--net", "--"];
  const [file = "", ...args] = alone;
  return spawnSync(file, [...args, "true"], { stdio: "ignore" }).status === 0 ? alone : [];
}

/** Milliseconds that a host may take to start and to answer. */
const LIMIT_MS = 30_000;

function end(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    // What a launcher has started ends with it.
    if (process.platform === "win32") child.kill();
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

/** The answers to all requests by their number; undefined where the program is not there, or does not give them. */
async function ask(
  { program, args, env, requests, answered }: Listing,
  { home, project }: { readonly home: string; readonly project: string },
): Promise<Answers | undefined> {
  const sent = requests(project);
  const wanted = new Set(sent.map((one) => one["id"] ?? one["request_id"]).filter((id) => id !== undefined));
  const answers = new Map<string | number, Raw>();
  const { PATH, PATHEXT, SystemRoot, LANG } = variables();
  const [file = "", ...rest] = [...withoutNetwork(), program, ...args];
  const child = spawn(file, rest, {
    cwd: project,
    env: { PATH, PATHEXT, SystemRoot, LANG, HOME: home, USERPROFILE: home, ...NO_WEB, ...env(home) },
    stdio: ["pipe", "pipe", "ignore"],
    detached: process.platform !== "win32",
    // npm's launchers are scripts of its shell there; all words are ours.
    shell: process.platform === "win32",
  });
  return new Promise((resolve) => {
    const give = (found: Answers | undefined): void => {
      clearTimeout(timer);
      end(child);
      resolve(found);
    };
    const timer = setTimeout(() => give(undefined), LIMIT_MS);
    child.on("error", () => give(undefined));
    child.on("close", () => give(undefined));
    child.stdin.on("error", () => undefined);
    createInterface({ input: child.stdout }).on("line", (line) => {
      const value = record(parseJson(line));
      const id = answered(value);
      if ((typeof id === "string" || typeof id === "number") && wanted.has(id)) answers.set(id, value);
      if (answers.size === wanted.size) give(answers);
    });
    child.stdin.write(sent.map((one) => `${JSON.stringify(one)}\n`).join(""));
  });
}

async function listTogether(
  listing: Listing,
  skills: readonly OfferedSkill[],
): Promise<HostListing | undefined> {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), "hasp-loading-")));
  const [home, project] = [path.join(base, "home"), path.join(base, "project")];
  const at = ({ folder }: OfferedSkill): string =>
    path.join(project, ...listing.skillsIn.split("/"), folder, "SKILL.md");
  try {
    for (const folder of [home, path.join(home, ".codex"), path.join(project, ".git")])
      mkdirSync(folder, { recursive: true });
    for (const skill of skills) {
      mkdirSync(path.dirname(at(skill)), { recursive: true });
      writeFileSync(at(skill), skill.bytes);
    }
    const answers = await ask(listing, { home, project });
    if (answers === undefined) return undefined;
    const { version, of } = listing.read(answers, at);
    return { version, skills: skills.map(of) };
  } finally {
    rmSync(base, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Asks the host that is installed which of these skills it lists. It sees copies of them alone, in a folder and with a home of their own, and
 * no model is asked. Undefined where it is not installed, or does not answer.
 */
export async function listByHost(
  host: LoadingHost,
  skills: readonly OfferedSkill[],
): Promise<HostListing | undefined> {
  const listing = LISTINGS[host];
  const listed = new Map<OfferedSkill, ListedByHost>();
  let version = "";
  // Two of one name take two rounds.
  for (let left = skills; left.length > 0;) {
    const round = [...new Map(left.map((skill) => [skill.folder.toLowerCase(), skill])).values()];
    const found = await listTogether(listing, round);
    if (found === undefined) return undefined;
    version = found.version;
    for (const [i, skill] of round.entries()) listed.set(skill, found.skills[i] ?? NOT_LISTED);
    left = left.filter((skill) => !listed.has(skill));
  }
  return { version, skills: skills.map((skill) => listed.get(skill) ?? NOT_LISTED) };
}
