// Shared devices at two sites, PINs of the guards there, and an event whose PIN was wrong.

import { HOUR, iso } from '../calendar.ts';
import type { Loading } from '../clients/business.ts';
import { insertRows } from '../insert-rows.ts';
import { idOf } from '../random.ts';

/** Every guard with a PIN has this one, in the demo only. README.md names it. */
const PIN = '2580';

/** Guards of these sites, and the demo guard. One hash for all, because each takes time. */
const PINS = `
  insert into private.guard_pins (user_id, pin_hash)
  select guard.id, pin.hash
  from (select extensions.crypt($1, extensions.gen_salt('bf', 8)) as hash) pin,
    (select distinct a.user_id as id from public.assignments a
     where a.site_id = any ($2) and a.starts_at > $3::timestamptz - interval '3 days'
     union select $4::uuid) guard`;

/** Two records of three at these sites come from the device. */
const WAYS = `
  update public.attendance r set
    clock_in_way = 'device', clock_out_way = case when r.clock_out_at is not null then 'device' end,
    flags = array_remove(r.flags, 'no_location')
  where r.site_id = any ($1) and r.corrected_at is null and not r.needs_review
    and get_byte(uuid_send(r.id), 15) % 3 <> 0`;

const EXCEPTION = `
  insert into public.clock_exceptions (id, device_id, site_id, user_id, assignment_id, kind, device_at, received_at, reason)
  select $1, $2, a.site_id, a.user_id, a.id, 'in', a.starts_at, a.starts_at + interval '40 minutes', 'wrong_pin'
  from public.assignments a
  where a.site_id = $3 and a.starts_at < $4::timestamptz - interval '1 hour' and a.status <> 'cancelled'
  order by a.starts_at desc, a.id limit 1`;

export async function insertDevices({
  client,
  people,
  business,
  calendar,
}: Loading): Promise<void> {
  const { busiest } = business;
  const other = business.sites.find((site) => site !== busiest) ?? busiest;
  const now = calendar.now.getTime();
  const places = [
    { site: busiest, name: 'Main gate tablet', daysAgo: 60 },
    { site: other, name: 'Guardhouse phone', daysAgo: 21 },
  ];
  const devices = places.map(({ site, name, daysAgo }, index) => ({
    id: idOf('device', index),
    site_id: site.id,
    name,
    bound_at: iso(now - daysAgo * 24 * HOUR),
    last_seen_at: iso(now - (index + 1) * 60_000),
    // No page is open on them, and nobody should miss them.
    away_at: iso(now - (index + 1) * 60_000),
    created_by: people.named('ops').id,
    created_at: iso(now - daysAgo * 24 * HOUR),
  }));
  await insertRows(client, 'devices', devices);
  const sites = places.map(({ site }) => site.id);
  await client.query(PINS, [PIN, sites, iso(now), people.named('guard').id]);
  await client.query(WAYS, [sites]);
  await client.query(EXCEPTION, [idOf('clock exception', 0), devices[0]?.id, busiest.id, iso(now)]);
}
