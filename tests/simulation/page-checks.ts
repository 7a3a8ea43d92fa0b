// Invariants of the pages that clients read: what the book had, without what is withheld, and to the own client alone.
import { z } from 'zod';
import { accepted } from './door.ts';
import { type Broken, brokenOf, type Facts, type Invariant } from './invariant.ts';
import type { World } from './world.ts';

/** What guards write. Lines of visits end after 30 days: what is compared is younger. */
const WRITTEN = `
  select 'entry' as source, id, site_id, kind, written_at as at, received_at, struck_at from post_entries
  union all
  select 'visit', id, site_id, case kind when 'person' then 'visitor' else 'vehicle' end, in_at, received_at, struck_at from visits
  union all
  select 'key', id, site_id, 'key', out_at, received_at, struck_at from key_movements`;

const LINES = `
  select p.id as page, p.site_id, p.day, p.version, p.released_at, p.withheld_kinds, l.* from post_pages p
  cross join lateral jsonb_to_recordset(p.lines || coalesce(p.visits, '[]'))
    l (source text, id uuid, kind text, step text, at timestamptz, author text, words text)`;

export const PAGES: readonly Invariant[] = [
  {
    name: 'a released page has nothing that was withheld or struck, nothing of another site or day, and no full name',
    sql: `
      with written as (${WRITTEN}), lines as (${LINES}), sources as (
        select source, id, site_id, struck_at from written
        union all select 'note', id, site_id, null from handover_notes
        union all select 'handover', id, site_id, null from handovers
        union all select 'attendance', id, site_id, null from attendance
        union all select 'incident', id, site_id, null from incidents
      )
      select l.page, l.day, l.source, l.id, l.words from lines l join sites t on t.id = l.site_id
      left join sources s on s.source = l.source and s.id = l.id
      where s.id is null and l.day > current_date - 28 or s.site_id <> l.site_id
        or (l.at at time zone 'UTC')::date <> l.day or s.struck_at < l.released_at
        or l.kind = any (l.withheld_kinds) or l.kind = any (t.book_kinds_withheld)
        or l.author like '% %' or l.source = 'incident' and (l.author is not null or l.words !~ '^Report [0-9A-F]{8}$')
        or exists (
          select from withheld_lines w where w.source = l.source and w.line_id = l.id and w.withheld_at < l.released_at)`,
  },
  {
    name: 'a released page has every line that was written until then and is not withheld, and counts the visitors',
    sql: `
      with written as (${WRITTEN}), lines as (${LINES}), of_page as (
        select p.id as page, p.visits is null as is_short, p.withheld_kinds, p.released_at, s.* from post_pages p
        join written s on s.site_id = p.site_id and s.at >= p.day and s.at < p.day + 1
          and s.received_at < p.released_at and coalesce(s.struck_at, 'infinity') > p.released_at
        where p.day > current_date - 28
      )
      select s.page, s.source, s.id from of_page s
      where s.kind <> all (s.withheld_kinds) and not (s.is_short and s.source = 'visit')
        and not exists (
          select from withheld_lines w where w.source = s.source and w.line_id = s.id and w.withheld_at < s.released_at)
        and not exists (select from lines l where l.page = s.page and l.source = s.source and l.id = s.id)
      union all
      select p.id, 'visitors', null from post_pages p
      where p.day > current_date - 28 and (p.facts ->> 'visitors')::int <> (
        select count(*) from of_page s where s.page = p.id and s.kind = 'visitor')`,
  },
  {
    name: 'versions of a page have no gaps, and a site with an hour has released each day by then, once by itself',
    sql: `
      select site_id, day, max(version) as last from post_pages group by 1, 2
      having max(version) <> count(*) or count(*) filter (where released_by is null) > 1
      union all
      select p.site_id, p.day, p.version from post_pages p join sites t on t.id = p.site_id
      where p.released_by is null and (p.version > 1 or t.book_release_hour is null
        or p.released_at < p.day + 1 + make_interval(hours => t.book_release_hour))
      union all
      select t.id, d.day::date, null from sites t cross join generate_series(
        greatest((t.updated_at at time zone 'UTC')::date + 1, current_date - 28), current_date - 1, interval '1 day') d (day)
      where t.book_release_hour is not null
        and exists (
          select from attendance a where a.site_id = t.id and a.clock_in_at >= d.day and a.clock_in_at < d.day + interval '1 day'
            and a.clock_in_received_at < d.day + interval '1 day')
        and not exists (select from post_pages p where p.site_id = t.id and p.day = d.day)`,
  },
];

/** The newest release of each day, unless it was withdrawn. */
const OPEN = `
  select p.id, p.client_id, p.version, (
      select coalesce(array_agg(l ->> 'id' order by l ->> 'id'), '{}')
      from jsonb_array_elements(p.lines || coalesce(p.visits, '[]')) l) as lines
  from post_pages p join sites t on t.id = p.site_id and t.client_id = p.client_id
  where p.withdrawn_at is null and p.version = (
    select max(n.version) from post_pages n where n.site_id = p.site_id and n.day = p.day)
  order by p.day desc, t.name`;

interface Open {
  id: string;
  client_id: string;
  lines: string[];
}

const pageSchema = z.object({ lines: z.array(z.object({ id: z.string() })) });

/** What contacts of clients find in their portal is what is released to their client, and nothing else can be opened. */
export async function checkPages({ contacts }: World, facts: Facts): Promise<Broken[]> {
  const open = await facts.sql<Open & Record<string, unknown>>(OPEN);
  const hidden = await facts.sql<{ id: string }>(
    'select id from post_pages where withdrawn_at is not null order by released_at desc, id limit 1',
  );
  const rows: string[] = [];
  for (const [clientId, client] of contacts) {
    const own = open.filter(({ client_id }) => client_id === clientId);
    const { data } = accepted(await client.rpc('client_pages'));
    const listed = (data ?? []).map(({ id }) => id);
    const [ours, theirs] = [
      own
        .map(({ id }) => id)
        .sort()
        .join(),
      listed.sort().join(),
    ];
    if (ours !== theirs) rows.push(`client ${clientId}: ${ours} are released, ${theirs} listed`);
    const [newest] = own;
    if (newest) {
      const page = await client.rpc('read_page', { p_page_id: newest.id });
      const read = pageSchema.safeParse(page.data).data?.lines.map(({ id }) => id);
      if (read?.sort().join() !== newest.lines.join())
        rows.push(`client ${clientId} reads ${read} of the page ${newest.id}`);
    }
    const others = open.filter(({ client_id }) => client_id !== clientId).slice(0, 1);
    const closed: { id: string }[] = [...others, ...hidden];
    for (const { id } of closed)
      if ((await client.rpc('read_page', { p_page_id: id })).data !== null)
        rows.push(`client ${clientId} reads the page ${id}`);
    const table = await client.from('post_pages').select('id').limit(1);
    if ((table.data ?? []).length > 0) rows.push(`client ${clientId} reads the table of pages`);
  }
  return brokenOf([
    {
      name: 'a client reads the newest release of each day of its own sites, and no other page',
      rows,
    },
  ]);
}
