import { parseJson } from "../../model/read-json.ts";
import { z } from "../../model/zod.ts";
import type { StructuredReplies } from "../domain.ts";
import { WEB_SEARCH_ACTIONS } from "./action-space.ts";
import { isPlaceholder, parseReply } from "./parse-reply.ts";

const replySchema = z.object({ thought: z.string(), action: z.enum(WEB_SEARCH_ACTIONS), arg: z.string() });

/** A thought, a type and its argument. The thought comes first, since a model writes the fields in their order. */
export const structuredReplies: StructuredReplies = {
  schema: (actionTypes) => ({
    type: "object",
    properties: {
      thought: { type: "string" },
      action: {
        type: "string",
        enum: actionTypes.filter((type) => WEB_SEARCH_ACTIONS.some((own) => own === type)),
      },
      arg: { type: "string" },
    },
    required: ["thought", "action", "arg"],
    additionalProperties: false,
  }),
  parseReply(text) {
    const read = replySchema.safeParse(parseJson(text.trim()));
    if (!read.success) {
      const reply = parseReply(text);
      return reply.action.type === "invalid" ? reply : { ...reply, lenient: true };
    }
    const { thought, action, arg } = read.data;
    if (isPlaceholder(arg))
      return { thought: thought.trim(), action: { type: "invalid", arg: text, raw: text } };
    return { thought: thought.trim(), action: { type: action, arg: arg.trim() } };
  },
};
