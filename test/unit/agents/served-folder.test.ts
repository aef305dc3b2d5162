import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openServedRun } from "../../../src/agents/serve/run-folder.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { openMessages } from "../../../src/trace/message-reader.ts";
import { opened, proposes, recordingTo, servedIn, serverOf } from "../../support/served.ts";

const place = mkdtempSync(path.join(tmpdir(), "hasp-served-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const files = nodeFiles();
const at = (name: string): string => path.join(place, name);

describe("the run folder of served episodes", () => {
  const request = (name: string, resume: boolean) =>
    openServedRun(files, systemClock, {
      folder: at(name),
      domain: "web-search",
      settings: {},
      resume,
    });

  it("is gone on with only on request, and knows its episodes", async () => {
    const { call, server } = serverOf({ recording: await recordingTo(at("twice")) });
    await call("open", opened);
    await server.close();
    expect((await request("twice", false)).diagnostics[0]).toMatchObject({
      code: "HASP543",
      next: expect.stringContaining("--resume") as string,
    });
    const again = serverOf({ recording: await recordingTo(at("twice"), true) });
    expect((await again.call("open", opened)).error?.code).toBe("episode_exists");
    expect((await again.call("open", { question: "?" })).result?.episode).toBe("served-1");
  });

  it("has each sample of a question once, with what its model read and said", async () => {
    const { call } = serverOf({ recording: await recordingTo(at("samples")) });
    const second = { question: "Who was it?", question_id: "q", sample: 2 };
    expect((await call("open", second)).result).toMatchObject({ episode: "q#2", sample: 2 });
    const again = await call("open", { ...second, episode_id: "mine" });
    expect(again.error?.code).toBe("episode_exists");
    const messages = [
      { role: "system", content: "Answer." },
      { role: "user", content: "Who was it? 🦊" },
    ];
    const completion = { text: "FINAL[Sam]", finish: "stop" };
    await call("step", { ...proposes("FINAL", "Sam"), episode: "q#2", completion, messages });
    const [episode] = servedIn(at("samples"));
    expect(episode).toMatchObject({ id: "q#2", questionId: "q", sample: 2 });
    const proposal = episode?.steps[0]?.proposals[0];
    expect(proposal?.completion).toEqual(completion);
    const stored = await openMessages(files, at("samples"));
    expect(await stored.upTo(proposal?.messages ?? "")).toEqual(messages);
    const resumed = serverOf({ recording: await recordingTo(at("samples"), true) });
    const late = await resumed.call("open", { ...second, episode_id: "mine" });
    expect(late.error?.code).toBe("episode_exists");
  });

  it("is not a folder with something else in it", async () => {
    await files.writeText(at("other/notes.txt"), "mine");
    expect((await request("other", true)).value).toBeUndefined();
    expect(existsSync(at("other/run.json"))).toBe(false);
  });
});
