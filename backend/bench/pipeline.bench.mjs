// The exchange of a data request through our wire code and through pg's own pipeline mode, on one embedded PostgreSQL:
// role and claims for the transaction, the statement, in one write. Rounds alternate, because the machine's speed drifts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { register } from 'tsx/esm/api';
import { median, table } from './support/report.mjs';

const ROUNDS = 7;
const RUN_MS = 3_000;
const CONNECTIONS = 4;
const ROWS = 1_000;

const CALLER = {
  role: 'authenticated',
  claims: JSON.stringify({ sub: crypto.randomUUID(), role: 'authenticated', exp: 2_000_000_000 }),
};
const AS_TEXT = { getTypeParser: () => (text) => text };

const asJson = (source) => `select coalesce(json_agg(r), '[]')::text from (${source}) r`;
const idOf = (i) => String(1 + (i % ROWS));
const CASES = [
  {
    what: 'one small row',
    readOnly: true,
    text: asJson('select id, name from items where id = $1::int'),
    valuesOf: (i) => [idOf(i)],
  },
  {
    what: '200 rows, 30 kB',
    readOnly: true,
    text: asJson('select id, name, note from items order by id limit $1::int'),
    valuesOf: () => ['200'],
  },
  {
    what: 'update by id',
    readOnly: false,
    text: `with r as (update items set n = n + 1 where id = $1::int returning id) ${asJson('table r')}`,
    valuesOf: (i) => [idOf(i)],
  },
];

const SCHEMA = `create role authenticated;
  create table items (id int primary key, name text, note text, n int default 0);
  insert into items select i, 'Item ' || i, repeat('note ', 20) from generate_series(1, ${ROWS}) i;
  grant all on items to authenticated;
  alter table items enable row level security;
  create policy "Signed-in users" on items
    using (current_setting('request.jwt.claims', true)::json ->> 'sub' is not null)`;

/** pg sends a Sync after every query, so the transaction needs statements of its own. */
async function openPgPipelines(connection, settingsStatement) {
  const names = new Map();
  const named = ({ text, values = [] }) => {
    if (!names.has(text)) names.set(text, `p${names.size}`);
    return { name: names.get(text), text, values, rowMode: 'array', types: AS_TEXT };
  };
  const pipelines = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const client = new pg.Client({ ...connection, pipeline: true });
      await client.connect();
      return { client, inFlight: 0 };
    }),
  );
  return {
    run: async (caller, statement, options) => {
      const pipeline = pipelines.reduce((a, b) => (b.inFlight < a.inFlight ? b : a));
      const { client } = pipeline;
      const statements = [
        { text: 'begin' },
        settingsStatement(caller, options),
        statement,
        ...(options.readOnly ? [] : [{ text: 'reset all' }]),
        { text: 'commit' },
      ];
      pipeline.inFlight += 1;
      client.connection.stream.cork();
      const results = Promise.all(statements.map((one) => client.query(named(one))));
      client.connection.stream.uncork();
      const { rows } = (await results)[2];
      pipeline.inFlight -= 1;
      return { rows };
    },
    end: () => Promise.all(pipelines.map(({ client }) => client.end())),
  };
}

async function measure(runner, { text, valuesOf, readOnly }, clients) {
  let done = 0;
  const started = performance.now();
  const cpu = process.cpuUsage();
  const client = async () => {
    while (performance.now() - started < RUN_MS) {
      const statement = { text, values: valuesOf(done), returnsBytes: true };
      const { rows, bytes } = await runner.run(CALLER, statement, { readOnly });
      // As the service does: the body is sent as bytes.
      if (bytes === undefined) Buffer.from(rows[0][0]);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const { user, system } = process.cpuUsage(cpu);
  const perSecond = done / ((performance.now() - started) / 1000);
  return { perSecond, cpu: (user + system) / done };
}

async function compare(own, pipelines, one, clients) {
  for (const runner of [own, pipelines]) await measure(runner, one, clients);
  const runs = { own: [], pg: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    runs.own.push(await measure(own, one, clients));
    runs.pg.push(await measure(pipelines, one, clients));
  }
  const of = (list, key) => median(list.map((run) => run[key]));
  const ratios = runs.pg.map((run, round) => run.perSecond / runs.own[round].perSecond);
  return [
    one.what,
    String(clients),
    of(runs.own, 'perSecond').toFixed(0),
    of(runs.pg, 'perSecond').toFixed(0),
    median(ratios).toFixed(2),
    `${of(runs.own, 'cpu').toFixed(0)} µs`,
    `${of(runs.pg, 'cpu').toFixed(0)} µs`,
  ];
}

export default async function pipeline() {
  register();
  const { startCluster } = await import('../src/database/embedded/cluster.ts');
  const { Callers, settingsStatement } = await import('../src/database/callers.ts');
  const { sharedBufferSocket } = await import('../src/database/wire/message-reader.ts');
  const dataDir = mkdtempSync(path.join(tmpdir(), 'statesman-bench-'));
  const cluster = await startCluster({ dataDir });
  try {
    const owner = new pg.Client(cluster.local);
    await owner.connect();
    await owner.query(SCHEMA);
    await owner.end();
    const pool = new pg.Pool({ ...cluster.local, max: CONNECTIONS, stream: sharedBufferSocket });
    const own = new Callers(pool, console.error, { connections: CONNECTIONS });
    const pipelines = await openPgPipelines(cluster.local, settingsStatement);
    const rows = [];
    for (const clients of [32, 1]) {
      for (const one of CASES) rows.push(await compare(own, pipelines, one, clients));
    }
    table(
      ['request', 'at once', 'own, a second', 'pg, a second', 'pg of own', 'own CPU', 'pg CPU'],
      rows,
    );
    await pipelines.end();
    await pool.end();
  } finally {
    await cluster.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
