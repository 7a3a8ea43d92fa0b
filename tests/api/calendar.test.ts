// A calendar app reads a guard's shifts from a secret address.
import ICAL from 'ical.js';
import { expect, it } from 'vitest';
import { testServer } from '#tests/support/server.ts';

const server = await testServer();
const { owner } = server.database;

const read = (secret: string) => fetch(`${server.url}/calendar/${secret}.ics`);

/** 6 PM UTC, some days from today. */
const evening = (days: number): Date => {
  const at = new Date();
  at.setUTCHours(18, 0, 0, 0);
  at.setUTCDate(at.getUTCDate() + days);
  return at;
};
const stamp = (at: Date) => at.toISOString().replace(/[-:]|\.000/g, '');

async function guardWithShifts() {
  const { client, id } = await server.signedUp('Moses Kollie');
  await owner.query(
    `with site as (
       insert into sites (name, client_name, address) values ('Freeport Gate', 'Port Authority', 'Freeport, Monrovia')
       returning id
     ), shift as (
       insert into shifts (site_id, start_time, end_time)
       select site.id, at, at + interval '12 hours'
       from site, unnest($2::timestamptz[]) at
       returning id, start_time
     )
     insert into assignments (shift_id, user_id, status)
     select shift.id, $1, case when start_time < now() + interval '9 days' then 'assigned' else 'cancelled' end from shift`,
    [id, [8, 10, 200].map(evening)],
  );
  return { client, id };
}

it('has the shifts in UTC with the site’s address, and cancelled ones as cancelled', async () => {
  const { client } = await guardWithShifts();
  const { data: secret } = await client.rpc('make_calendar_secret').throwOnError();
  const answer = await read(secret);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  expect(answer.headers.get('cache-control')).toContain('no-store');
  const text = await answer.text();
  const events = text.split('BEGIN:VEVENT').slice(1);
  expect(events).toHaveLength(2);
  expect(events[0]).toContain(`DTSTART:${stamp(evening(8))}`);
  expect(events[0]).toContain(`DTEND:${stamp(new Date(evening(8).getTime() + 12 * 3_600_000))}`);
  expect(events[0]).toContain('SUMMARY:Freeport Gate');
  expect(events[0]).toContain('LOCATION:Freeport\\, Monrovia');
  expect(events[0]).toContain('STATUS:TENTATIVE');
  expect(events[1]).toContain('STATUS:CANCELLED');
  const uids = (body: string) => body.match(/^UID:.+$/gm);
  expect(uids(text)).toEqual(uids(await (await read(secret)).text()));
});

it('is a calendar with a component without shifts', async () => {
  const { client } = await server.signedUp('Musu Flomo');
  const { data: secret } = await client.rpc('make_calendar_secret').throwOnError();
  const calendar = new ICAL.Component(ICAL.parse(await (await read(secret)).text()));
  expect(calendar.getAllSubcomponents()).toHaveLength(1);
});

it('numbers each change higher, also the cancellation and a new name of the site', async () => {
  const { client, id } = await guardWithShifts();
  const { data: secret } = await client.rpc('make_calendar_secret').throwOnError();
  const sequence = async () => {
    const calendar = new ICAL.Component(ICAL.parse(await (await read(secret)).text()));
    const [first] = calendar.getAllSubcomponents('vevent');
    return Number(first?.getFirstPropertyValue('sequence'));
  };
  const seen = [await sequence()];
  const changes = [
    [
      'shifts',
      'id in (select shift_id from assignments where user_id = $1)',
      `end_time = end_time - interval '1 hour'`,
    ],
    ['sites', 'id in (select site_id from assignments where user_id = $1)', `name = 'بوابة'`],
    ['assignments', 'user_id = $1', `status = 'cancelled'`],
  ];
  for (const [at, [table, which, change]] of changes.entries()) {
    await owner.query(`update ${table} set ${change} where ${which}`, [id]);
    // In life seconds pass between changes. The role keeps the triggers from stamping this one.
    await owner.query(
      `begin; set local session_replication_role = replica;
       update ${table} set updated_at = (select max(created_at) from assignments where user_id = $1)
         + interval '${at + 1} seconds' where ${which}; commit`.replaceAll('$1', `'${id}'`),
    );
    seen.push(await sequence());
  }
  expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
});

it('ends with a new address, with revocation, and with the account', async () => {
  const { client, id } = await guardWithShifts();
  const make = async () => (await client.rpc('make_calendar_secret').throwOnError()).data;
  const first = await make();
  const second = await make();
  expect((await read(first)).status).toBe(404);
  expect((await read(second)).status).toBe(200);
  await client.rpc('revoke_calendar_secret').throwOnError();
  expect((await read(second)).status).toBe(404);
  const third = await make();
  await owner.query(`update auth.users set banned_until = now() + interval '1 day' where id = $1`, [
    id,
  ]);
  expect((await read(third)).status).toBe(404);
});

it('answers a wrong address with 404, and frequent reads with 429', async () => {
  const { client } = await guardWithShifts();
  expect((await read('0'.repeat(64))).status).toBe(404);
  expect((await read('..%2f..%2fapp-config')).status).toBe(404);
  const { data: secret } = await client.rpc('make_calendar_secret').throwOnError();
  await owner.query('update private.calendar_feeds set reads = 60');
  const answer = await read(secret);
  expect(answer.status).toBe(429);
  expect(answer.headers.get('retry-after')).toBe('3600');
});

it('stores no address', async () => {
  const { client } = await guardWithShifts();
  const { data: secret } = await client.rpc('make_calendar_secret').throwOnError();
  const { rows } = await owner.query(`select f::text as row from private.calendar_feeds f`);
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(rows)).not.toContain(secret);
});

it('does not count a look at the address, without reading it', async () => {
  const { client } = await guardWithShifts();
  const { data: secret } = await client.rpc('make_calendar_secret').throwOnError();
  const look = (of: string) => fetch(`${server.url}/calendar/${of}.ics`, { method: 'HEAD' });
  expect((await look(secret)).status).toBe(200);
  expect((await look('0'.repeat(64))).status).toBe(404);
  const { rows } = await owner.query(
    'select reads, read_at from private.calendar_feeds where secret_hash = sha256($1::text::bytea)',
    [secret],
  );
  expect(rows).toEqual([{ reads: 0, read_at: null }]);
});
