import type { Clock } from "../trace/ports.ts";

export const systemClock: Clock = { now: () => new Date().toISOString() };
