// Runs the load generator as a child process.
import { fork } from 'node:child_process';
import path from 'node:path';

/** @returns {(input: object) => Promise<object>} sends a message and waits for the one with the same id */
export function asking(child) {
  let last = 0;
  return (input) =>
    new Promise((resolve, reject) => {
      last += 1;
      const id = last;
      const leave = () => {
        child.off('message', hear);
        child.off('exit', end);
      };
      const hear = (message) => {
        if (message.id !== id) return;
        leave();
        resolve(message);
      };
      const end = () => {
        leave();
        reject(new Error('A process of the measurement ended early.'));
      };
      child.on('message', hear);
      child.on('exit', end);
      child.send({ id, ...input });
    });
}

/** The load generator's process, reused between runs so that it stays warm. */
let loader;

/**
 * Runs load against a port.
 * @param {{ port: number, connections: number, token?: string, requests: object[], ms?: number, rate?: number, count?: number }} input
 *   for `ms`, at `rate` requests per second or as fast as possible, at most `count` requests
 * @returns {Promise<{ count: number, failed: number, perSecond: number, median: number, p99: number }>} times in milliseconds
 */
export async function load(input) {
  if (loader === undefined) {
    const child = fork(path.join(import.meta.dirname, 'load.mjs'));
    // Do not keep this process alive between runs; the child exits with it.
    child.unref();
    loader = { tell: asking(child), channel: child.channel };
  }
  loader.channel.ref();
  const result = await loader.tell({ ms: 3_600_000, ...input });
  loader.channel.unref();
  if (result.failed > 0) throw new Error(`${result.failed} requests failed.`);
  return result;
}
