import { connect, createServer, type Server, type Socket } from "node:net";
import type { JoinedSshd } from "./sshd.ts";

/** A way to a server that can be cut at a given byte. */
export interface Link {
  /** The alias in the configuration of the client. */
  readonly host: string;
  readonly port: number;
  /** Bytes that went to the server, and that came from it, over all connections. */
  readonly sent: number;
  readonly received: number;
  /** Drops all connections now. New ones are taken. */
  cut(): void;
  /** Drops all connections once so many more bytes went to the server (`up`) or came from it; those behind them are lost. Once. */
  cutAfter(bytes: number, direction: "up" | "down"): void;
  /** Refuses new connections, until `open`. */
  shut(): Promise<void>;
  open(): Promise<void>;
  /** Passes nothing on and drops nothing, as a net that is gone without a word; until `thaw`. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

/** A proxy before an sshd, with an alias of its own. */
export async function startLink(sshd: JoinedSshd, host = "link"): Promise<Link> {
  const pairs = new Set<Pair>();
  const passed = { up: 0, down: 0 };
  let limit: { readonly direction: "up" | "down"; readonly at: number } | undefined;
  let isFrozen = false;
  let server: Server | undefined;

  const cut = (): void => {
    limit = undefined;
    for (const { client, server: far } of pairs) {
      client.resetAndDestroy();
      far.destroy();
    }
  };
  const pass = (direction: "up" | "down", from: Socket, to: Socket): void => {
    from.on("data", (piece: Buffer) => {
      const room = limit?.direction === direction ? limit.at - passed[direction] : Infinity;
      const taken = room < piece.length ? piece.subarray(0, room) : piece;
      passed[direction] += taken.length;
      if (!to.write(taken)) from.pause();
      if (room <= piece.length) cut();
    });
    to.on("drain", () => void (isFrozen || from.resume()));
  };
  const take = (client: Socket): void => {
    const far = connect(sshd.port, "127.0.0.1");
    const pair = { client, server: far };
    pairs.add(pair);
    pass("up", client, far);
    pass("down", far, client);
    for (const [one, other] of [
      [client, far],
      [far, client],
    ] as const) {
      one.on("error", () => undefined);
      one.on("end", () => void other.end());
      one.on("close", () => {
        other.destroy();
        pairs.delete(pair);
      });
      if (isFrozen) one.pause();
    }
  };
  const listen = async (port: number): Promise<number> => {
    const next = createServer({ allowHalfOpen: true }, take);
    await new Promise<void>((resolve, reject) => {
      next.once("error", reject);
      next.listen(port, "127.0.0.1", () => resolve());
    });
    server = next;
    const address = next.address();
    if (address === null || typeof address === "string") throw new Error("The link has no port.");
    return address.port;
  };

  const port = await listen(0);
  sshd.addHost(host, port);
  const setFlow = (frozen: boolean): void => {
    isFrozen = frozen;
    for (const { client, server: far } of pairs)
      for (const socket of [client, far]) {
        if (frozen) socket.pause();
        else socket.resume();
      }
  };
  const shut = async (): Promise<void> => {
    const last = server;
    server = undefined;
    if (last === undefined) return;
    const closed = new Promise<void>((resolve) => void last.close(() => resolve()));
    cut();
    await closed;
  };
  return {
    host,
    port,
    get sent() {
      return passed.up;
    },
    get received() {
      return passed.down;
    },
    cut,
    cutAfter: (bytes, direction) => void (limit = { direction, at: passed[direction] + bytes }),
    shut,
    async open() {
      if (server === undefined) await listen(port);
    },
    freeze: () => setFlow(true),
    thaw: () => setFlow(false),
    close: shut,
  };
}
