import path from "node:path";
import { servePfs } from "./pf-worker.ts";
import { quickJsAt } from "./quickjs-file.ts";

// The worker of `hasp hook`, with nothing in it but the sandbox.
servePfs({ module: quickJsAt(path.join(__dirname, "quickjs.wasm")) });
