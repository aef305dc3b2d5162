/** A piece of work that may wait for something and takes lanes of the machine while it runs. */
export interface Task {
  /** How long it takes, as far as is known: longer ones start first. */
  seconds: number;
  /** How many lanes it takes: 0 where it mostly waits for others; all of them where it keeps the machine busy by itself. */
  lanes: number;
  /** Whether nothing else may run or be prepared meanwhile, not even what takes no lane: it comes last. */
  isAlone?: boolean | undefined;
  /** Settles when it may start. Never rejects. */
  ready: Promise<void>;
  /** Never rejects. */
  run: () => Promise<void>;
}

/** Runs tasks side by side as long as there are lanes, each as soon as it is ready. One that takes them all runs when no other can. */
export async function runTasks(tasks: readonly Task[], lanes: number): Promise<void> {
  const preparing = new Map(tasks.map((task) => [task, task.ready.then(() => ready(task))]));
  const waiting = new Set<Task>();
  const running = new Map<Task, Promise<void>>();
  const ready = (task: Task): void => {
    preparing.delete(task);
    waiting.add(task);
  };
  const startNext = (): boolean => {
    const task = nextOf([...waiting], [...running.keys()], preparing.size, lanes);
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

function nextOf(
  waiting: readonly Task[],
  running: readonly Task[],
  preparing: number,
  lanes: number,
): Task | undefined {
  if (running.some(({ isAlone }) => isAlone)) return undefined;
  const free = lanes - sum(running.map((task) => task.lanes));
  const fitting = waiting.filter((task) => task.isAlone !== true && task.lanes <= free);
  const [next] = fitting.toSorted((a, b) => a.lanes - b.lanes || b.seconds - a.seconds);
  if (next !== undefined || running.length > 0 || preparing > 0) return next;
  return waiting.find(({ isAlone }) => isAlone);
}

/** Seconds that `runTasks` needs for them, about: what waits is left out. */
export function secondsOf(
  tasks: readonly Pick<Task, "seconds" | "lanes" | "isAlone">[],
  lanes: number,
): number {
  const beside = tasks.filter(({ isAlone }) => isAlone !== true);
  const seconds = (is: (taken: number) => boolean): number[] =>
    beside.filter((task) => is(task.lanes)).map((task) => task.seconds);
  const last = tasks.filter(({ isAlone }) => isAlone).map((task) => task.seconds);
  const alone = seconds((taken) => taken >= lanes);
  const shared = seconds((taken) => taken > 0 && taken < lanes);
  const waiting = seconds((taken) => taken === 0);
  return sum(last) + Math.max(sum(alone) + Math.max(sum(shared) / lanes, 0, ...shared), ...waiting);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
