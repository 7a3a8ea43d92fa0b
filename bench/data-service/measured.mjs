// Starts the measured server as a child process and exchanges messages with it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { asking } from '../../backend/bench/data-service/run-load.mjs';
import { built } from '../built.mjs';

/** @param {string} dataDir of a new or kept demo company @param {string[]} [nodeOptions] @param {object} [env] OTEL_* */
export async function startMeasured(dataDir, nodeOptions = [], env = {}) {
  const child = fork(
    await built(path.join(import.meta.dirname, 'server.mjs'), 'bench-data-server'),
    [dataDir],
    {
      execArgv: ['--expose-gc', ...nodeOptions],
      env: { ...process.env, ...env },
    },
  );
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
