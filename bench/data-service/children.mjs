// Starts the measured server and the load generator as child processes and exchanges messages with them.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { built } from '../built.mjs';

const script = (name) => path.join(import.meta.dirname, name);

/** @returns {(input: object) => Promise<object>} sends a message and waits for the one with the same id */
function asking(child) {
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

/** @param {string} dataDir of a new or kept demo company @param {string[]} [nodeOptions] */
export async function startMeasured(dataDir, nodeOptions = []) {
  const child = fork(await built(script('server.mjs'), 'bench-data-server'), [dataDir], {
    execArgv: ['--expose-gc', ...nodeOptions],
  });
  const [facts] = await once(child, 'message');
  const tell = asking(child);
  const ask = async (task, input = {}) => {
    const { error, result } = await tell({ task, ...input });
    if (error) throw new Error(error);
    return result;
  };
  const stop = async () => {
    const ended = once(child, 'exit');
    child.send({ task: 'stop' });
    await ended;
  };
  return { ...facts, port: Number(new URL(facts.url).port), ask, stop };
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
    const child = fork(script('load.mjs'));
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
