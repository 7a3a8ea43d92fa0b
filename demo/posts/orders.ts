// Post orders of some sites, in two versions at the busiest, and who has read them.

import { iso } from '../calendar.ts';
import type { Loading } from '../clients/business.ts';
import { BUSIEST_SITE } from '../clients/places.ts';
import { insertRows } from '../insert-rows.ts';
import { idOf } from '../random.ts';
import ORDERS from './orders.json' with { type: 'json' };

/** Sites with orders of their own, besides the busiest. */
const SITES = 6;
/** Days ago. */
const FIRST = 90;
const SECOND = 12;

/** The sites that have orders, the busiest first. */
export const sitesWithOrders = ({ business }: Pick<Loading, 'business'>) =>
  [...business.sites].sort((a, b) => rankOf(a.name) - rankOf(b.name)).slice(0, SITES + 1);

const rankOf = (name: string) => (name === BUSIEST_SITE ? 0 : 1);

/** Guards read the version in force before their first shift under it; guard@ has not yet, so that the demo can show it. */
const READINGS = `
  insert into public.post_order_readings (id, order_id, user_id, site_id, read_at, received_at)
  select md5(o.id::text || duty.user_id::text)::uuid, o.id, duty.user_id, o.site_id, duty.at, duty.at
  from public.post_orders o
  cross join lateral (
    select a.user_id, min(d.clock_in_at) - interval '3 minutes' as at
    from public.attendance d
    join public.assignments a on a.id = d.assignment_id
    join public.shifts s on s.id = a.shift_id
    where s.site_id = o.site_id and (o.post_id is null or s.post_id = o.post_id) and d.clock_in_at > o.created_at
    group by a.user_id
  ) duty
  join public.profiles p on p.id = duty.user_id
  where p.email not like 'guard@%' and abs(hashtext(o.id::text || duty.user_id::text)) % 20 > 0`;

export async function insertOrders(company: Loading): Promise<void> {
  const { client, people, calendar } = company;
  const by = people.named('ops').id;
  const rows = sitesWithOrders(company).flatMap((site, at) => {
    const ofPosts = site.posts.slice(0, 2).flatMap((post, index) => {
      const text = ORDERS.posts[index];
      return text === undefined ? [] : [{ ...text, post_id: post.id, version: 1, day: -FIRST }];
    });
    const ofSite = { ...ORDERS.site, post_id: null, version: 1, day: -FIRST };
    const later =
      at === 0
        ? [{ ...ofSite, version: 2, day: -SECOND, body: `${ofSite.body}\n\n${ORDERS.added}` }]
        : [];
    return [ofSite, ...later, ...ofPosts].map((order) => ({ site_id: site.id, ...order }));
  });
  await insertRows(
    client,
    'post_orders',
    rows.map(({ day, ...row }, number) => ({
      id: idOf('post order', number),
      ...row,
      valid_from: calendar.date(day),
      created_by: by,
      created_at: iso(calendar.at(day, 10)),
    })),
  );
  await client.query(READINGS);
}
