import * as vscode from "vscode";
import {
  type ChatMessage,
  type ChatModel,
  type ChatOptions,
  type ChatRequest,
  ModelError,
  type ModelFailure,
} from "../../llm/chat-model.ts";
import { splitReasoning } from "../../llm/reasoning.ts";
import { oneLine } from "../../llm/redact.ts";
import { replyText, type ReplyText } from "../../llm/reply-text.ts";
import { guessInputTokens, guessTokens } from "../../llm/tokens.ts";

/** VS Code shows this where it asks whether the extension may use the model. */
const JUSTIFICATION =
  "HASP Studio runs questions and asks for reviews of skills with the model that you chose.";

/** A model that says nothing for this long is given up. Milliseconds. */
const SILENCE = 120_000;

interface Kind {
  readonly kind: ModelFailure;
  readonly next: string;
}

const KINDS: Record<string, Kind> = {
  NoPermissions: {
    kind: "unauthorised",
    next: "Run the command again and allow HASP Studio to use the model, or choose another one.",
  },
  Blocked: {
    kind: "rate_limited",
    next: "Wait until the quota of the model is renewed, or choose another one.",
  },
  NotFound: {
    kind: "refused_request",
    next: "Install or sign in to what provides the model, or choose another one.",
  },
};

const OTHER: Kind = { kind: "server_error", next: "Try again; if it stays, choose another model." };

function failureOf(id: string, error: unknown): ModelError {
  const { kind, next } =
    (error instanceof vscode.LanguageModelError ? KINDS[error.code] : undefined) ?? OTHER;
  const why = error instanceof Error ? error.message : String(error);
  return new ModelError(kind, `${id} gave no reply: ${oneLine(why)}`, next);
}

/** VS Code's messages have no system role: what would be one stands in front, as the user's. */
function toMessage({ role, content }: ChatMessage): vscode.LanguageModelChatMessage {
  return role === "assistant"
    ? vscode.LanguageModelChatMessage.Assistant(content)
    : vscode.LanguageModelChatMessage.User(content);
}

/** Providers differ in what they take; what a provider does not know it leaves alone. */
function modelOptions({ temperature, maxTokens, topP, seed }: ChatRequest): Record<string, unknown> {
  return {
    temperature,
    max_tokens: maxTokens,
    ...(topP !== undefined && { top_p: topP }),
    ...(seed !== undefined && { seed }),
  };
}

interface Watch extends vscode.Disposable {
  readonly token: vscode.CancellationToken;
  readonly timedOut: boolean;
  /** Something arrived: the silence begins anew. */
  readonly heard: () => void;
  /** Tells the provider that no more is read. */
  readonly end: () => void;
}

/** Cancels when the signal aborts, and when nothing is heard for too long. */
function watch(signal: AbortSignal | undefined): Watch {
  const source = new vscode.CancellationTokenSource();
  let timedOut = false;
  const giveUp = (): void => {
    timedOut = true;
    source.cancel();
  };
  let timer = setTimeout(giveUp, SILENCE);
  const end = (): void => source.cancel();
  signal?.addEventListener("abort", end, { once: true });
  return {
    token: source.token,
    end,
    get timedOut() {
      return timedOut;
    },
    heard() {
      clearTimeout(timer);
      timer = setTimeout(giveUp, SILENCE);
    },
    dispose() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      source.dispose();
    },
  };
}

function unlessCancelled<T>(token: vscode.CancellationToken, work: Thenable<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    token.onCancellationRequested(() => reject(new vscode.CancellationError()));
    void work.then(resolve, reject);
  });
}

/** VS Code's API has no stop texts, and providers need not keep to the longest reply: both are kept to here. */
async function readReply(
  chat: vscode.LanguageModelChat,
  request: ChatRequest,
  { onText }: ChatOptions,
  { token, heard, end }: Watch,
): Promise<ReplyText> {
  const options = { justification: JUSTIFICATION, modelOptions: modelOptions(request) };
  const response = await unlessCancelled(
    token,
    chat.sendRequest(request.messages.map(toMessage), options, token),
  );
  const pieces = response.text[Symbol.asyncIterator]();
  const reply = replyText(request);
  const tell = (piece: string): void => {
    if (piece !== "") onText?.(piece);
  };
  while (reply.ended === undefined) {
    // A provider need not listen to its token, so each piece is waited for only until it is cancelled.
    const { done, value } = await unlessCancelled(token, pieces.next());
    if (done === true) {
      tell(reply.rest());
      return reply;
    }
    heard();
    tell(reply.add(value));
  }
  end();
  return reply;
}

function emptyReply(id: string, reasoning: string): ModelError {
  if (reasoning === "")
    return new ModelError(
      "empty_reply",
      `${id} answered with an empty text.`,
      "Ask again, or choose another model.",
    );
  const why = `${id} only thought, and its thoughts came to no reply.`;
  return new ModelError("empty_reply", why, "Allow longer replies.", undefined, reasoning);
}

async function select(vendor: string, family: string, id: string): Promise<vscode.LanguageModelChat> {
  const [found] = await vscode.lm.selectChatModels({ vendor, family });
  if (found !== undefined) return found;
  const next = "Install or sign in to what provides it, or choose another model.";
  throw new ModelError("refused_request", `VS Code knows no chat model ${id} now.`, next);
}

/** The name of a model of VS Code for people, files and cache keys: the spec that names it. */
export function editorModelId(vendor: string, family: string): string {
  return `vscode:${vendor}/${family}`;
}

/**
 * A chat model of VS Code's Language Model API. The first call makes VS Code ask the person for consent. Tokens are guessed
 * and the cost is not known: the API tells neither.
 */
export function editorModel(vendor: string, family: string): ChatModel {
  const id = editorModelId(vendor, family);
  return {
    id,
    async chat(request, options = {}) {
      const { signal } = options;
      signal?.throwIfAborted();
      const started = performance.now();
      const watching = watch(signal);
      try {
        const chat = await select(vendor, family, id);
        const reply = await readReply(chat, request, options, watching);
        const { text, reasoning } = splitReasoning(reply.text);
        const thoughts = reasoning !== "" && { reasoning };
        if (text.trim() === "") throw emptyReply(id, reasoning);
        const tokens = {
          inputTokens: guessInputTokens(request),
          outputTokens: guessTokens(reply.text),
          estimated: true,
        };
        const usage = { ...tokens, latencyMs: performance.now() - started };
        const finish = reply.ended ?? "stop";
        return { text, ...thoughts, usage, model: chat.name, finish, cached: false };
      } catch (error) {
        signal?.throwIfAborted();
        if (watching.timedOut) {
          throw new ModelError(
            "timeout",
            `${id} said nothing for ${SILENCE / 1000} s.`,
            "Try again later, or choose another model.",
          );
        }
        throw error instanceof ModelError ? error : failureOf(id, error);
      } finally {
        watching.dispose();
      }
    },
  };
}
