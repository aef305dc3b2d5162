/** A reply without the thoughts that a reasoning model writes before it; a thought that never ends leaves nothing. */
export function withoutThoughts(reply: string): string {
  const end = reply.lastIndexOf("</think>");
  return end >= 0 ? reply.slice(end + "</think>".length) : reply.replace(/<think>[^]*$/, "");
}
