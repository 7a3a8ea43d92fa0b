// Makes room for the coming days' stored broadcasts and ends what is older than 72 hours, at start and once an hour.
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../../database/database.ts';
import { TIDY_MS } from '../limits.ts';

/** Every process calls it; the database lets one at a time do it. @returns how to stop */
export function tidyStored({ owner }: Database, log: FastifyBaseLogger): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const tidy = (): void => {
    running = owner.query('select realtime.tidy_messages()').then(
      () => {},
      (error: unknown) => log.error({ err: error }, 'stored broadcasts could not be tidied up'),
    );
  };
  tidy();
  const timer = setInterval(tidy, TIDY_MS).unref();
  return () => {
    clearInterval(timer);
    return running;
  };
}
