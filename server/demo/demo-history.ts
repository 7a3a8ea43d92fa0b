// Fills in the demo company's months of history once the server listens.
import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify';
import { DatabaseError, type Pool } from 'pg';
import type { Context } from 'supabase-in-node/context';
import { type DemoCompany, historyToFill, runHistoryStep } from './demo-state.ts';

export interface HistoryProgress {
  /** Steps. */
  done: number;
  total: number;
  /** Since this server began with it. */
  seconds: number;
}

/** A user's transaction came first: deadlock, serialization failure, lock not available. */
const PASSING = new Set(['40P01', '40001', '55P03']);
const ATTEMPTS = 5;

export class DemoHistory {
  #state: 'filling' | 'failed' | undefined;
  #isStopped = false;

  /** @param onProgress called after each step, and before the first */
  constructor(
    private readonly load: (() => Promise<DemoCompany>) | undefined,
    private readonly onProgress: (progress: HistoryProgress) => void = () => {},
  ) {}

  /** Undefined when nothing is missing, as in every database that is no demo. */
  get state(): 'filling' | 'failed' | undefined {
    return this.#state;
  }

  plugin({ database: { owner } }: Context): FastifyPluginAsync {
    return async (app) => {
      if (this.load === undefined || (await historyToFill(owner)) === undefined) return;
      this.#state = 'filling';
      const { load } = this;
      app.addHook('onListen', async () => {
        void this.#fill(load, owner, app.log);
      });
      // The statement that runs is cancelled with those of the jobs. The next start goes on with its step.
      app.addHook('onClose', async () => {
        this.#isStopped = true;
      });
    };
  }

  async #fill(
    load: () => Promise<DemoCompany>,
    owner: Pool,
    log: FastifyBaseLogger,
  ): Promise<void> {
    const started = performance.now();
    try {
      const left = await historyToFill(owner);
      if (left !== undefined) {
        const steps = (await load()).historySteps(left.now);
        const tell = (done: number): void =>
          this.onProgress({
            done,
            total: steps.length,
            seconds: (performance.now() - started) / 1_000,
          });
        tell(left.done);
        for (let place = left.done; place < steps.length; place += 1) {
          if (this.#isStopped) return;
          await this.#run(owner, steps, place);
          if (place + 1 < steps.length) tell(place + 1);
        }
        // Lets go of the write-ahead log, which is as large as the data.
        await owner.query('checkpoint');
        this.#state = undefined;
        tell(steps.length);
      }
      this.#state = undefined;
    } catch (error) {
      if (this.#isStopped) return;
      this.#state = 'failed';
      log.error({ err: error }, 'the history of the demo company could not be filled');
    }
  }

  async #run(
    owner: Pool,
    steps: ReturnType<DemoCompany['historySteps']>,
    place: number,
  ): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const client = await owner.connect();
      try {
        await runHistoryStep(client, steps, place);
        return;
      } catch (error) {
        const isPassing = error instanceof DatabaseError && PASSING.has(error.code ?? '');
        if (!isPassing || attempt === ATTEMPTS) throw error;
      } finally {
        client.release();
      }
    }
  }
}
