import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { execa } from "execa";
import { afterAll, describe, expect, test } from "vitest";
import { ensureTrainer } from "../../scripts/lib/trainer-env.mts";
import { ROOT } from "../support/core.ts";
import { openSmallDisk } from "../support/full-disk.ts";

const place = mkdtempSync(path.join(tmpdir(), "hasp-full-disk-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const ready = await ensureTrainer();
const note = "missing" in ready ? ` (skipped: ${ready.missing})` : "";
const python = "missing" in ready ? "" : ready.python;
const env = {
  ...process.env,
  PYTHONPATH: [path.join(ROOT, "trainer"), path.join(ROOT, "trainer/tests")].join(path.delimiter),
  HF_HUB_OFFLINE: "1",
  CUDA_VISIBLE_DEVICES: "",
};
const MAKE_MODEL =
  "import sys; from tiny import save_tiny_model, tiny_tokenizer; save_tiny_model(sys.argv[1], tiny_tokenizer())";

/** A model and rows beside the disk, and a config whose output is on it: twelve steps, a checkpoint every second one. */
async function scene(output: string): Promise<string> {
  const at = (name: string): string => path.join(place, name);
  await execa(python, ["-c", MAKE_MODEL, at("model")], { env });
  const message = (role: string, content: string) => [{ role, content }];
  const row = (i: number) => ({
    prompt: message("user", `question ${i}`),
    completion: message("assistant", "FINAL[x]"),
    sample_weight: 0.5,
  });
  const rows = Array.from({ length: 20 }, (_, i) => JSON.stringify(row(i)));
  writeFileSync(at("a-sft.jsonl"), `${rows.join("\n")}\n`);
  const config = {
    method: "sft",
    model: at("model"),
    data: [at("a-sft.jsonl")],
    output,
    epochs: 3,
    lora: null,
    tokens_per_step: 200,
    save_every: 2,
    gradient_checkpointing: false,
  };
  writeFileSync(at("config.json"), JSON.stringify(config));
  return at("config.json");
}

/** Three starts of Python with TRL, each of ten seconds on a quiet core. */
const PATIENCE = 400_000;

describe.skipIf(note !== "")(`a disk that is full${note}`, () => {
  test(
    "is named in the midst of a checkpoint, which leaves nothing behind; with more room the training resumes",
    async () => {
      const disk = await openSmallDisk(path.join(place, "disk"), 4_000_000);
      try {
        const config = await scene("out");
        disk.fill(400_000);
        const sft = [python, "-m", "hasp_trainer", "sft", config];
        const full = await disk.run(".", env, sft);
        expect(full.code, full.err).toBe(1);
        expect(full.err).toMatch(
          /^error: no space for a checkpoint in out\/checkpoints: .*\nnext: .*resumes.*\n$/m,
        );
        expect(full.err).not.toContain("Traceback");
        const kept = readdirSync(disk.reach("out/checkpoints"));
        expect(kept).toEqual(["checkpoint-2"]);
        expect(existsSync(disk.reach("out/adapter"))).toBe(false);
        rmSync(disk.reach("filler"));
        const resumed = await disk.run(".", env, sft);
        expect(resumed.code, resumed.err).toBe(0);
        expect(resumed.out).toContain("resumes at step 2 of 12");
        expect(JSON.parse(readFileSync(disk.reach("out/result.json"), "utf8"))).toMatchObject({ steps: 12 });
      } finally {
        await disk.close();
      }
    },
    PATIENCE,
  );
});
