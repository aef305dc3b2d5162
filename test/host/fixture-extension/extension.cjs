// A chat model that says what the suite tells it to, in pieces. The suite reads and sets `exports`.
const vscode = require("vscode");

/** `reply`: what the model says; `error`: what it throws instead; `requests`: the texts that it was asked. */
const model = { reply: "ready", error: undefined, requests: [] };

const INFORMATION = {
  id: "suite-teacher",
  name: "Suite Teacher",
  family: "suite-teacher",
  version: "1",
  maxInputTokens: 100_000,
  maxOutputTokens: 10_000,
  capabilities: {},
};

function textOf(message) {
  return message.content
    .filter((part) => part instanceof vscode.LanguageModelTextPart)
    .map((part) => part.value)
    .join("");
}

exports.activate = (context) => {
  const provider = {
    provideLanguageModelChatInformation: async () => [INFORMATION],
    provideTokenCount: async (_model, text) => Math.ceil(String(text).length / 4),
    async provideLanguageModelChatResponse(_model, messages, _options, progress, token) {
      model.requests.push(messages.map(textOf).join("\n"));
      if (model.error !== undefined) throw model.error;
      for (const piece of model.reply.match(/[\s\S]{1,40}/g) ?? []) {
        if (token.isCancellationRequested) return;
        progress.report(new vscode.LanguageModelTextPart(piece));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
  };
  context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider("hasp-suite", provider));
  return model;
};
