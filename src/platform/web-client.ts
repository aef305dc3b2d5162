import type { Reach } from "../domains/environment.ts";
import { httpClient, type HttpClient } from "./http-fetch.ts";
import { isLoopbackAddress, isPublicAddress } from "./public-address.ts";

/** A client for the tools of episodes, which connects to addresses within its reach alone. To be closed. */
export function openWebClient(reach: Reach): HttpClient {
  if (reach === "any") return httpClient();
  const own = reach === "public-or-own";
  return httpClient({ allow: (address) => isPublicAddress(address) || (own && isLoopbackAddress(address)) });
}
