import { type Bundle, bundle, isCurrent, type Paths } from '../bundle/bundle.ts';
import { failed, notStarted } from '../errors.ts';
import type { FunctionSource } from '../locate.ts';
import { FunctionThread, type ThreadOptions } from './function-thread.ts';

interface Running {
  bundle: Bundle;
  thread: FunctionThread;
  checkedAt: number;
}

/** How long a check for changed files stays valid. */
const CHECK_MS = 500;

/** The running functions: one worker each, started at the first call and restarted when its files change. */
export class Threads {
  readonly #running = new Map<string, Promise<Running>>();

  constructor(
    private readonly paths: Paths,
    private readonly options: (name: string) => Promise<Omit<ThreadOptions, 'file'>>,
  ) {}

  /**
   * @returns a worker that accepts calls
   * @throws FunctionError when the function can't be bundled or started
   */
  async of(source: FunctionSource): Promise<FunctionThread> {
    const known = this.#running.get(source.name);
    const running = await known?.catch(() => undefined);
    const isUsable =
      running !== undefined && !running.thread.hasEnded && (await unchanged(running));
    // A concurrent call may have restarted it in the meantime.
    const latest = this.#running.get(source.name);
    const next = isUsable || (latest !== undefined && latest !== known) ? latest : undefined;
    const { thread } = await (next ?? this.#restart(source, running));
    await thread.ready;
    return thread;
  }

  #restart(source: FunctionSource, previous: Running | undefined): Promise<Running> {
    const started = this.#start(source, previous);
    this.#running.set(source.name, started);
    started.catch(() => {
      if (this.#running.get(source.name) === started) this.#running.delete(source.name);
    });
    return started;
  }

  async #start(source: FunctionSource, previous: Running | undefined): Promise<Running> {
    const options = await this.options(source.name);
    // The previous worker finishes its calls with the old code, and is stopped when it is idle.
    const isSame = previous !== undefined && (await isCurrent(previous.bundle));
    const current = isSame
      ? previous.bundle
      : await bundle(source, this.paths).catch((error: unknown) => {
          throw notStarted(error instanceof Error ? error.message : String(error));
        });
    const thread = new FunctionThread({ ...options, file: current.file });
    return { bundle: current, thread, checkedAt: Date.now() };
  }

  async stop(): Promise<void> {
    const all = await Promise.allSettled(this.#running.values());
    this.#running.clear();
    for (const one of all) {
      if (one.status === 'fulfilled') one.value.thread.end(failed('the server is stopping'));
    }
  }
}

async function unchanged(running: Running): Promise<boolean> {
  if (Date.now() - running.checkedAt < CHECK_MS) return true;
  running.checkedAt = Date.now();
  return isCurrent(running.bundle);
}
