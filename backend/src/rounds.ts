// Work repeated in rounds, one at a time: the next begins some time after the last has ended.
import { setTimeout as pause } from 'node:timers/promises';
import { onClockJump } from './wall-clock.ts';

interface RoundsOptions {
  /** Milliseconds after a round. */
  everyMs: number | (() => number);
  afterErrorMs: number;
  /**
   * How long a round may delay the stop; without it, the stop waits for the round. Statements of the owner's connections that
   * run longer are cancelled when the database is closed.
   */
  stopMs?: number;
  onError: (error: unknown) => void;
}

export class Rounds {
  #timer: NodeJS.Timeout | undefined;
  #ignoreJumps: () => void = () => {};
  #working: Promise<void> = Promise.resolve();
  #isStopped = false;
  /** The stop no longer waits, so a failure of the round, which may be cancelled then, is not reported. */
  #isAbandoned = false;

  constructor(
    private readonly work: () => Promise<unknown>,
    private readonly options: RoundsOptions,
  ) {}

  /** For a round of many steps, which ends early then. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  start(delayMs = this.#pauseMs()): void {
    if (this.#isStopped) return;
    const dueAt = Date.now() + delayMs;
    this.#wait(delayMs);
    this.#ignoreJumps = onClockJump(() => {
      const restMs = dueAt - Date.now();
      // After a jump back the timer knows better.
      if (restMs < delayMs) this.#wait(Math.max(0, restMs));
    });
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#begin(), ms).unref();
  }

  #begin(): void {
    this.#ignoreJumps();
    let hasJumped = false;
    // What the round has passed already may be due by the new time.
    this.#ignoreJumps = onClockJump(() => {
      hasJumped = true;
    });
    const next = (delayMs?: number): void => {
      this.#ignoreJumps();
      this.start(delayMs);
    };
    this.#working = this.work().then(
      () => (hasJumped ? next(0) : next()),
      (error: unknown) => {
        if (!this.#isAbandoned) this.options.onError(error);
        next(this.options.afterErrorMs);
      },
    );
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#ignoreJumps();
    const { stopMs } = this.options;
    if (stopMs === undefined) return this.#working;
    this.#isAbandoned = await Promise.race([
      this.#working.then(() => false),
      pause(stopMs, true, { ref: false }),
    ]);
  }

  #pauseMs(): number {
    const { everyMs } = this.options;
    return typeof everyMs === 'number' ? everyMs : everyMs();
  }
}
