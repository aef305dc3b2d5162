import { textWithoutBlobs, withoutBlobs } from "./blobs.ts";
import type { Ledger } from "./ledger.ts";
import { asName, asRecord, asText, isRecord, type JsonRecord } from "./records.ts";

/** The parts of a content of Gemini's API, by their kinds. */
export interface Parts {
  readonly text: string;
  /** They stand in the place of pictures and files. */
  readonly marks: readonly string[];
  readonly thought: string;
  readonly calls: readonly JsonRecord[];
  readonly responses: readonly JsonRecord[];
}

/** The content is a text, a part or a list of them. */
export function partsOf(content: unknown, ledger: Ledger): Parts {
  const texts: string[] = [];
  const marks: string[] = [];
  const thoughts: string[] = [];
  const calls: JsonRecord[] = [];
  const responses: JsonRecord[] = [];
  for (const given of Array.isArray(content) ? (content as unknown[]) : [content]) {
    const part = typeof given === "string" ? { text: given } : asRecord(given);
    const code = asRecord(part["executableCode"]);
    const ran = asRecord(part["codeExecutionResult"]);
    if (typeof part["text"] === "string")
      (part["thought"] === true ? thoughts : texts).push(textWithoutBlobs(part["text"]));
    else if (isRecord(part["functionCall"])) calls.push(part["functionCall"]);
    else if (isRecord(part["functionResponse"])) responses.push(part["functionResponse"]);
    else if (isRecord(part["executableCode"]))
      calls.push({ name: "code_execution", args: { code: code["code"] } });
    else if (isRecord(part["codeExecutionResult"]))
      responses.push({ response: { output: ran["output"] ?? ran["outcome"] } });
    else if (part["inlineData"] !== undefined || part["fileData"] !== undefined) {
      const type = asText(asRecord(part["inlineData"] ?? part["fileData"])["mimeType"]) ?? "file";
      ledger.dropped("parts that are no text", "a mark stands in their place");
      marks.push(`[${type.split("/")[0] ?? type}]`);
    } else if (Object.keys(part).some((key) => key !== "thoughtSignature" && key !== "thought"))
      ledger.unknown(`parts of a content: ${Object.keys(part).slice(0, 3).map(asName).join(", ")}`);
  }
  return {
    text: texts.filter((text) => text !== "").join("\n"),
    marks,
    thought: thoughts.join("\n\n"),
    calls,
    responses,
  };
}

/** The words of the answer of a tool. */
export function responseWords(response: JsonRecord, ledger: Ledger): string {
  const { response: given } = response;
  const inside = asRecord(given);
  const told = asText(inside["output"]) ?? asText(inside["error"]);
  const { text, marks } = partsOf(response["parts"] ?? [], ledger);
  const rest =
    told ??
    (given === undefined
      ? ""
      : Object.keys(inside).length === 0
        ? asName(given)
        : JSON.stringify(withoutBlobs(given)));
  return [textWithoutBlobs(rest), text, ...marks].filter((part) => part !== "").join("\n");
}

export const failedIn = (response: JsonRecord): boolean =>
  asRecord(response["response"])["error"] !== undefined;
