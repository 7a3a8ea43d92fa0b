// Announcements of the office, of which one has ended, and who has read them.
import { slots } from '#company';
import { iso } from '../calendar.ts';
import type { Loading } from '../clients/business.ts';
import TEXTS from './announcements.json' with { type: 'json' };

/**
 * Most guards of the sites, and of a role everybody, within two days; guard2@ has not yet, so that the demo can show it. `$1`: now,
 * which readings can't be after.
 */
const READINGS = `
  insert into public.announcement_readings (id, announcement_id, user_id, version, read_at, received_at)
  select md5(a.id::text || reader.id::text)::uuid, a.id, reader.id, 1, least(read.at, $1), least(read.at, $1)
  from public.announcements a
  cross join lateral (
    select p.id, p.email from public.profiles p
    where p.id <> a.created_by and p.left_on is null and case a.audience
      when 'role' then exists (select from public.user_roles r where r.user_id = p.id and r.role = a.role)
      else exists (
        select from public.assignments s
        join public.sites t on t.id = s.site_id
        where s.user_id = p.id and s.starts_at between $1::timestamptz - interval '14 days' and $1
          and (a.audience = 'everybody' or t.id = a.site_id or t.county = any (a.counties))
      )
    end
  ) reader
  cross join lateral (
    select a.created_at + make_interval(mins => 20 + abs(hashtext(a.id::text || reader.id::text)) % 2700) as at
  ) read
  where reader.email not like 'guard2@%'
    and (reader.email like 'guard@%' or abs(hashtext(reader.id::text || a.id::text)) % 10 > 0)`;

export async function insertAnnouncements(company: Loading): Promise<void> {
  const { client, people, business, calendar } = company;
  const rows = TEXTS.map(({ by, day, last, region, ...text }) => ({
    ...text,
    region,
    counties: slots.regions.find(({ name }) => name === region)?.counties,
    site_id: text.audience === 'site' ? business.busiest.id : undefined,
    version: 1,
    last_day: calendar.date(last),
    created_by: people.named(by).id,
    created_at: iso(calendar.at(day, 9, 30)),
    updated_at: iso(calendar.at(day, 9, 30)),
  }));
  await client.query(
    `insert into public.announcements
     select * from jsonb_populate_recordset(null::public.announcements, $1)`,
    [JSON.stringify(rows)],
  );
  await client.query(READINGS, [iso(calendar.now.getTime())]);
}
