import { z } from "zod";

// zod compiles validators with `new Function` where it can; a webview's CSP reports the attempt (DESIGN.md, "What runs what").
z.config({ jitless: true });

export { z };
