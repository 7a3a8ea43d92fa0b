import { monitorEventLoopDelay } from 'node:perf_hooks';
import { counter, gauge, type Metric } from './text.ts';

/** Each measurement wakes the process up, so they are few. */
const EVERY_MS = 100;
const NS = 1e9;

export class ProcessWatch {
  readonly #delay = monitorEventLoopDelay({ resolution: EVERY_MS });

  start(): void {
    this.#delay.enable();
  }

  stop(): void {
    this.#delay.disable();
  }

  /** Delays since the last call. */
  metrics(): Metric[] {
    const { max, count } = this.#delay;
    // A measurement includes the time that the process meant to wait.
    const late = count === 0 ? 0 : Math.max(0, max / NS - EVERY_MS / 1000);
    this.#delay.reset();
    const { rss, heapUsed } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    return [
      gauge('process_event_loop_delay_max_seconds', 'Worst delay since it was last read.', {
        value: late,
      }),
      gauge('process_resident_memory_bytes', 'Memory of the process.', { value: rss }),
      gauge('process_heap_used_bytes', 'Memory of JavaScript objects.', { value: heapUsed }),
      counter('process_cpu_seconds_total', 'Processor time.', { value: (user + system) / 1e6 }),
      gauge('process_start_time_seconds', 'When the process started.', {
        value: Math.round(Date.now() / 1000 - process.uptime()),
      }),
    ];
  }
}
