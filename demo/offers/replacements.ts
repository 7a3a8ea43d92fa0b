// Guards who did not come in the last weeks: why, who was asked and called, and what they said.

import { iso } from '../calendar.ts';
import type { Loading } from '../clients/business.ts';

const REASONS = ['Phone is off', 'Called in sick', 'No transport from Paynesville', 'Overslept'];

/** Each no-show gets a reason, from a planner, 25 minutes after the start. */
const NO_SHOWS = `
  update public.assignments a set
    no_show_reason = ($1::text[])[1 + (hashtext(a.id::text) & 3)],
    no_show_at = a.starts_at + interval '25 minutes', no_show_by = $2
  where a.status = 'no_show'`;

/**
 * For each recent no-show: one guard of the site who was called and refused, one who said yes, one who did not answer.
 */
const ASKED = `
  with asked as materialized (
    select a.shift_id, a.site_id, a.starts_at + interval '30 minutes' as at, guard.user_id, guard.place
    from public.assignments a
    cross join lateral (
      select o.user_id, row_number() over (order by max(o.starts_at), o.user_id) as place
      from public.assignments o
      where o.site_id = a.site_id and o.user_id <> a.user_id and o.starts_at < a.starts_at
        and o.starts_at > a.starts_at - interval '3 weeks' and o.status = 'completed'
      group by o.user_id
      order by place limit 3
    ) guard
    where a.status = 'no_show' and a.starts_at > $1::timestamptz - interval '60 days'
  ),
  called as (
    insert into public.replacement_calls (shift_id, user_id, result, note, site_id, created_by, created_at)
    select shift_id, user_id, case place when 1 then 'refused' else 'no_answer' end,
      case place when 1 then 'At a funeral upcountry' end, site_id, $2, at + place * interval '2 minutes'
    from asked where place in (1, 3)
  )
  insert into public.offers (kind, shift_id, user_id, status, site_id, asked_by, created_at, answer, answered_at,
    decided_by, decided_at, decision_note)
  select 'offer', shift_id, user_id, case place when 2 then 'lapsed' else 'declined' end, site_id, $2, at,
    case place when 2 then 'yes' else 'no' end, at + interval '9 minutes',
    case place when 1 then user_id end, at + interval '7 minutes',
    case place when 2 then 'The shift has gone to another guard.' end
  from asked where place < 3`;

export async function insertReplacements({ client, people, calendar }: Loading): Promise<void> {
  const planner = people.named('dispatcher').id;
  await client.query(NO_SHOWS, [REASONS, planner]);
  await client.query(ASKED, [iso(calendar.now.getTime()), planner]);
}
