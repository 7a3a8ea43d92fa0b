// bcrypt in worker threads with low priority: a burst of sign-ins must not slow other requests down.
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/**
 * Niceness of the threads, the maximum. Measured on two cores with 16 readers that never pause: a sign-in takes an eighth
 * longer than with 5, and the slowest tenth of reads beside 30 sign-ins a second is a third faster.
 */
const NICE = 19;

/**
 * Plain JavaScript, since it runs from the sources, from the bundle and in tests. On Linux a thread's priority can be set by
 * its thread id; elsewhere that id is unknown and the priority stays the default.
 */
const CODE = `
  const { parentPort, workerData } = require('node:worker_threads');
  const bcrypt = require(workerData.bcrypt);
  try {
    const [, , thread] = require('node:fs').readlinkSync('/proc/thread-self').split('/');
    require('node:os').setPriority(Number(thread), workerData.nice);
  } catch {}
  parentPort.on('message', ({ id, password, hash, cost }) => {
    try {
      const value = hash === undefined ? bcrypt.hashSync(password, { cost }) : bcrypt.verifySync(password, hash);
      parentPort.postMessage({ id, value });
    } catch (error) {
      parentPort.postMessage({ id, error: String(error) });
    }
  });
`;

interface Job {
  resolve(value: string | boolean): void;
  reject(error: Error): void;
}

interface Reply {
  id: number;
  value?: string | boolean;
  error?: string;
}

const threads: Thread[] = [];

/** One thread; runs its jobs in order. */
class Thread {
  readonly #jobs = new Map<number, Job>();
  readonly #worker: Worker;
  #last = 0;

  constructor() {
    const bcrypt = createRequire(import.meta.url).resolve('@node-rs/bcrypt');
    this.#worker = new Worker(CODE, { eval: true, workerData: { bcrypt, nice: NICE } });
    this.#worker.unref();
    this.#worker.on('message', ({ id, value, error }: Reply) => {
      const job = this.#jobs.get(id);
      this.#jobs.delete(id);
      if (this.#jobs.size === 0) this.#worker.unref();
      if (value === undefined) job?.reject(new Error(error ?? 'bcrypt gave no answer'));
      else job?.resolve(value);
    });
    this.#worker.on('error', (error) => {
      // A crashed thread gets no more jobs; the next job starts another.
      threads.splice(threads.indexOf(this), 1);
      for (const job of this.#jobs.values()) job.reject(error);
      this.#jobs.clear();
    });
  }

  get waiting(): number {
    return this.#jobs.size;
  }

  run(job: { password: string; hash?: string; cost?: number }): Promise<string | boolean> {
    this.#last += 1;
    const id = this.#last;
    this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#jobs.set(id, { resolve, reject });
      this.#worker.postMessage({ id, ...job });
    });
  }
}

/** The least busy thread. Threads are started on demand, at most one per core. */
function nextThread(): Thread {
  const idle = threads.find(({ waiting }) => waiting === 0);
  if (idle !== undefined) return idle;
  if (threads.length < availableParallelism()) {
    const made = new Thread();
    threads.push(made);
    return made;
  }
  return threads.reduce((least, thread) => (thread.waiting < least.waiting ? thread : least));
}

export async function hash(password: string, cost: number): Promise<string> {
  return String(await nextThread().run({ password, cost }));
}

export async function verify(password: string, stored: string): Promise<boolean> {
  return (await nextThread().run({ password, hash: stored })) === true;
}
