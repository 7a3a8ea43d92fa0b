// The running functions: one thread each, started at the first call and anew when its files change.
import { type Bundle, bundle, isCurrent, type Places } from '../bundle/bundle.ts';
import { failed, notStarted } from '../errors.ts';
import type { FunctionSource } from '../locate.ts';
import { FunctionThread, type ThreadOptions } from './function-thread.ts';

interface Running {
  bundle: Bundle;
  thread: FunctionThread;
  checkedAt: number;
}

/** How long files are believed to be as they were. */
const CHECK_MS = 500;

export class Threads {
  readonly #running = new Map<string, Promise<Running>>();
  readonly #places: Places;
  readonly #options: (name: string) => Promise<Omit<ThreadOptions, 'file'>>;

  constructor(places: Places, options: (name: string) => Promise<Omit<ThreadOptions, 'file'>>) {
    this.#places = places;
    this.#options = options;
  }

  /**
   * @returns a thread that takes calls
   * @throws FunctionError when the function can't be bundled or started
   */
  async of(source: FunctionSource): Promise<FunctionThread> {
    const known = this.#running.get(source.name);
    const running = await known?.catch(() => undefined);
    const isUsable =
      running !== undefined && !running.thread.hasEnded && (await unchanged(running));
    // Somebody else may have begun it anew in between.
    const present = this.#running.get(source.name);
    const next = isUsable || (present !== undefined && present !== known) ? present : undefined;
    const { thread } = await (next ?? this.#begin(source, running));
    await thread.ready;
    return thread;
  }

  #begin(source: FunctionSource, former: Running | undefined): Promise<Running> {
    const started = this.#start(source, former);
    this.#running.set(source.name, started);
    started.catch(() => {
      if (this.#running.get(source.name) === started) this.#running.delete(source.name);
    });
    return started;
  }

  async #start(source: FunctionSource, former: Running | undefined): Promise<Running> {
    const options = await this.#options(source.name);
    // Calls under way end with the code that they began with: the idle limit ends the former thread.
    const isSame = former !== undefined && (await isCurrent(former.bundle));
    const made = isSame
      ? former.bundle
      : await bundle(source, this.#places).catch((error: unknown) => {
          throw notStarted(error instanceof Error ? error.message : String(error));
        });
    const thread = new FunctionThread({ ...options, file: made.file });
    return { bundle: made, thread, checkedAt: Date.now() };
  }

  async stop(): Promise<void> {
    const all = await Promise.allSettled(this.#running.values());
    this.#running.clear();
    for (const one of all) {
      if (one.status === 'fulfilled') one.value.thread.end(failed('the server stops'));
    }
  }
}

async function unchanged(running: Running): Promise<boolean> {
  if (Date.now() - running.checkedAt < CHECK_MS) return true;
  running.checkedAt = Date.now();
  return isCurrent(running.bundle);
}
