import { statSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type HostScene, openHostScene } from "./support/host-scene.ts";
import { turns } from "./support/model-server.ts";
import { REAL_HOSTS } from "./support/real-hosts.ts";

/** Of Codex: lets hooks run that nobody has looked at. */
const BYPASS = "--dangerously-bypass-hook-trust";

/** The texts of the shipped skills, as the agent reads them. */
const REFUSED = "`git reset --hard` has not run: it throws away every change that is not committed.";
const GENERATED = "looks like a file that a tool writes; a change by hand is gone when it is written again.";
const UNTESTED = "No test run has seen the latest change of src/add.js.";

describe.each(Object.values(REAL_HOSTS))("$name", (host) => {
  let scene: HostScene;
  beforeEach(() => {
    scene = openHostScene(host);
  });
  afterEach(() => scene.close());

  const modeOf = (file: string): string => (statSync(path.join(scene.repo, file)).mode & 0o777).toString(8);

  describe("a refusal", () => {
    const reset = () => {
      scene.write("app.txt", "two\n");
      return scene.run("Tidy up.", turns({ calls: [host.shell("git reset --hard")] }));
    };

    test("keeps a command from running, and the model reads why", async () => {
      scene.install();
      const { read, requests } = await reset();
      expect(scene.read("app.txt")).toBe("two\n");
      expect(read).toContain(REFUSED);
      expect(requests).toHaveLength(2);
    });

    test("without hooks the command runs", async () => {
      const { read } = await reset();
      expect(scene.read("app.txt")).toBe("one\n");
      expect(read).toContain("HEAD is now at");
    });
  });

  describe("a rewrite", () => {
    const open = () =>
      scene.run("Make it readable.", turns({ calls: [host.shell("chmod 777 app.txt && ls -l app.txt")] }));

    test("runs in place of the call where `rewrite: allow` lets it, and the model reads what ran", async () => {
      scene.write("hasp.yaml", "hook:\n  rewrite: allow\n");
      scene.hasp("hook", "trust", "--yes");
      scene.install();
      const { read } = await open();
      expect(modeOf("app.txt")).toBe("755");
      expect(read).toContain("-rwxr-xr-x");
      expect(read).toContain("chmod 755 app.txt && ls -l app.txt");
    });

    test("without hooks the call runs as it is", async () => {
      const { read } = await open();
      expect(modeOf("app.txt")).toBe("777");
      expect(read).toContain("-rwxrwxrwx");
    });
  });

  describe("an injected text", () => {
    const edit = () => {
      scene.write("api.generated.ts", "export const size = 1;\n");
      const file = path.join(scene.repo, "api.generated.ts");
      const change = host.edit(file, "export const size = 1;", "export const size = 2;");
      return scene.run("The size is 2.", turns({ calls: [host.look(file)] }, { calls: [change] }));
    };

    test("stands beside the answer of the call, which runs", async () => {
      scene.install();
      const { read } = await edit();
      expect(read).toContain(GENERATED);
      expect(scene.read("api.generated.ts")).toBe("export const size = 2;\n");
    });

    test("without hooks the model reads nothing of it", async () => {
      const { read } = await edit();
      expect(read).not.toContain(GENERATED);
      expect(scene.read("api.generated.ts")).toBe("export const size = 2;\n");
    });
  });

  describe("a wish to stop", () => {
    const finish = () => {
      const repair = scene.addProject("node --test");
      const script = turns(...repair, { say: "Done." }, { say: "Still done." });
      return scene.run("The function add subtracts. Fix it.", script);
    };

    test("is held while no test has run: the model is asked once more and reads why", async () => {
      scene.install();
      const { requests, read, events } = await finish();
      expect(requests).toHaveLength(4);
      expect(read).toContain("Done.");
      expect(read).toContain(UNTESTED);
      expect(JSON.stringify(events)).toContain("Still done.");
    });

    test("without hooks the agent stops", async () => {
      const { requests, events } = await finish();
      expect(requests).toHaveLength(3);
      expect(JSON.stringify(events)).not.toContain("Still done.");
    });
  });
});

describe("by the ways of one host", () => {
  let scene: HostScene;
  afterEach(() => scene.close());

  test("claude-code: a rewrite is refused where nobody can be asked, and the model reads which command fits", async () => {
    const host = REAL_HOSTS["claude-code"];
    scene = openHostScene(host);
    scene.install();
    const { read } = await scene.run(
      "Make it readable.",
      turns({ calls: [host.shell("chmod 777 app.txt")] }),
    );
    expect(statSync(path.join(scene.repo, "app.txt")).mode & 0o777).not.toBe(0o777);
    expect(read).toContain("chmod 755 app.txt");
    expect(read).toContain("Nothing ran");
  });

  test("codex: a hook that nobody has looked at is left out without a word", async () => {
    const { command, ...rest } = REAL_HOSTS.codex;
    const host = { ...rest, command: (prompt: string) => command(prompt).filter((word) => word !== BYPASS) };
    scene = openHostScene(host);
    scene.write("app.txt", "two\n");
    scene.install();
    const { events, err } = await scene.run("Tidy up.", turns({ calls: [host.shell("git reset --hard")] }));
    expect(scene.read("app.txt")).toBe("one\n");
    expect(JSON.stringify([events, err])).not.toMatch(/hook/i);
  });
});
