/** A piece of work that may wait for something and takes a lane of the machine while it runs. */
export interface Task {
  /** How long it takes, as far as is known: longer ones start first. */
  seconds: number;
  /** Whether nothing may run beside it. */
  exclusive: boolean;
  /** Settles when it may start. Never rejects. */
  ready: Promise<void>;
  /** Never rejects. */
  run: () => Promise<void>;
}

/** Runs at most `lanes` tasks at a time, each as soon as it is ready. An exclusive one runs when no other can. */
export async function runTasks(tasks: readonly Task[], lanes: number): Promise<void> {
  const preparing = new Map(tasks.map((task) => [task, task.ready.then(() => ready(task))]));
  const waiting = new Set<Task>();
  const running = new Map<Task, Promise<void>>();
  const ready = (task: Task): void => {
    preparing.delete(task);
    waiting.add(task);
  };
  const startNext = (): boolean => {
    const task = nextOf([...waiting], [...running.keys()], lanes);
    if (task === undefined) return false;
    waiting.delete(task);
    const done = task.run().then(() => void running.delete(task));
    running.set(task, done);
    return true;
  };
  for (;;) {
    while (startNext());
    const pending = [...preparing.values(), ...running.values()];
    if (pending.length === 0) return;
    await Promise.race(pending);
  }
}

function nextOf(waiting: readonly Task[], running: readonly Task[], lanes: number): Task | undefined {
  if (running.length >= lanes || running.some(({ exclusive }) => exclusive)) return undefined;
  const longest = waiting.toSorted((a, b) => b.seconds - a.seconds);
  const beside = longest.find(({ exclusive }) => !exclusive);
  return beside ?? (running.length === 0 ? longest[0] : undefined);
}

/** Seconds that `runTasks` needs for them, about: what waits is left out. */
export function secondsOf(tasks: readonly Pick<Task, "seconds" | "exclusive">[], lanes: number): number {
  const seconds = (isExclusive: boolean): number[] =>
    tasks.filter(({ exclusive }) => exclusive === isExclusive).map((task) => task.seconds);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
  const shared = seconds(false);
  return sum(seconds(true)) + Math.max(sum(shared) / lanes, 0, ...shared);
}
