/** Params and result of each request, and the payload of each event, by name. */
export interface Contract {
  requests: Record<string, { params: unknown; result: unknown }>;
  events: Record<string, unknown>;
}

/** For a side that offers events only: nothing can be asked of it. */
export type NoRequests = Record<string, { params: never; result: never }>;
