import fs from "node:fs";
import { wasmModule } from "../sandbox/realm-image.ts";

/** QuickJS as it lies beside the bundle of a hook, compiled. */
export function quickJsAt(file: string): WebAssembly.Module {
  return wasmModule(fs.readFileSync(file));
}
