import type { Browser, CDPSession } from "playwright-core";

/** The address and the size of a page, a script for its documents, and the receiver of that script's messages. */
interface PageOptions {
  readonly url: string;
  readonly size: { readonly width: number; readonly height: number };
  /** Runs in each document before its own scripts. `tell(text)` in it calls `on`. */
  readonly script: string;
  readonly on: (text: string) => void;
}

/**
 * Opens a page that Playwright does not watch. Where it does, Chromium tells it each frame of the connection between VS Code's window
 * and its server: some twenty seconds of processor time in a suite.
 */
export async function openQuietPage(browser: Browser, options: PageOptions): Promise<void> {
  const session = await browser.newBrowserCDPSession();
  // Playwright leaves pages alone that belong to no context of its own.
  const { browserContextId } = await session.send("Target.createBrowserContext");
  const { targetId } = await session.send("Target.createTarget", {
    url: "about:blank",
    browserContextId,
    ...options.size,
  });
  const send = await attached(session, targetId, (method, params) => {
    if (method === "Runtime.bindingCalled") options.on(String(params["payload"]));
  });
  await send("Runtime.enable");
  await send("Runtime.addBinding", { name: "tell" });
  await send("Page.enable");
  await send("Page.addScriptToEvaluateOnNewDocument", { source: options.script });
  const { errorText } = await send("Page.navigate", { url: options.url });
  if (typeof errorText === "string") throw new Error(`${options.url}: ${errorText}`);
}

type Params = Record<string, unknown>;
type Send = (method: string, params?: Params) => Promise<Params>;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: Params;
  readonly error?: { readonly message: string };
}

/** Speaks with one target through the browser's session. */
async function attached(
  session: CDPSession,
  targetId: string,
  hear: (method: string, params: Params) => void,
): Promise<Send> {
  const { sessionId } = await session.send("Target.attachToTarget", { targetId, flatten: false });
  const open = new Map<number, PromiseWithResolvers<Params>>();
  session.on("Target.receivedMessageFromTarget", ({ message }) => {
    const { id, method, params, result, error } = JSON.parse(message) as Message;
    if (id === undefined) return hear(method ?? "", params ?? {});
    if (error === undefined) open.get(id)?.resolve(result ?? {});
    else open.get(id)?.reject(new Error(error.message));
    open.delete(id);
  });
  let last = 0;
  return async (method, params = {}) => {
    const id = ++last;
    const reply = Promise.withResolvers<Params>();
    open.set(id, reply);
    await session.send("Target.sendMessageToTarget", {
      sessionId,
      message: JSON.stringify({ id, method, params }),
    });
    return await reply.promise;
  };
}
