/**
 * Stands in for `python -m hasp_trainer`: serves a student that answers by rule, and "trains" it by writing the files of a training, step by
 * step. A trained student answers every question right; another one those with an even number. A program: the first arguments are `-m hasp_trainer`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";

const [, , ...given] = process.argv;
const [command = "", ...rest] = given.slice(2);

const optionOf = (name: string): string | undefined => {
  const at = rest.indexOf(name);
  return at === -1 ? undefined : rest[at + 1];
};

/** Optimizer steps of a training, and milliseconds of each. */
const STEPS = Number(process.env["SCRIPTED_STEPS"] ?? 4);
const STEP_MS = Number(process.env["SCRIPTED_STEP_MS"] ?? 50);

interface Message {
  readonly content: string;
}

/** Searches for the country, then answers: right where it was trained, or the number is even. */
function actionFor(messages: readonly Message[], isTrained: boolean): string {
  const seen = messages.map(({ content }) => content).join("\n");
  const number = /capital of Country(\d+)/.exec(seen)?.[1] ?? "0";
  if (!seen.includes("doc_0 ")) return `SEARCH[Country${number}]`;
  return `FINAL[${isTrained || Number(number) % 2 === 0 ? `City${number}` : "nobody knows"}]`;
}

function serve(): void {
  const model = optionOf("--model") ?? "";
  if (!existsSync(join(model, "config.json"))) {
    process.stderr.write(`error: there is no model ${model}\n`);
    process.exit(1);
  }
  const isTrained = optionOf("--adapter") !== undefined;
  const server = createServer((request, response) => {
    if (request.headers.authorization !== `Bearer ${process.env["HASP_STUDENT_KEY"]}`) {
      response.statusCode = 401;
      response.end();
      return;
    }
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { messages = [], stream } = JSON.parse(Buffer.concat(parts).toString() || "{}") as {
        messages?: readonly Message[];
        stream?: boolean;
      };
      const content = `Thought: by rule.\nAction: ${actionFor(messages, isTrained)}`;
      const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
      const base = { id: "reply", created: 0, model: "student" };
      if (stream === true) {
        response.setHeader("content-type", "text/event-stream");
        const say = (value: unknown): void => void response.write(`data: ${JSON.stringify(value)}\n\n`);
        const object = "chat.completion.chunk";
        say({ ...base, object, choices: [{ index: 0, delta: { role: "assistant", content } }] });
        say({ ...base, object, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
        say({ ...base, object, choices: [], usage });
        response.end("data: [DONE]\n\n");
        return;
      }
      const message = { role: "assistant", content };
      response.setHeader("content-type", "application/json");
      const choices = [{ index: 0, message, finish_reason: "stop" }];
      response.end(JSON.stringify({ ...base, object: "chat.completion", choices, usage }));
    });
  });
  server.listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`ready http://127.0.0.1:${port}/v1 student\n`);
  });
  process.on("SIGTERM", () => process.exit(0));
  const parent = process.ppid;
  if (rest.includes("--with-parent"))
    setInterval(() => {
      if (process.ppid !== parent) process.exit(0);
    }, 100);
}

interface Config {
  readonly output: string;
  readonly iteration: number;
  readonly model: string;
}

async function train(): Promise<void> {
  const { output, iteration, model } = JSON.parse(readFileSync(rest[0] ?? "", "utf8")) as Config;
  const result = join(output, "result.json");
  if (existsSync(result)) return;
  const metrics = join(output, "metrics.jsonl");
  mkdirSync(join(output, "adapter"), { recursive: true });
  let lines = existsSync(metrics) ? readFileSync(metrics, "utf8").split("\n").filter(Boolean) : [];
  let isStopped = false;
  process.on("SIGTERM", () => (isStopped = true));
  for (let step = lines.length + 1; step <= STEPS; step++) {
    await pause(STEP_MS);
    const line = {
      step,
      iteration,
      loss: Number((2 / step).toFixed(3)),
      grad_norm: 1,
      learning_rate: 1e-5,
      entropy: 0.5,
      num_tokens: 1000 * step,
      mean_token_accuracy: 0.5,
      epoch: step / STEPS,
    };
    lines = [...lines, JSON.stringify(line)];
    writeFileSync(metrics, `${lines.join("\n")}\n`);
    if (!isStopped) continue;
    process.stderr.write(`stopped at step ${step}; the same command resumes\n`);
    process.exit(75);
  }
  const adapter = { peft_type: "LORA", r: 4, base_model_name_or_path: model };
  writeFileSync(join(output, "adapter", "adapter_config.json"), JSON.stringify(adapter));
  writeFileSync(join(output, "adapter", "adapter_model.safetensors"), "scripted");
  const end = { steps: STEPS, tokens: 1000 * STEPS, loss: 2 / STEPS, seconds: 1, adapter: "adapter" };
  const total = { total_steps: STEPS, total_tokens: 1000 * STEPS };
  writeFileSync(result, JSON.stringify({ schema: "hasp.training/1", ...end, ...total }));
}

if (command === "serve") serve();
else if (command === "preflight") process.stdout.write("fits\n");
else await train();
