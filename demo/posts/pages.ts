// Days of the books that were released to clients; two sites release theirs by themselves, at six.

import { iso } from '../calendar.ts';
import type { Loading } from '../clients/business.ts';
import { idOf } from '../random.ts';

const DAYS = 3;
const HOUR = 6;
const BY_THEMSELVES = 2;

/** As `release_page` stores it, at the hour of the site and without mails. */
const RELEASE = `
  insert into public.post_pages
  select (jsonb_populate_record(private.next_page($2, $3::date), jsonb_build_object(
    'id', $1::uuid, 'released_at', $4::timestamptz, 'released_by', $5::uuid))).*`;

const SITES = `
  select s.id from public.sites s
  where s.client_id is not null and exists (select from public.post_entries e where e.site_id = s.id)
  order by s.id`;

export async function insertPages({ client, calendar, people }: Loading): Promise<void> {
  const { rows: sites } = await client.query<{ id: string }>(SITES);
  const ops = people.named('ops').id;
  let number = 0;
  for (const [place, { id: site }] of sites.entries()) {
    const isByItself = place < BY_THEMSELVES;
    if (isByItself) {
      await client.query('update public.sites set book_release_hour = $2 where id = $1', [
        site,
        HOUR,
      ]);
    }
    for (let back = DAYS; back > 0; back -= 1) {
      // Before eight in the morning nobody has released the last day by hand.
      const at = calendar.at(1 - back, isByItself ? HOUR : HOUR + 2);
      if (at > calendar.now.getTime()) continue;
      await client.query(RELEASE, [
        idOf('post page', number),
        site,
        calendar.date(-back),
        iso(at),
        isByItself ? null : ops,
      ]);
      number += 1;
    }
  }
}
