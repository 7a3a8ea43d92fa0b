// Every table read of the app on the demo company, each as its role, under row-level security. The statements are those
// the data service builds from supabase-js requests; times are of `Callers.run`, without HTTP.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { register } from 'tsx/esm/api';
import ws from 'ws';
import { median, milliseconds, seconds, table } from '../backend/bench/support/report.mjs';
import { ROOT } from '../scripts/setup.mjs';
import { droppedRows, wholeTables } from './plans.mjs';
import { TABLE_READS } from './table-reads.mjs';

const RUNS = 30;
const PLANS = path.join(ROOT, '.cache', 'database-plans.txt');

async function start(dataDir) {
  register();
  const { startServer } = await import('../server/start.ts');
  const { readConfig } = await import('../server/config.ts');
  const { DEMO_PASSWORD } = await import('../demo/accounts.ts');
  let fillMs = 0;
  let started = 0;
  const running = await startServer({
    config: readConfig({ PORT: '0', DATA_DIR: dataDir, DEMO: 'on' }, ROOT),
    demo: {
      load: async () => {
        started = performance.now();
        return import('../demo/fill.ts');
      },
      isWhole: true,
    },
    progress: () => {
      fillMs = performance.now() - started;
    },
  });
  return { running, fillMs, password: DEMO_PASSWORD };
}

/** Signs in each account once. */
function signIns(running, password) {
  const known = new Map();
  return async (account) => {
    if (!known.has(account)) {
      const client = createClient(running.url, running.context.keys.anonKey, {
        auth: { persistSession: false, autoRefreshToken: false },
        realtime: { transport: ws },
      });
      const email = `${account}@statesman.example`;
      const { data, error } = await client.auth.signInWithPassword({ email, password });
      if (error) throw error;
      known.set(account, { client, user: data.user.id });
    }
    return known.get(account);
  };
}

/** An incident with evidence, and guard@'s latest assignment. */
async function examples(owner, user) {
  const one = async (sql, values) => (await owner.query(sql, values)).rows[0].id;
  return {
    user,
    incident: await one('select incident_id as id from public.evidence limit 1', []),
    assignment: await one(
      `select a.id from public.assignments a join public.profiles p on p.id = a.user_id
       where p.email = 'guard@statesman.example' order by lower(a.period) desc limit 1`,
      [],
    ),
  };
}

/** @returns what the data service runs for a request: caller, statement and settings */
async function captured(callers, request) {
  const calls = [];
  const runAll = callers.runAll.bind(callers);
  callers.runAll = (...call) => {
    calls.push(call);
    return runAll(...call);
  };
  try {
    const { error } = await request();
    if (error) throw error;
  } finally {
    delete callers.runAll;
  }
  if (calls.length !== 1) throw new Error(`Expected one statement, got ${calls.length}.`);
  // `onGone` would wait for the end of a request that has ended.
  const [[caller, [statement], { onGone: _, ...options }]] = calls;
  return { caller, statement, options };
}

async function measure(callers, { caller, statement, options }) {
  const times = [];
  for (let run = 0; run < RUNS; run += 1) {
    const started = performance.now();
    await callers.run(caller, statement, options);
    times.push(performance.now() - started);
  }
  const explain = async (format) => {
    const text = `explain (analyze, buffers, format ${format}) ${statement.text}`;
    // Without `returns`: the lines of the plan, not as the request wants its rows.
    const explained = { text, values: statement.values };
    const { rows } = await callers.run(caller, explained, options);
    return rows.map(([line]) => line).join('\n');
  };
  const [{ Plan: plan }] = JSON.parse(await explain('json'));
  const text = await explain('text');
  return { ms: median(times), whole: wholeTables(plan), dropped: droppedRows(plan), text };
}

export default async function database() {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'statesman-bench-'));
  const { running, fillMs, password } = await start(dataDir);
  try {
    const { callers, owner } = running.context.database;
    const signIn = signIns(running, password);
    const rows = [];
    const plans = [];
    for (const { what, account, goal, read } of TABLE_READS) {
      const { client, user } = await signIn(account);
      const ids = await examples(owner, user);
      const call = await captured(callers, () => read(client, ids));
      const { ms, whole, dropped, text } = await measure(callers, call);
      const verdict = Number.isNaN(goal) ? '' : ms < goal ? 'yes' : '**no**';
      const aim = Number.isNaN(goal) ? '' : `under ${goal} ms`;
      rows.push([what, account, aim, milliseconds(ms), verdict, whole.join(', '), String(dropped)]);
      plans.push(
        `# ${what}, as ${account}@: ${milliseconds(ms)}\n${call.statement.text}\n\n${text}\n`,
      );
    }
    console.log(
      `The demo company was loaded in ${seconds(fillMs)}. Median of ${RUNS} runs each.\n`,
    );
    table(['read', 'as', 'goal', 'median', 'met', 'large tables read whole', 'rows dropped'], rows);
    mkdirSync(path.dirname(PLANS), { recursive: true });
    writeFileSync(PLANS, plans.join('\n'));
    console.log(`\nThe plans are in ${path.relative(ROOT, PLANS)}.`);
  } finally {
    await running.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
