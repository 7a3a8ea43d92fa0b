// Runs `prune` periodically.
import type { FastifyBaseLogger } from 'fastify';
import type { Service } from '../service.ts';
import { pruneOnce } from './prune.ts';

const EVERY_MS = 10 * 60_000;

/** @returns a function that stops it */
export function startUpkeep(service: Service, log: FastifyBaseLogger): () => void {
  const timer = setInterval(() => {
    pruneOnce(service).catch((error: unknown) => log.warn({ err: error }, 'upkeep failed'));
  }, EVERY_MS).unref();
  return () => clearInterval(timer);
}
