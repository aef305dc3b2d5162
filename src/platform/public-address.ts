import { lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { RetrieverError } from "../domains/passages/retrievers/retriever.ts";

/** Says of an IP address whether a connection to it is wanted. */
export type AddressRule = (address: string) => boolean;

/** IPv4 that is no one machine of the public internet (RFC 6890 and its successors): private, link-local, shared, test, multicast. */
const NOT_PUBLIC_V4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];
/** Parts of 2000::/3 that reach an IPv4 address or nobody: Teredo and its like, documentation, 6to4. */
const NOT_PUBLIC_V6: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

function blockList(family: "ipv4" | "ipv6", nets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of nets) list.addSubnet(net, prefix, family);
  return list;
}

const notPublicV4 = blockList("ipv4", NOT_PUBLIC_V4);
const notPublicV6 = blockList("ipv6", NOT_PUBLIC_V6);
const globalV6 = blockList("ipv6", [["2000::", 3]]);
const loopbackV4 = blockList("ipv4", [["127.0.0.0", 8]]);

/** True for an address of the public internet. IPv6 that carries an IPv4 address counts as not public, whatever that one is. */
export const isPublicAddress: AddressRule = (address) => {
  const family = isIP(address);
  if (family === 4) return !notPublicV4.check(address, "ipv4");
  return family === 6 && globalV6.check(address, "ipv6") && !notPublicV6.check(address, "ipv6");
};

/** True for this machine. */
export const isLoopbackAddress: AddressRule = (address) =>
  isIP(address) === 4 ? loopbackV4.check(address, "ipv4") : address === "::1";

function refusal(host: string): RetrieverError {
  return new RetrieverError(
    "page",
    "not a public address",
    `${host} is no public address; pages on this machine and in its networks are not opened.`,
  );
}

/** Throws where a URL's host is an address that the rule forbids: such a host is connected to without a look-up. */
export function refuseAddress(url: string, allow: AddressRule): void {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(host) !== 0 && !allow(host)) throw refusal(host);
}

/**
 * A look-up that answers only with addresses that the rule allows. It belongs to the connection itself: a check before would
 * ask the name server twice, and be told something else the second time.
 */
export function guardedLookup(allow: AddressRule): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, "", 0);
      const allowed = addresses.filter(({ address }) => allow(address));
      const [first] = allowed;
      if (first === undefined) return callback(refusal(host), "", 0);
      if (options.all === true) return callback(null, allowed);
      callback(null, first.address, first.family);
    });
  };
}
