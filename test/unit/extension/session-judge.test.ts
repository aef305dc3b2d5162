import { afterEach, expect, it, vi } from "vitest";
import { openSessionJudge } from "../../../src/extension/replay/session-judge.ts";
import type { PfHost } from "../../../src/sandbox/pf-host.ts";
import { EPISODES } from "../../../webview/fixture/episodes.ts";

const workspace = vi.hoisted(() => ({ isTrusted: true, textDocuments: [] }));
vi.mock("vscode", () => ({ workspace }));

afterEach(() => void (workspace.isTrusted = true));

/** The judge of a run, with a library that is empty and is read once `ready` settles; what was started, read and closed is counted. */
function sessionJudge(ready?: Promise<void>) {
  const counts = { started: 0, read: 0, closed: 0 };
  const host: Partial<PfHost> = {
    load: async () => [],
    close: async () => void (counts.closed += 1),
  };
  const judge = openSessionJudge({
    library: {
      list: async () => [],
      read: async () => {
        counts.read += 1;
        await ready;
        return [];
      },
      onDidChange: () => ({ dispose: () => undefined }),
      dispose: () => undefined,
    },
    run: async () => ({ run: undefined }) as never,
    episodeAt: async (index) => EPISODES[index] as never,
    inPlaceOfTodays: () => undefined,
    compiler: { instrument: async () => undefined } as never,
    startHost: () => ((counts.started += 1), host as PfHost),
  });
  const [episode] = EPISODES;
  if (episode === undefined) throw new Error("There is an episode.");
  return { judge, counts, ask: () => judge.now(episode, async ({ fingerprint }) => fingerprint) };
}

it("judges once the workspace is trusted, also where it was asked before and refused", async () => {
  const { judge, counts, ask } = sessionJudge();
  workspace.isTrusted = false;
  await expect(ask()).rejects.toThrow("This workspace is not trusted");
  workspace.isTrusted = true;
  await expect(ask()).resolves.toBe("[]");
  judge.dispose();
  expect(counts).toEqual({ started: 1, read: 1, closed: 1 });
});

it("reads a library that changes while it is read again, for what is asked after", async () => {
  const reading = Promise.withResolvers<void>();
  const { judge, counts, ask } = sessionJudge(reading.promise);
  const before = ask();
  await vi.waitFor(() => expect(counts.read).toBe(1));
  judge.forget();
  const after = [ask(), ask()];
  reading.resolve();
  await Promise.all([before, ...after]);
  expect(counts).toMatchObject({ started: 1, read: 2 });
});

it("starts no sandbox for a run that was closed before it was asked", async () => {
  const { judge, counts, ask } = sessionJudge();
  judge.dispose();
  await expect(ask()).rejects.toThrow("This run is closed.");
  expect(counts).toEqual({ started: 0, read: 0, closed: 0 });
});
