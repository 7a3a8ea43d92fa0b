import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../../database/database.ts';
import { PARTITION_MAINTENANCE_MS } from '../limits.ts';

/**
 * Creates partitions for the next days and removes stored broadcasts older than 72 hours, now and every hour. Every process
 * does this; an advisory lock lets one at a time.
 * @returns a function that stops it
 */
export function maintainPartitions(
  { owner }: Database,
  log: FastifyBaseLogger,
): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const maintain = (): void => {
    running = owner.query('select realtime.maintain_partitions()').then(
      () => {},
      (error: unknown) => log.error({ err: error }, 'could not maintain realtime.messages'),
    );
  };
  maintain();
  const timer = setInterval(maintain, PARTITION_MAINTENANCE_MS).unref();
  return () => {
    clearInterval(timer);
    return running;
  };
}
