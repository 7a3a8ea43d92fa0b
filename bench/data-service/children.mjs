// Starts the measured server and the load, each in a process of its own, and talks to them.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const script = (name) => path.join(import.meta.dirname, name);

/** @param {string} dataDir of a new or kept demo company @param {string[]} [nodeOptions] */
export async function startMeasured(dataDir, nodeOptions = []) {
  const child = fork(script('server.mjs'), [dataDir], {
    execArgv: ['--import', 'tsx', '--expose-gc', ...nodeOptions],
  });
  const [facts] = await once(child, 'message');
  let last = 0;
  const ask = (task, input = {}) =>
    new Promise((resolve, reject) => {
      last += 1;
      const id = last;
      const hear = (message) => {
        if (message.id !== id) return;
        child.off('message', hear);
        if (message.error) reject(new Error(message.error));
        else resolve(message.result);
      };
      child.on('message', hear);
      child.send({ id, task, ...input });
    });
  const stop = async () => {
    const ended = once(child, 'exit');
    child.send({ task: 'stop' });
    await ended;
  };
  return { ...facts, port: Number(new URL(facts.url).port), ask, stop };
}

/**
 * One run of load against a port.
 * @param {{ port: number, connections: number, token?: string, requests: object[], ms?: number, rate?: number, count?: number }} input
 *   `ms` long, at `rate` requests a second or as fast as it goes, `count` requests at most
 * @returns {Promise<{ count: number, failed: number, perSecond: number, median: number, p99: number }>} times in milliseconds
 */
export async function load(input) {
  const child = fork(script('load.mjs'));
  try {
    child.send({ ms: 3_600_000, ...input });
    const [result] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => Promise.reject(new Error('The load ended early.'))),
    ]);
    if (result.failed > 0) throw new Error(`${result.failed} requests failed.`);
    return result;
  } finally {
    child.kill();
  }
}
