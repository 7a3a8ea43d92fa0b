// Dispatch: from the assignment of a call to the phones of 50 units, and the ranking of 200 units.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { median, milliseconds, quantile, table } from '../backend/bench/support/report.mjs';
import { startMeasured } from './data-service/measured.mjs';
import { signedIn } from './signed-in.mjs';

const UNITS = 50;
const RANKED = 200;
const ROUNDS = 4;
const RANKINGS = 50;
/** A busy control room: several calls a second. */
const BETWEEN_MS = 150;
const SETTLE_MS = 3_000;

const verdict = (isMet) => (isMet ? 'yes' : '**no**');

/** Units around Monrovia with one guard each, who can sign in; all other units are removed. */
const unitsOf = (count) => `
  delete from public.service_calls;
  delete from public.response_units;
  with made as (
    insert into public.response_units (call_sign, base_gps)
    select 'Unit ' || n, round((6.2 + n * 0.001)::numeric, 4) || ',' || round((-10.8 + n * 0.0015)::numeric, 4)
    from generate_series(1, ${count}) n returning id, call_sign
  ),
  guards as (
    select r.user_id, row_number() over (order by r.user_id) as n
    from public.user_roles r join public.profiles p on p.id = r.user_id
    where r.role = 'guard' and p.left_on is null and p.email is not null
  )
  insert into public.unit_members (unit_id, user_id)
  select m.id, g.user_id from made m join guards g on m.call_sign = 'Unit ' || g.n;
  update auth.users u set encrypted_password = a.encrypted_password
  from auth.users a
  where a.email = 'admin@statesman.example' and u.id in (select user_id from public.unit_members);`;

const MEMBERS = `
  select m.unit_id, p.email from public.unit_members m
  join public.response_units u on u.id = m.unit_id join public.profiles p on p.id = m.user_id
  order by u.call_sign limit ${UNITS}`;

const SITE = 'select id from public.sites where latitude is not null order by name limit 1';

/** What the phone of one unit does: listens to its notices, and fetches its call. */
async function openPhone(measured, { unit_id, email }, shown) {
  const client = await signedIn(measured.url, { email, password: measured.password });
  const { data } = await client.auth.getUser();
  await new Promise((resolve, reject) => {
    client
      .channel(`phone:${unit_id}`)
      .on(
        'postgres_changes',
        { event: '*', schema: 'public', table: 'notices', filter: `user_id=eq.${data.user.id}` },
        async () => {
          const { data: calls } = await client.rpc('my_call', undefined, { get: true });
          for (const { call_id } of calls ?? []) shown(call_id);
        },
      )
      .on('system', {}, ({ status }) => status === 'ok' && resolve())
      .subscribe((_status, error) => error && reject(error));
  });
  return { unit: unit_id, client };
}

async function callsToPhones(measured) {
  const [site] = await measured.ask('query', { text: SITE });
  const office = await signedIn(measured.url, {
    email: 'dispatcher@statesman.example',
    password: measured.password,
  });
  const delays = [];
  const sentAt = new Map();
  const shown = (id) => {
    const sent = sentAt.get(id);
    if (sent === undefined) return;
    sentAt.delete(id);
    delays.push(performance.now() - sent);
  };
  const phones = [];
  for (const member of await measured.ask('query', { text: MEMBERS })) {
    phones.push(await openPhone(measured, member, shown));
  }
  await pause(SETTLE_MS);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { unit } of phones) {
      const id = crypto.randomUUID();
      sentAt.set(id, performance.now());
      await office
        .rpc('save_call', { p_id: id, p_kind: 'alarm', p_priority: 'danger', p_site_id: site.id })
        .throwOnError();
      await office.rpc('assign_unit', { p_call_id: id, p_unit_id: unit }).throwOnError();
      await pause(BETWEEN_MS);
    }
    await pause(SETTLE_MS);
    await measured.ask('query', {
      text: `select set_config('request.jwt.claims', (select json_build_object('sub', user_id, 'role', 'authenticated',
          'aal', 'aal1')::text from public.user_roles where role = 'dispatcher' order by user_id limit 1), false);
        select public.close_call(id, 'other') from public.service_calls where closed_at is null;
        select set_config('request.jwt.claims', '', false)`,
    });
  }
  // An open connection keeps the process alive.
  for (const { client } of phones) client.realtime.disconnect();
  return { delays, sent: phones.length * ROUNDS };
}

const RANKING = `explain (analyze, timing off, format json)
  with caller as materialized (
    select set_config('request.jwt.claims', json_build_object('sub', r.user_id, 'role', 'authenticated',
      'aal', 'aal1')::text, true) from (
        select user_id from public.user_roles where role = 'dispatcher' order by user_id limit 1
      ) r
  )
  select (select count(*) from public.rank_units((select id from public.service_calls order by received_at limit 1)))
  from caller`;

export default async function dispatch() {
  const folder = mkdtempSync(path.join(tmpdir(), 'statesman-bench-'));
  const measured = await startMeasured(path.join(folder, 'data'));
  try {
    await measured.ask('query', { text: unitsOf(RANKED) });
    const { delays, sent } = await callsToPhones(measured);
    const rankings = [];
    for (let run = 0; run < RANKINGS; run += 1) {
      const [{ 'QUERY PLAN': plan }] = await measured.ask('query', { text: RANKING });
      rankings.push(plan[0]['Execution Time']);
    }
    const p99 = quantile(delays, 0.99);
    const ranking = quantile(rankings, 0.95);
    console.log(`${UNITS} units with a phone each, ${sent} calls, ${RANKED} units ranked.\n`);
    table(
      ['figure', 'measured', 'goal'],
      [
        ['calls on a phone', `${delays.length}`, `${sent}: ${verdict(delays.length === sent)}`],
        ['call saved to phone, median', milliseconds(median(delays)), ''],
        ['call saved to phone, p99', milliseconds(p99), `1,000 ms: ${verdict(p99 < 1_000)}`],
        ['ranking, database, p95', milliseconds(ranking), `100 ms: ${verdict(ranking < 100)}`],
      ],
    );
  } finally {
    await measured.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
