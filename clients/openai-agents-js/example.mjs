// An agent of the OpenAI Agents SDK whose steps HASP skills watch, over `hasp serve`.
//
//     npm install && node example.mjs [hasp serve arguments]
//
// Needs the `hasp` command on the path, or HASP='["node", "../../dist/hasp.cjs"]'. The model is a script and the shell only pretends, so
// neither a key nor a network is needed, and nothing is pushed or deleted.
import { Agent, setTracingDisabled, tool, Usage } from "@openai/agents";
import { z } from "zod";
import { openSession } from "./hasp-agents.ts";
import { startHasp } from "./hasp-client.ts";

const says = (text) => ({
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text }],
});
let calls = 0;
const callsTool = (name, input) => ({
  type: "function_call",
  callId: `call-${++calls}`,
  name,
  arguments: JSON.stringify(input),
  status: "completed",
});

/** A hasty agent: it forces, deletes too much, and calls itself done before it has tested. */
const SCRIPT = [
  callsTool("write_file", { file: "src/add.js", text: "export const add = (a, b) => a + b;\n" }),
  callsTool("shell", { cmd: "git push --force origin fix/add" }),
  callsTool("shell", { cmd: "rm -rf ~" }),
  says("Done."),
  callsTool("shell", { cmd: "npm test" }),
  says("Done: the tests pass."),
];

/** The SDK's Model interface, played by a script; it shows what the agent has just read. */
function scriptedModel(script) {
  let turn = 0;
  return {
    async getResponse({ input }) {
      const last = typeof input === "string" ? undefined : input.at(-1);
      if (turn > 0) console.log(`  agent reads: ${textOf(last?.output ?? last?.content)}`);
      return { usage: new Usage(), output: [script[Math.min(turn++, script.length - 1)]] };
    },
    async *getStreamedResponse() {
      throw new Error("The script does not stream.");
    },
  };
}

function textOf(content) {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(textOf).join("\n");
  return content?.text ?? "";
}

const ran = [];
const shell = tool({
  name: "shell",
  description: "Runs a command line.",
  parameters: z.object({ cmd: z.string() }),
  async execute({ cmd }) {
    ran.push(cmd);
    return cmd === "npm test" ? "exit 0\n1 passing" : "exit 0";
  },
});
const writeFile = tool({
  name: "write_file",
  description: "Writes a whole file.",
  parameters: z.object({ file: z.string(), text: z.string() }),
  async execute({ file }) {
    ran.push(`write ${file}`);
    return "written";
  },
});

setTracingDisabled(true);
const agent = new Agent({
  name: "Coder",
  instructions: "You work on a small project.",
  tools: [shell, writeFile],
  model: scriptedModel(SCRIPT),
});

const hasp = startHasp(process.argv.slice(2), JSON.parse(process.env.HASP ?? '["hasp"]'));
const task = "Fix the sum of two numbers in src/add.js and publish your branch.";
const session = await openSession(hasp, agent, task, {
  project: [{ kind: "test", command: "npm test" }],
  // The tools of this agent, by the names that skills know.
  tools: {
    shell: {
      as: "Bash",
      keys: { cmd: "command" },
      result: (output) => ({ exit_code: Number(/^exit (\d+)/.exec(String(output))?.[1] ?? 1) }),
    },
    write_file: { as: "Write", keys: { file: "path", text: "content" } },
  },
  world: () => ({ branch: "fix/add" }),
  onDecision(proposed, { executed, events }) {
    console.log(`${proposed.type} ${proposed.arg}`);
    if (executed.arg !== proposed.arg) console.log(`  -> ${executed.type} ${executed.arg}`);
    for (const { skill_id, status, reason } of events)
      if (status === "applied") console.log(`  ${skill_id}: ${reason}`);
  },
});
try {
  const result = await session.run(task);
  console.log(`final output: ${result.finalOutput}`);
  console.log(`ran: ${JSON.stringify(ran)}`);
} finally {
  await session.close();
  await hasp.close();
}
