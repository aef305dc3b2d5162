import { expect, test } from "vitest";
import { openAiModel } from "../../../src/llm/openai-model.ts";
import { createRedactor } from "../../../src/llm/redact.ts";
import type { Behaviour } from "../../support/loopback-model.ts";
import { ask, bench, endpointAt, failure, impatient, keyStore } from "./support.ts";

/** How long a client waits, and for what. */
const good: Behaviour = { kind: "text", text: "Sam Walton did.", pieces: 3 };

test("waits double from try to try, and end with the first good reply", async () => {
  const bad: Behaviour = { kind: "status", status: 502 };
  const { model, waits } = await bench([bad, bad, bad, good]);
  expect((await model.chat(ask())).text).toBe("Sam Walton did.");
  expect(waits).toEqual([750, 1500, 3000]);
});

test("Retry-After is obeyed, in seconds, in milliseconds or as a date, up to the longest wait", async () => {
  const limited = (headers: Record<string, string>): Behaviour => ({ kind: "status", status: 429, headers });
  const inAWhile = new Date(Date.now() + 3_600_000).toUTCString();
  const { model, waits } = await bench([
    limited({ "retry-after": "7" }),
    limited({ "retry-after-ms": "250" }),
    limited({ "retry-after": inAWhile }),
    limited({ "retry-after": "soon" }),
    good,
  ]);
  await model.chat(ask());
  expect(waits).toEqual([7000, 250, 60_000, 6000]);
});

test("a dropped connection is tried again, and who listens learns that the reply begins anew", async () => {
  const { model } = await bench([{ kind: "drop", midway: true }, good]);
  let shown = "";
  let restarts = 0;
  const reply = await model.chat(ask(), {
    onText: (piece) => (shown += piece),
    onRestart: () => ((shown = ""), (restarts += 1)),
  });
  expect([shown, restarts]).toEqual([reply.text, 1]);
});

test("a server of one's own machine may read its prompt for longer than it may fall silent later", async () => {
  const { model } = await bench([{ kind: "text", text: "read and answered", wait: 600 }], {
    limits: { idleMs: 200 },
  });
  expect((await model.chat(ask())).text).toBe("read and answered");
});

test("a slow drip that keeps coming is no stall", async () => {
  const { model } = await bench([{ kind: "text", text: "drip by drip", pieces: 12, everyMs: 100 }], {
    limits: { idleMs: 1_000 },
  });
  expect((await model.chat(ask())).text).toBe("drip by drip");
});

test("a stall is a timeout also over a transport that ends an aborted body without a word", async () => {
  const head = 'data: {"choices":[{"index":0,"delta":{"content":"half"}}]}\n\n';
  const model = openAiModel({
    endpoint: endpointAt("http://127.0.0.1:1/v1#m"),
    keys: keyStore({}),
    timing: impatient(),
    redactor: createRedactor(),
    limits: { firstMs: 40, idleMs: 40, retries: 0 },
    post: async ({ signal }) => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(head));
          signal.addEventListener("abort", () => controller.error(new DOMException("Aborted", "AbortError")));
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  });
  expect((await failure(model.chat(ask()))).kind).toBe("timeout");
});
