// npm run rehearse: three nodes, a proxy, PostgreSQL with a standby and an S3 store on this machine, under load, while one
// after the other is killed. Prints what was lost (nothing) and how long it took. Needs Debian's postgresql and nginx.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openKeys } from 'supabase-in-node/keys';
import { StartError } from 'supabase-in-node/start-error';
import { cleanUpNow } from 'supabase-in-node/testing/clean-up';
import { objectStore } from 'supabase-in-node/testing/object-store';
import { z } from 'zod';
import { type Databases, startDatabases } from './databases.ts';
import { Load, type Person } from './load.ts';
import { keySet, Node, startProxy } from './nodes.ts';
import { endAll, freePort, until } from './programs.ts';

const NODES = 3;
const PEOPLE = 30;
const SESSIONS = 10;
const PASSWORD = 'a rehearsal for the night shift';
const BACK_MS = 60_000;
/** How long each state lasts: long enough to see that work goes on. */
const CALM_MS = 5_000;

const say = (text: string): void => console.log(`  ${text}`);
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Guards with an account, each on a shift at a site of their own. */
async function makePeople(
  databases: Databases,
  url: string,
  serviceKey: string,
): Promise<Person[]> {
  const headers = {
    apikey: serviceKey,
    authorization: `Bearer ${serviceKey}`,
    'content-type': 'application/json',
  };
  const people: Person[] = [];
  for (let n = 0; n < PEOPLE; n += 1) {
    const email = `guard${n}@rehearsal.example`;
    const answer = await fetch(`${url}/auth/v1/admin/users`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ email, password: PASSWORD, email_confirm: true }),
    });
    if (!answer.ok) throw new StartError(`No account could be made: ${await answer.text()}`);
    const { id } = z.object({ id: z.uuid() }).parse(await answer.json());
    const [site] = await databases.query<{ id: string }>(
      `insert into public.sites (name, client_name, address, latitude, longitude)
       values ($1, 'Rehearsal', 'Monrovia', 6.3, -10.8) returning id`,
      [`Gate ${n}`],
    );
    const [shift] = await databases.query<{ id: string }>(
      `insert into public.shifts (site_id, start_time, end_time)
       values ($1, now() - interval '1 hour', now() + interval '7 hours') returning id`,
      [site?.id],
    );
    const [assignment] = await databases.query<{ id: string }>(
      `insert into public.assignments (shift_id, user_id, override_reason)
       values ($1, $2, 'Rehearsal') returning id`,
      [shift?.id, id],
    );
    if (!site || !assignment) throw new StartError('No shift could be made.');
    people.push({ email, password: PASSWORD, siteId: site.id, assignmentId: assignment.id });
  }
  return people;
}

interface Lost {
  what: string;
  acknowledged: number;
  lost: number;
  doubled: number;
}

/** Compares what was acknowledged with what is stored. */
async function compare(
  databases: Databases,
  load: Load,
  url: string,
  serviceKey: string,
): Promise<Lost[]> {
  const { clockEvents, incidents, files } = load.ledger;
  const missing = async (table: string, ids: ReadonlySet<string>): Promise<number> => {
    const [row] = await databases.query<{ found: number }>(
      `select count(*)::int as found from public.${table} where id = any ($1)`,
      [[...ids]],
    );
    return ids.size - (row?.found ?? 0);
  };
  // Everybody clocks in and out in turn, so two records of one assignment never overlap, and each has one event in.
  const [twice] = await databases.query<{ count: number }>(
    `select (select count(*) from public.clock_events where kind = 'in')::int
       - (select count(*) from public.attendance)::int as count`,
  );
  let withoutBytes = 0;
  for (const name of files) {
    const answer = await fetch(`${url}/storage/v1/object/authenticated/evidence/${name}`, {
      headers: { apikey: serviceKey, authorization: `Bearer ${serviceKey}` },
    });
    await answer.arrayBuffer();
    if (!answer.ok) withoutBytes += 1;
  }
  return [
    {
      what: 'clock events',
      acknowledged: clockEvents.size,
      lost: await missing('clock_events', clockEvents),
      doubled: Math.abs(twice?.count ?? 0),
    },
    {
      what: 'incident reports',
      acknowledged: incidents.size,
      lost: await missing('incidents', incidents),
      doubled: 0,
    },
    { what: 'files', acknowledged: files.size, lost: withoutBytes, doubled: 0 },
  ];
}

