// What guards ask for: extra shifts with free seats, bids for them, swaps, and the notices of the demo guard.
import type { Loading } from './business.ts';
import { HOUR, iso } from './calendar.ts';
import { insertRows } from './insert-rows.ts';
import { idOf } from './random.ts';

/** Days from today, start hour and seats. */
const EXTRA = [
  [2, 7, 2, 'Extra cover for a delegation. Dark suit.'],
  [3, 18, 1, 'Extra cover: stock count overnight.'],
  [4, 7, 1, 'Extra cover for an open day.'],
  [6, 18, 2, 'Extra cover for a wedding reception.'],
] as const;

/** Hours of an extra shift. */
const LENGTH = 8;

/** Two guards of the site ask for each extra shift. */
const BIDS = `
  insert into public.offers (kind, shift_id, user_id, status, note, site_id, created_at)
  select 'bid', s.id, guard.id, 'open', guard.note, s.site_id, now() - guard.place * interval '3 hours'
  from public.shifts s
  cross join lateral (
    select p.id, row_number() over (order by p.id) as place,
      case when p.id = $2 then 'I live near and know the site.' end as note
    from public.profiles p
    where p.id <> $3 and (p.id = $2 or exists (
      select from public.assignments a where a.user_id = p.id and a.site_id = s.site_id
        and a.starts_at > now() - interval '3 weeks'
    )) and private.obstacle_to_shift(p.id, s) is null
    limit 2
  ) guard
  where s.id = any ($1)`;

/** One swap that the demo guard is asked for, and one that waits for a planner. */
const SWAPS = `
  insert into public.offers
    (kind, shift_id, user_id, assignment_id, partner_id, status, note, site_id, created_at)
  select 'swap', a.shift_id, a.user_id, a.id, taker.id, taker.status, taker.note, a.site_id, now() - interval '5 hours'
  from (values
    ($1::uuid, 'asked', 'My sister marries that day. Can you take it?'),
    ($2::uuid, 'open', 'I have an examination.')
  ) taker (id, status, note)
  cross join lateral (
    select a.* from public.assignments a join public.shifts s on s.id = a.shift_id
    where a.user_id not in ($1, $2) and a.status in ('assigned', 'confirmed')
      and a.starts_at between now() + interval '1 day' and now() + interval '9 days'
      and a.site_id in (select b.site_id from public.assignments b where b.user_id = taker.id)
      and private.obstacle_to_shift(taker.id, s) is null
    order by a.starts_at, a.id limit 1
  ) a`;

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
  const extra = EXTRA.map(([day, hour, seats, notes], number) => {
    const start = calendar.at(day, hour);
    return {
      id: idOf('extra shift', number),
      site_id: business.sites[number]?.id ?? '',
      start_time: iso(start),
      end_time: iso(start + LENGTH * HOUR),
      required_headcount: seats,
      notes,
      created_at: iso(now - 26 * HOUR),
      updated_at: iso(now - 26 * HOUR),
    };
  });
  await insertRows(client, 'shifts', extra);
  await client.query(BIDS, [extra.map(({ id }) => id), guard, other]);
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
