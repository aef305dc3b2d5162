import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
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
  OMP_NUM_THREADS: "1",
};
/** Trains on the full disk, says what is left, makes room, and trains again: one start, since the imports alone take ten seconds. */
const TRAIN_TWICE = `import json, os, sys
from tiny import save_tiny_model, tiny_tokenizer
from hasp_trainer.__main__ import main
model, config = sys.argv[1:]
save_tiny_model(model, tiny_tokenizer())
code = main(["sft", config])
print("LEFT", json.dumps([code, *os.listdir("out/checkpoints")]), flush=True)
print("LEFT", file=sys.stderr, flush=True)
has_adapter = os.path.exists("out/adapter")
os.remove("filler")
sys.exit(main(["sft", config]) or has_adapter)
`;

/** A model and rows beside the disk, and a config whose output is on it: twelve steps, a checkpoint every second one. */
function scene(output: string): string {
  const at = (name: string): string => path.join(place, name);
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

/** A start of Python with TRL and two trainings: some twenty seconds on a quiet core. */
const PATIENCE = 400_000;

describe.skipIf(note !== "")(`a disk that is full${note}`, () => {
  test(
    "is named in the midst of a checkpoint, which leaves nothing behind; with more room the training resumes",
    async () => {
      const disk = await openSmallDisk(path.join(place, "disk"), 4_000_000);
      try {
        const config = scene("out");
        disk.fill(400_000);
        const command = [python, "-c", TRAIN_TWICE, path.join(place, "model"), config];
        const { code, out, err } = await disk.run(".", env, command);
        expect(code, err).toBe(0);
        const [full = "", resumed = ""] = err.split("LEFT");
        expect(full).toMatch(
          /^error: no space for a checkpoint in out\/checkpoints: .*\nnext: .*resumes.*\n$/m,
        );
        expect(full).not.toContain("Traceback");
        expect(resumed).not.toContain("error:");
        expect(/^LEFT (.*)$/m.exec(out)?.[1]).toBe('[1, "checkpoint-2"]');
        expect(out).toContain("resumes at step 2 of 12");
        expect(JSON.parse(readFileSync(disk.reach("out/result.json"), "utf8"))).toMatchObject({ steps: 12 });
      } finally {
        await disk.close();
      }
    },
    PATIENCE,
  );
});
