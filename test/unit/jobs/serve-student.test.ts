import { expect, test } from "vitest";
import type { JobProcess, ProcessEnd, ProcessOrder } from "../../../src/jobs/ports.ts";
import { serveArguments, serveStudent } from "../../../src/jobs/serve-student.ts";
import { jobClock } from "../../../src/platform/job-clock.ts";

const KEY = "0123456789abcdef".repeat(4);
const STUDENT = { model: "a-model", engine: "auto" } as const;

/** A server that prints this as it is started, and lives until it is asked to end. */
function serverThatPrints(text: string) {
  const { promise, resolve } = Promise.withResolvers<ProcessEnd>();
  const started: Pick<ProcessOrder, "env" | "onText">[] = [];
  const end = (): void => resolve({ exitCode: 0 });
  const start = (order: Pick<ProcessOrder, "env" | "onText">): JobProcess => {
    started.push(order);
    order.onText(text);
    return { ended: promise, ask: end, kill: end };
  };
  return { started, start };
}

const serving = (text: string) => {
  const { started, start } = serverThatPrints(text);
  const signal = new AbortController().signal;
  return { started, student: serveStudent({ clock: jobClock, key: KEY, start }, STUDENT, signal) };
};

test("the server gets the key by its environment alone, and no address holds it", async () => {
  const { started, student } = serving("ready http://127.0.0.1:4711/v1 student\n");
  const { served } = await student;
  expect(started.map(({ env }) => env)).toEqual([{ HASP_STUDENT_KEY: KEY }]);
  expect(serveArguments(STUDENT).join(" ")).not.toContain(KEY);
  expect(served).toMatchObject({ policy: "http://127.0.0.1:4711/v1#student", key: KEY });
  expect(served?.policy).not.toContain(KEY);
  await served?.close();
});
