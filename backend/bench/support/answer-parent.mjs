/** Lets the parent process use a measured server. @param {import('../../src/start.ts').Running} running */
export function answerParent(running) {
  const { keys, database } = running.context;

  /** A signed-in user's token; every session has its own claims. */
  function token(sub) {
    const exp = Math.floor(Date.now() / 1000) + 3600;
    const app_metadata = { provider: 'email', providers: ['email'] };
    return keys.sign({
      ...{ sub, exp, role: 'authenticated', aud: 'authenticated', aal: 'aal1', app_metadata },
      ...{ email: `${sub}@bench.example`, sign_in: crypto.randomUUID() },
    });
  }

  const answers = {
    tokens: (users) => Promise.all(users.map(token)),
    memory: () => {
      for (let round = 0; round < 3; round += 1) globalThis.gc();
      return { ...process.memoryUsage(), cpu: process.cpuUsage() };
    },
    stop: async () => {
      await running.stop();
      setImmediate(() => process.exit(0));
    },
  };

  // Exit with the parent, so that no server is left running.
  process.on('disconnect', () => answers.stop());
  process.on('message', async ({ id, ask, input }) => {
    process.send({ id, answer: await answers[ask](input) });
  });
  const { host, port, user, password, database: name } = database.ownerConnection;
  process.send({
    ready: {
      url: running.url,
      anonKey: keys.anonKey,
      connection: { host, port, user, password, database: name },
    },
  });
}
