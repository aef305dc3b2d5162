/** `node scripts/schemas.mts`: writes docs/schemas anew, after a change of a record's schema. Format the files with `oxfmt docs/schemas`. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { recordSchemas } from "../src/trace/record-schemas.ts";

const folder = path.join(import.meta.dirname, "../docs/schemas");
await mkdir(folder, { recursive: true });
for (const [name, schema] of Object.entries(recordSchemas()))
  await writeFile(path.join(folder, `${name}.json`), `${JSON.stringify(schema, null, 2)}\n`);
