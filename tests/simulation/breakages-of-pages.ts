// Of pages of the book that clients read, and of expenses.
import type { Breakage } from './breakage.ts';

const CONTENT =
  'a released page has nothing that was withheld or struck, nothing of another site or day, and no full name';
const COMPLETE =
  'a released page has every line that was written until then and is not withheld, and counts the visitors';
const READ = 'a client reads the newest release of each day of its own sites, and no other page';
const DOCUMENTS = 'locked and issued documents never change';
const VERSIONS =
  'versions of a page have no gaps, and a site with an hour has released each day by then, once by itself';

export const BREAKAGES_OF_PAGES: readonly Breakage[] = [
  {
    breaks: CONTENT,
    sql: [
      `insert into withheld_lines (site_id, source, line_id, withheld_at)
        select p.site_id, l ->> 'source', (l ->> 'id')::uuid, p.released_at - interval '1 hour'
        from post_pages p cross join lateral jsonb_array_elements(p.lines) l
        where l ->> 'source' = 'attendance' order by p.day desc, l ->> 'at' limit 1`,
    ],
  },
  {
    breaks: COMPLETE,
    sql: [
      `update post_pages set facts = jsonb_set(facts, '{visitors}', '100') where id = (
        select id from post_pages order by day desc, site_id, version limit 1)`,
    ],
    also: [DOCUMENTS],
  },
  {
    breaks: VERSIONS,
    sql: [
      `update post_pages set version = version + 100 where id = (
        select id from post_pages order by day desc, site_id, version desc limit 1)`,
    ],
    also: [DOCUMENTS],
  },
  {
    breaks: READ,
    sql: [
      `update post_pages set withdrawn_at = now(), withdraw_reason = 'Secretly' where id = (
        select p.id from post_pages p where p.withdrawn_at is null and p.version = (
          select max(n.version) from post_pages n where n.site_id = p.site_id and n.day = p.day)
        order by p.day desc, p.site_id limit 1)`,
    ],
  },
  {
    breaks: 'an expense counts in the currency that was paid: in returns of VAT and on statements',
    sql: [
      `update vat_return_lines set currency = case currency when 'USD' then 'LRD' else 'USD' end where id = (
        select l.id from vat_return_lines l join vat_returns r on r.id = l.return_id and r.status <> 'prepared'
        where l.kind = 'expense' order by l.day, l.id limit 1)`,
    ],
  },
];
