// Checkpoints and tours of two sites, and what guards scanned in the last six days: nearly every round, a few flags.

import { iso } from '../calendar.ts';
import type { Loading } from '../clients/business.ts';
import { insertRows } from '../insert-rows.ts';
import { sitesWithOrders } from '../posts/orders.ts';
import { idOf } from '../random.ts';

const POINTS = ['Main gate', 'Fence, north corner', 'Generator room', 'Store', 'Fence, river side'];
/** Tours of each site. Far apart, because nobody walks the rounds after loading. */
const TIMES = [
  ['10:00', '15:00', '21:00', '03:00'],
  ['12:00', '00:30'],
];
/** Degrees between two checkpoints, about 40 m. */
const STEP = 0.000_35;
/** Days ago. */
const PLANNED = 30;

/** Hexadecimal digits are among the characters of codes. */
const CODES = `
  update public.checkpoints c set code_secret = coded.seven || private.check_character(coded.seven)
  from (
    select k.id, lpad(k.number::text, 2, '0') || upper(left(md5(k.id::text), 5)) as seven from public.checkpoints k
  ) coded where coded.id = c.id`;

const TOUR = `
  insert into public.tours (id, site_id, name, times, checkpoints, tolerance_minutes, created_at, updated_at)
  values ($1, $2, $3, $4, $5, 25, $6, $6)`;

/** Two minutes from one to the next; an older round in twelve lacks its last checkpoint. */
const SCANS = `
  insert into public.checkpoint_scans (id, user_id, checkpoint_id, assignment_id, tour_id, tour_at, site_id, code, way,
    scanned_at, device_at, received_at, gps, accuracy_m, distance_m, flags)
  select md5(made.seed)::uuid, made.user_id, made.id, made.assignment_id, made.tour_id, made.due_at, made.site_id,
    made.code_secret, case when made.pick % 9 = 0 then 'typed' else 'camera' end, made.at, made.at,
    made.at + interval '4 seconds',
    format('%s,%s', round(made.latitude::numeric, 5), round(made.longitude::numeric, 5)), 12,
    case when made.pick % 23 = 0 then 310 else 4 end,
    case when made.pick % 23 = 0 then array['too_far'] when made.pick % 31 = 0 then array['too_early']
      else '{}'::text[] end
  from (
    select r.tour_id, r.due_at, r.site_id, c.*, a.id as assignment_id, a.user_id,
      r.due_at + (o.place * interval '2 minutes') as at, r.tour_id::text || r.due_at || c.id as seed,
      abs(hashtext(r.due_at::text || c.id)) as pick, o.place = cardinality(t.checkpoints) as is_last,
      abs(hashtext(r.tour_id::text || r.due_at)) % 12 as luck
    from private.tour_rounds($1::timestamptz - interval '6 days', $1::timestamptz) r
    join public.tours t on t.id = r.tour_id
    cross join lateral unnest(t.checkpoints) with ordinality o (id, place)
    cross join lateral (select k.id, k.code_secret, k.latitude, k.longitude from public.checkpoints k where k.id = o.id) c
    cross join lateral (
      select d.id, d.user_id from public.assignments d
      where d.shift_id = r.shift_id and d.status not in ('cancelled', 'no_show') order by d.id limit 1
    ) a
  ) made
  where made.at < $1 and not (made.is_last and made.luck = 0 and made.due_at < $1::timestamptz - interval '13 hours')`;

/** After three rounds a guard walked on, and read another guard's label. */
const LOOSE = `
  insert into public.checkpoint_scans (id, user_id, checkpoint_id, assignment_id, site_id, code, way, scanned_at,
    device_at, received_at, gps, accuracy_m, distance_m, flags)
  select md5(c.id::text || 'loose')::uuid, c.user_id, case when nth = 2 then null else c.checkpoint_id end,
    c.assignment_id, c.site_id, case when nth = 2 then '17K2M9QX' else c.code_read end, 'camera', c.at, c.at,
    c.at + interval '3 seconds', c.gps, c.accuracy_m, case when nth = 2 then null else c.distance_m end,
    case when nth = 2 then array['unknown_code'] else '{}'::text[] end
  from (
    select s.id, s.user_id, s.checkpoint_id, s.assignment_id, s.site_id, s.code as code_read, s.gps, s.accuracy_m,
      s.distance_m, s.scanned_at + interval '55 minutes' as at, row_number() over (order by s.scanned_at desc, s.id) as nth
    from public.checkpoint_scans s join public.checkpoints p on p.id = s.checkpoint_id
    where p.number = 1 and s.flags = '{}' and s.scanned_at < $1::timestamptz - interval '1 hour'
  ) c
  where c.nth <= 3`;

export async function insertPatrols(company: Loading): Promise<void> {
  const { client, calendar } = company;
  const sites = sitesWithOrders(company).slice(0, 2);
  const created_at = iso(calendar.at(-PLANNED, 11));
  const points = sites.flatMap((site, at) =>
    POINTS.map((name, index) => ({
      id: idOf('checkpoint', at * POINTS.length + index),
      site_id: site.id,
      number: index + 1,
      name,
      latitude: site.latitude + (index % 3) * STEP,
      longitude: site.longitude + index * STEP,
      code_secret: `0${at}${index}AAAAA`,
      created_at,
      updated_at: created_at,
    })),
  );
  await insertRows(client, 'checkpoints', points);
  await client.query(CODES);
  // Not by insertRows, which has no arrays of arrays.
  for (const [at, site] of sites.entries()) {
    await client.query(TOUR, [
      idOf('tour', at),
      site.id,
      at === 0 ? 'Perimeter' : 'Round of the grounds',
      TIMES[at],
      points.filter(({ site_id }) => site_id === site.id).map(({ id }) => id),
      created_at,
    ]);
  }
  await client.query(SCANS, [iso(calendar.now.getTime())]);
  await client.query(LOOSE, [iso(calendar.now.getTime())]);
}
