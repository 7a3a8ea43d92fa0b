// Equipment of some sites, who took it over in the last days, and the notes that guards left.

import { iso } from '../calendar.ts';
import type { Loading } from '../clients/business.ts';
import { insertRows } from '../insert-rows.ts';
import { idOf } from '../random.ts';
import { sitesWithOrders } from './orders.ts';

const PIECES = [
  ['Radio', 'R', 2],
  ['Torch', 'T', 2],
  ['Gate key', null, 1],
  ['First-aid box', null, 1],
] as const;
const SITES = 3;
/** Days ago. */
const LISTED = 60;
const NOTES = [
  'Generator key is with the engineer until noon.',
  'Camera at the back gate is dark. Reported to the control room.',
  'Delivery of diesel expected before 09:00, two trucks.',
];

/** Each guard who clocked in during the last three days at the site; one in nine misses a torch. Ids have a version and variant of RFC 9562. */
const HANDOVERS = `
  insert into public.handovers (id, site_id, post_id, assignment_id, user_id, ticks, missing, taken_at, received_at)
  select overlay(overlay(md5('handover' || a.id) placing '4' from 13) placing '8' from 17)::uuid, a.site_id, s.post_id, a.id, a.user_id, (
      select jsonb_agg(jsonb_build_object('equipment_id', e.id, 'name', e.name, 'has',
        not (e.name = 'Torch' and abs(hashtext(a.id::text)) % 9 = 0)) order by e.name)
      from public.equipment e where e.site_id = a.site_id
    ), case when abs(hashtext(a.id::text)) % 9 = 0 then 'Torch' end, d.clock_in_at, d.clock_in_at
  from public.attendance d
  join public.assignments a on a.id = d.assignment_id
  join public.shifts s on s.id = a.shift_id
  where a.site_id = any ($1) and d.clock_in_at > $2::timestamptz - interval '3 days' and d.clock_in_at < $2`;

const LEFT = `
  insert into public.handover_notes (id, site_id, post_id, assignment_id, user_id, note, written_at, received_at)
  select overlay(overlay(md5('note' || last.id) placing '4' from 13) placing '8' from 17)::uuid, last.site_id, last.post_id, last.id, last.user_id,
    ($3::text[])[1 + last.place % cardinality($3::text[])], last.clock_out_at, last.clock_out_at
  from (
    select a.id, a.site_id, s.post_id, a.user_id, d.clock_out_at,
      row_number() over (partition by a.site_id order by d.clock_out_at desc)::integer as place
    from public.attendance d
    join public.assignments a on a.id = d.assignment_id
    join public.shifts s on s.id = a.shift_id
    where a.site_id = any ($1) and d.clock_out_at > $2::timestamptz - interval '2 days' and d.clock_out_at < $2
  ) last where last.place <= 4`;

export async function insertHandovers(company: Loading): Promise<void> {
  const { client, calendar } = company;
  const sites = sitesWithOrders(company).slice(0, SITES);
  const created_at = iso(calendar.at(-LISTED, 12));
  await insertRows(
    client,
    'equipment',
    sites.flatMap((site, at) =>
      PIECES.map(([name, prefix, quantity], index) => ({
        id: idOf('equipment', at * PIECES.length + index),
        site_id: site.id,
        name,
        serial: prefix === null ? null : `${prefix}-${101 + at * 10}`,
        quantity,
        created_at,
        updated_at: created_at,
      })),
    ),
  );
  const ids = sites.map(({ id }) => id);
  const now = iso(calendar.now.getTime());
  await client.query(HANDOVERS, [ids, now]);
  await client.query(LEFT, [ids, now, NOTES]);
}