async function rehearse(folder: string): Promise<boolean> {
  const databases = await startDatabases(folder);
  await databases.waitForStandby(true);
  say(`PostgreSQL ${databases.version}: a primary and a synchronous standby`);
  const store = await objectStore();
  say('an S3 store');
  const jwtKeys = await keySet();
  const env = {
    HOST: '127.0.0.1',
    DEMO: 'off',
    MAIL: 'outbox',
    TRUST_PROXY: 'on',
    LOG_LEVEL: 'error',
    DATABASE_URL: databases.url,
    STORAGE_URL: store.url,
    JWT_KEYS: jwtKeys,
  };
  const nodes: Node[] = [];
  for (let n = 1; n <= NODES; n += 1) {
    const node = new Node(`node-${n}`, await freePort(), env, folder);
    nodes.push(node);
    say(`${node.name} ready after ${seconds(await node.start())}`);
  }
  const url = await startProxy(folder, nodes);
  say(`nginx at ${url}\n`);
  const { anonKey, serviceKey, close } = await openKeys({
    dataDir: path.join(folder, 'keys'),
    jwtKeys,
    jwtSecret: undefined,
  });
  close();

  const people = await makePeople(databases, url, serviceKey);
  const load = new Load(url, anonKey, serviceKey);
  const board = load.board();
  for (const [n, person] of people.entries()) {
    const session = await load.signIn(person);
    load.clocks(person, () => session.access_token, 600);
    load.reports(person, () => session.access_token, 600);
    if (n < SESSIONS) load.renews(await load.signIn(person), 1_500);
  }
  load.uploads(500);
  say(
    `${PEOPLE} guards clock in and out and report, ${SESSIONS} sessions renew themselves, files arrive, a board is open.`,
  );
  say(
    'Each row: the longest time without an acknowledged write, and the attempts that had to be repeated.\n',
  );
  await pause(CALM_MS);
  load.ledger.look();

  const act = async (what: string, work: () => Promise<string | undefined>): Promise<void> => {
    const before = load.ledger.count;
    const note = await work();
    await pause(CALM_MS);
    // Work must go on before the next thing happens.
    const now = load.ledger.count;
    await until(
      `work goes on after: ${what}`,
      BACK_MS,
      async () => load.ledger.count > now + PEOPLE,
    );
    const { longestGapMs, failed } = load.ledger.look();
    const figures = `${load.ledger.count - before} writes, longest gap ${seconds(longestGapMs)}, repeated: ${failed}`;
    say(`${what}: ${figures}${note === undefined ? '' : `; ${note}`}`);
  };
  await act('nothing happens', () => pause(CALM_MS, undefined));
  for (const node of nodes) {
    await act(`${node.name} killed`, async () => {
      await node.end('SIGKILL');
      await pause(CALM_MS);
      return `it is back ${seconds(await node.start())} after its start`;
    });
  }
  await act('all nodes restarted one after the other', async () => {
    for (const node of nodes) {
      await node.end('SIGTERM');
      await node.start();
    }
    return undefined;
  });
  await act('standby killed', async () => {
    await databases.killStandby();
    await pause(CALM_MS);
    await databases.waitForStandby(false);
    return `commits waited for it until it was taken out ${seconds(CALM_MS)} later`;
  });
  await act('standby back', async () => {
    await databases.startStandby();
    await databases.waitForStandby(true);
    return undefined;
  });
  await act('primary killed', async () => {
    await databases.killPrimary();
    await pause(CALM_MS);
    const ms = await databases.promote();
    return `the standby was promoted ${seconds(CALM_MS)} later, which took ${seconds(ms)}`;
  });

  await load.end();
  const lost = await compare(databases, load, url, serviceKey);
  console.log('');
  for (const { what, acknowledged, lost: gone, doubled } of lost) {
    say(`${what}: ${acknowledged} acknowledged, ${gone} lost, ${doubled} doubled`);
  }
  const isComplete = async () => [...load.ledger.incidents].every((id) => board.shown.has(id));
  const behind = await until('the board shows every report', BACK_MS, isComplete).catch(
    () => undefined,
  );
  await board.close();
  say(
    behind === undefined
      ? `board: ${[...load.ledger.incidents].filter((id) => !board.shown.has(id)).length} reports missing`
      : `board: shows every report ${seconds(behind)} after the last`,
  );
  say(`sessions: ${load.ledger.refreshes} renewals, ${load.ledger.signedOut} signed out`);
  return (
    behind !== undefined &&
    load.ledger.signedOut === 0 &&
    lost.every((one) => one.lost === 0 && one.doubled === 0)
  );
}

const folder = mkdtempSync(path.join(tmpdir(), 'rehearsal-'));
// PostgreSQL's account has its folder inside.
chmodSync(folder, 0o755);
try {
  const isWhole = await rehearse(folder);
  console.log(isWhole ? '\n  Nothing was lost.' : '\n  Something was lost.');
  process.exitCode = isWhole ? 0 : 1;
} catch (error) {
  console.error(error instanceof StartError ? `  ${error.message}` : error);
  console.error(`  Logs are in ${folder}`);
  process.exitCode = 1;
} finally {
  await endAll();
  await cleanUpNow();
  if (process.exitCode === 0) rmSync(folder, { recursive: true, force: true });
}
