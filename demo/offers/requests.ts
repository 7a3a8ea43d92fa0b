// Extra shifts with free seats, bids for them, swaps, and the notices of the demo guard.

import { HOUR, iso } from '../calendar.ts';
import type { Loading } from '../clients/business.ts';
import { insertRows } from '../insert-rows.ts';
import { idOf } from '../random.ts';

/** Days from today, start hour and seats. */
const EXTRA = [
  [2, 7, 2, 'Extra cover for a delegation. Dark suit.'],
  [3, 18, 1, 'Extra cover: stock count overnight.'],
  [4, 7, 1, 'Extra cover for an open day.'],
  [6, 18, 2, 'Extra cover for a wedding reception.'],
] as const;

/** Hours of an extra shift. */
const LENGTH = 8;
/** Extra shifts that the demo guard may take. */
const FOR_GUARD = 2;

/** The first days on which this guard may lawfully work at the site. */
const FREE_DAYS = `
  select d.start from unnest($3::timestamptz[]) with ordinality d (start, place)
  where private.obstacle_to_shift($1, jsonb_populate_record(null::public.shifts, jsonb_build_object(
    'id', gen_random_uuid(), 'site_id', $2::uuid, 'start_time', d.start,
    'end_time', d.start + interval '${LENGTH} hours', 'required_headcount', 1))) is null
  order by d.place limit ${FOR_GUARD}`;

/** Two guards of the site ask for each extra shift: the first who may, of whom only so many are looked at. */
const BIDS = `
  insert into public.offers (kind, shift_id, user_id, status, note, site_id, created_at)
  select 'bid', s.id, guard.id, 'open', case when guard.id = $2 then 'I live near and know the site.' end, s.site_id,
    now() - guard.place * interval '3 hours'
  from public.shifts s
  cross join lateral (
    select may.id, row_number() over (order by may.id) as place
    from (
      select near.id
      from (
        select p.id from public.profiles p
        where p.id <> $3 and (p.id = $2 and s.id = $4 or p.id <> $2 and exists (
          select from public.assignments a where a.user_id = p.id and a.site_id = s.site_id
            and a.starts_at > now() - interval '3 weeks'
        ))
        order by p.id = $2 desc, p.id offset 0
      ) near
      where private.obstacle_to_shift(near.id, s) is null limit 2
    ) may
  ) guard
  where s.id = any ($1)`;

/** Two exchanges of shifts at one site: one that the demo guard is asked for, and one that waits for a planner. */
const SWAPS = `
  insert into public.offers (kind, shift_id, user_id, assignment_id, partner_id, partner_assignment_id, status, note,
    site_id, created_at)
  select 'swap', pair.shift_id, pair.user_id, pair.id, taker.id, pair.returned, taker.status, taker.note, pair.site_id,
    now() - interval '5 hours'
  from (values
    ($1::uuid, 'asked', 'My sister marries that day. Can we exchange?'),
    ($2::uuid, 'open', 'I have an examination.')
  ) taker (id, status, note)
  cross join lateral (
    select a.*, b.id as returned
    from public.assignments b
    join public.shifts given on given.id = b.shift_id
    join public.assignments a on a.site_id = b.site_id and a.user_id not in ($1, $2)
      and a.status in ('assigned', 'confirmed') and a.shift_id <> b.shift_id
      and a.starts_at between b.starts_at - interval '2 days' and b.starts_at + interval '2 days'
      and a.starts_at > now() + interval '1 day'
    join public.shifts s on s.id = a.shift_id
    where b.user_id = taker.id and b.status in ('assigned', 'confirmed')
      and b.starts_at between now() + interval '1 day' and now() + interval '9 days'
      and private.obstacle_to_shift(taker.id, s, array[b.id]) is null
      and private.obstacle_to_shift(a.user_id, given, array[a.id]) is null
    limit 1
  ) pair`;

const NOTICES = [
  ['Your shifts of this week', 'The roster of this week has been published.', 6 * 24, true],
  ['You did not get the shift', 'The post was given to a guard who lives nearer.', 50, true],
  ['Shift moved', 'Your shift on Friday starts an hour later.', 20, false],
  ['A colleague asks you to swap', 'See Open shifts and swaps.', 5, false],
] as const;

export async function insertRequests({
  client,
  business,
  people,
  calendar,
}: Loading): Promise<void> {
  const guard = people.named('guard').id;
  const other = people.named('guard2').id;
  const now = calendar.now.getTime();
  const siteId = business.sites[0]?.id ?? '';
  const starts = Array.from({ length: 12 }, (_, day) => [
    iso(calendar.at(day + 1, 7)),
    iso(calendar.at(day + 1, 18)),
  ]).flat();
  const { rows: free } = await client.query<{ start: Date }>(FREE_DAYS, [guard, siteId, starts]);
  const planned = [
    ...EXTRA.map(([day, hour, seats, notes], index) => ({
      site: business.sites[index]?.id ?? siteId,
      start: calendar.at(day, hour),
      seats,
      notes,
    })),
    ...free.map(({ start }) => ({
      site: siteId,
      start: start.getTime(),
      seats: 1,
      notes: 'Extra cover: ship at the pier.',
    })),
  ];
  const extra = planned.map(({ site, start, seats, notes }, number) => ({
    id: idOf('extra shift', number),
    site_id: site,
    start_time: iso(start),
    end_time: iso(start + LENGTH * HOUR),
    required_headcount: seats,
    notes,
    created_at: iso(now - 26 * HOUR),
    updated_at: iso(now - 26 * HOUR),
  }));
  await insertRows(client, 'shifts', extra);
  await client.query(BIDS, [extra.map(({ id }) => id), guard, other, extra.at(-1)?.id]);
  await client.query(SWAPS, [guard, other]);
  await insertRows(
    client,
    'notices',
    NOTICES.map(([title, body, hours, isRead], number) => ({
      id: idOf('notice', number),
      user_id: guard,
      kind: 'demo',
      title,
      body,
      link: hours === 5 ? '/staff/open-shifts' : '/staff/shifts',
      created_at: iso(now - hours * HOUR),
      read_at: isRead ? iso(now - (hours - 1) * HOUR) : null,
    })),
  );
}
