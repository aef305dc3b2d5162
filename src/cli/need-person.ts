import { isInJob } from "../platform/job-above.ts";
import { Unconfirmed } from "./terminal.ts";

/** Ends a command that keeps a person's yes where a job runs it: a program would say yes in the person's place. */
export function needPerson(): void {
  if (isInJob())
    throw new Unconfirmed(
      "A job runs this command, and cannot say yes for you.",
      "Run it yourself, in a terminal.",
    );
}
