// The server under test as a child process; also reports the statements it sends and its memory.
import { setTimeout as pause } from 'node:timers/promises';
import { RESET, settingsStatement } from '../../backend/src/database/callers.ts';
import { DEMO_PASSWORD } from '../../demo/accounts.ts';
import { ROOT } from '../../scripts/setup.mjs';
import { readConfig } from '../../server/config.ts';
import { startServer } from '../../server/start.ts';

const [dataDir] = process.argv.slice(2);
const tracing = Object.entries(process.env).filter(([name]) => name.startsWith('OTEL_'));
const running = await startServer({
  config: readConfig(
    {
      ...Object.fromEntries(tracing),
      ...{ PORT: '0', DATA_DIR: dataDir, DEMO: 'on', LOG_LEVEL: 'error' },
    },
    ROOT,
  ),
  demo: { load: () => import('../../demo/fill.ts'), isWhole: true },
});
const { database, keys } = running.context;

/** The statements of one request as sent: settings first, `reset all` last. */
async function capture({ method, path: target, prefer, body, token }) {
  const { callers } = database;
  const runAll = callers.runAll.bind(callers);
  let sent;
  callers.runAll = (caller, statements, options) => {
    const { resetsSession = !options.readOnly } = options;
    const end = resetsSession ? [RESET] : [];
    sent = [settingsStatement(caller, options), ...statements, ...end];
    return runAll(caller, statements, options);
  };
  const answer = await fetch(`${running.url}/rest/v1${target}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(prefer && { prefer }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body }),
  });
  delete callers.runAll;
  if (!answer.ok) throw new Error(await answer.text());
  return sent.map(({ text, values }) => ({ text, values }));
}

const tasks = {
  capture,
  query: ({ text }) => database.owner.query(text).then((result) => result.rows ?? []),
  memory: async () => {
    for (let round = 0; round < 3; round += 1) {
      globalThis.gc();
      await pause(200);
    }
    return process.memoryUsage();
  },
};

process.on('message', async ({ id, task, ...input }) => {
  if (task === 'stop') {
    await running.stop();
    process.exit(0);
  }
  try {
    process.send({ id, result: await tasks[task](input) });
  } catch (error) {
    process.send({ id, error: String(error) });
  }
});

process.send({
  url: running.url,
  anonKey: keys.anonKey,
  password: DEMO_PASSWORD,
  connection: database.ownerConnection,
  login: { user: 'authenticator', password: database.logins.authenticator },
});
