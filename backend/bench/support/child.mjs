// A child process that replies to messages.
import { fork } from 'node:child_process';

/** @param {string} file absolute path @param {string[]} args of the program @returns once the child is ready */
export async function child(file, env = {}, args = []) {
  const made = fork(file, args, {
    env: { ...process.env, ...env },
    execArgv: ['--expose-gc'],
  });
  const waiting = new Map();
  let last = 0;
  const ready = await new Promise((resolve, reject) => {
    made.once('exit', (code) => reject(new Error(`${file} ended with ${code}.`)));
    made.on('message', (message) => {
      if (message.ready) resolve(message.ready);
      else waiting.get(message.id)?.(message.answer);
    });
  });
  return {
    ready,
    pid: made.pid,
    ask: (ask, input) =>
      new Promise((resolve) => {
        last += 1;
        waiting.set(last, resolve);
        made.send({ id: last, ask, input });
      }),
    end: () => made.kill(),
  };
}
