import { foreignNameFault } from "./foreign-name.ts";
import { z } from "./zod.ts";

/** The path of a file from elsewhere: relative, normal, `/` between its parts. */
export const foreignNameSchema = z.string().superRefine((name, context) => {
  const fault = foreignNameFault(name);
  if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
});

/** A SHA-256 in hexadecimal. */
export const sha256Schema = z.string().regex(/^[\da-f]{64}$/, "must be 64 digits of lower-case hexadecimal");
