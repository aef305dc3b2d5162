/** The model in another role than the agent's: one command of the product that asks it. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { MODEL_ID } from "../../../scripts/lib/real-model.mts";
import { ROOT } from "../../support/core.ts";
import type { Ended, HookScene } from "../../support/hook-process.ts";
import { type Exchange, recordingProxy } from "../../support/recording-proxy.ts";

/** Set to 1, the replies of this run replace the fixtures. */
const KEEP = process.env["HASP_TEST_KEEP_REPLIES"] === "1";

export interface InRole extends Ended {
  readonly exchanges: readonly Exchange[];
}

/** `{}` among the words of the command becomes the model. */
export async function inRole(
  name: string,
  scene: HookScene,
  url: string,
  words: readonly string[],
): Promise<InRole> {
  const proxy = await recordingProxy(url);
  const spec = `${proxy.url}#${MODEL_ID}`;
  const ended = await scene.hasp(...words.map((word) => (word === "{}" ? spec : word)));
  await proxy.close();
  const { exchanges } = proxy;
  if (!exchanges.some(({ status }) => status === 200))
    throw new Error(`hasp ${words[0]} has no reply of the model: ${ended.out}${ended.err}`);
  if (KEEP) keep(name, exchanges);
  return { ...ended, exchanges };
}

function keep(name: string, exchanges: readonly Exchange[]): void {
  const folder = path.join(ROOT, "test/fixtures/model/roles");
  mkdirSync(folder, { recursive: true });
  const replies = exchanges.map(({ reply }) => reply);
  writeFileSync(path.join(folder, `${name}.json`), `${JSON.stringify(replies, undefined, 2)}\n`);
}

/** Says a result to the person who reads the stage's output: what a small model cannot do is no failed test. */
export const tell = (role: string, result: string): void => console.log(`the model as ${role}: ${result}`);
