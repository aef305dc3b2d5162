import { createServer } from "node:http";
import path from "node:path";
import type { Site } from "./build.ts";

/** The policy of the extension's page (webview/replay/main.ts), with this server as the webview's source. */
export const POLICY =
  "default-src 'none'; script-src 'nonce-fixture'; style-src 'self'; style-src-attr 'unsafe-inline'; font-src 'self'; img-src data:";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".ttf": "font/ttf",
};

export interface Server {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves a site from memory on a free port of the loopback. */
export async function serve(site: Site): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
    const content = site.get(pathname);
    response.writeHead(content === undefined ? 404 : 200, {
      "content-type": TYPES[path.extname(pathname)] ?? "application/octet-stream",
      "content-security-policy": POLICY,
    });
    response.end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
