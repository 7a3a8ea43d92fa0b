// What must hold after every day, computed from stored facts. No query calls a function of the product, and none reads what the
// product has derived, except to compare it.
import { ALERTS } from './alerts.ts';
import { checkAnnouncements } from './announcements.ts';
import { BANK } from './bank.ts';
import { checkBook } from './book.ts';
import { BOOKS, DOCUMENTS, EXPENSES } from './books.ts';
import { dayOf } from './clock.ts';
import { DEPARTURES } from './departures.ts';
import { DISPATCH } from './dispatch.ts';
import { ENQUIRIES } from './enquiries.ts';
import { checkErasures } from './erasures.ts';
import { CREDITED_TWICE, checkGaps } from './gaps.ts';
import { type Broken, brokenOf, type Facts, type Invariant } from './invariant.ts';
import { checkJournal, fetchJournal } from './journal.ts';
import { checkPages, PAGES } from './page-checks.ts';
import { checkPanels } from './panels.ts';
import { PAY_ITEMS } from './pay-items.ts';
import { checkRights } from './rights.ts';
import { checkOwnSos, SOS } from './sos.ts';
import { checkOpenSeats } from './staffing.ts';
import { WELFARE } from './welfare.ts';
import type { World } from './world.ts';

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'every minute between clock-in and clock-out is in exactly one segment',
    // Segments of a person can't overlap; leave may be the segment of a minute that was worked all the same.
    sql: `
      with worked as (
        select a.id, a.user_id, date_trunc('minute', a.clock_in_at) as came, date_trunc('minute', a.clock_out_at) as went
        from attendance a where a.clock_out_at is not null
      )
      select w.id, w.user_id, w.came, w.went, sum(extract(epoch from
        least(s.ends_at, w.went) - greatest(s.starts_at, w.came)) / 60) as minutes
      from worked w
      left join time_segments s on s.user_id = w.user_id and s.starts_at < w.went and s.ends_at > w.came
      group by w.id, w.user_id, w.came, w.went
      having coalesce(sum(extract(epoch from least(s.ends_at, w.went) - greatest(s.starts_at, w.came)) / 60), 0)
        <> extract(epoch from w.went - w.came) / 60`,
  },
  {
    name: 'every person with a fact in a period has its timesheet',
    sql: `
      select a.user_id, a.clock_in_at from attendance a
      where not exists (
        select from timesheets t where t.user_id = a.user_id and a.clock_in_at::date between t.period_start and t.period_end)`,
  },
  {
    name: 'nobody gets a notice twice',
    // Shifts of two days may have the same alert: a notice names hours, not days.
    sql: `
      select n.user_id, n.kind, n.title, n.body, n.created_at, o.created_at as again
      from notices n join notices o on o.user_id = n.user_id and o.kind = n.kind and o.title = n.title and o.body = n.body
        and o.id <> n.id and o.created_at >= n.created_at and o.created_at < n.created_at + interval '6 hours'
        and (o.created_at, o.id) > (n.created_at, n.id)`,
  },
  {
    name: 'no notice is delivered twice on one channel',
    sql: `
      select d.user_id, d.channel, n.id, count(*)::int from private.notice_deliveries d cross join unnest(d.notice_ids) n (id)
      group by 1, 2, 3 having count(*) > 1`,
  },
  {
    name: 'no guard is clocked in twice at once, except in records that are flagged',
    sql: `
      select a.id, b.id as other from attendance a join attendance b on b.user_id = a.user_id and b.id > a.id
        and tstzrange(a.clock_in_at, a.clock_out_at) && tstzrange(b.clock_in_at, b.clock_out_at)
      where not ('overlaps' = any (a.flags) or 'overlaps' = any (b.flags))`,
  },
  {
    name: 'every stored clock event is the cause of its record',
    sql: `
      select e.id, e.kind, e.effective_at, a.clock_in_at, a.clock_out_at
      from clock_events e left join attendance a on a.id = e.attendance_id
      where a.id is null and not exists (
        select from pay_adjustments p where p.details ->> 'assignment_id' = e.assignment_id::text)`,
  },
  {
    name: 'no job is late, and no queue has a row that failed',
    sql: `
      select name as what, next_at from private.jobs where next_at < now() - interval '5 minutes'
      union all select 'hours of ' || user_id || ' ' || coalesce(error, ''), try_at from private.time_to_compute
      union all select 'notice ' || coalesce(last_error, ''), next_at from private.notice_deliveries
        where state = 'failed' or last_error is not null`,
  },
  {
    name: 'no connection is left over: none waits in a transaction, and there are no more than the pools have',
    // The callers' 8, 11 of the services, and a few that listen and lock.
    sql: `
      select usename || ' ' || state as what, xact_start, left(query, 200) from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid() and xact_start < now() - interval '1 minute'
      union all select count(*) || ' connections', null, null from pg_stat_activity where backend_type = 'client backend'
        having count(*) > 28`,
  },
];

/** Rows that are shown of a broken invariant. */
const SHOWN = 8;

/** Documents that are not what they were when they were locked or issued. Those of a voided run are gone from the list. */
async function checkDocuments(facts: Facts, documents: Map<string, string>): Promise<Broken[]> {
  const rows = await facts.sql<{ document: string; hash: string }>(DOCUMENTS);
  const changed = rows.flatMap(({ document, hash }) => {
    const known = documents.get(document);
    documents.set(document, hash);
    return known === undefined || known === hash ? [] : [document];
  });
  const found = new Set(rows.map(({ document }) => document));
  // A timesheet is open again, and a payslip withdrawn, when its run is voided.
  const gone = [...documents.keys()].filter((document) => !found.has(document));
  for (const document of gone) documents.delete(document);
  const lost = gone.filter((document) => !/^(timesheet|payslip) /.test(document));
  return brokenOf([
    { name: 'locked and issued documents never change', rows: changed },
    { name: 'issued documents never vanish', rows: lost },
  ]);
}

/** What the server and the phones have complained about. */
function checkComplaints({ product, sent }: World): Broken[] {
  const lost = sent.flatMap(({ who, event, refusal }) =>
    refusal === undefined
      ? []
      : [`${who} ${event.kind} ${new Date(event.at).toISOString()}: ${refusal}`],
  );
  return brokenOf([
    { name: 'the log has no error and no 5xx', rows: product.takeComplaints() },
    { name: 'no clock event of a phone is lost', rows: lost },
  ]);
}

/** What a check compares the facts with. */
export interface Compared {
  documents: Map<string, string>;
  /** @returns the journal as its screen gets it */
  fetchJournal: (world: World) => Promise<unknown>;
  /** Day of the invoices whose gaps are counted. */
  billedOn: string;
  /** Whether people read tables, which wait for a transaction that changes their definition. */
  areTablesFree: boolean;
}

export async function check(
  world: World,
  facts: Facts = world.product,
  { documents, fetchJournal: journal, billedOn, areTablesFree }: Compared = {
    documents: world.documents,
    fetchJournal,
    billedOn: dayOf(Date.now()),
    areTablesFree: true,
  },
): Promise<Broken[]> {
  const broken: Broken[] = [];
  for (const { name, sql } of [
    ...INVARIANTS,
    ...ALERTS,
    ...BOOKS,
    ...BANK,
    ...DISPATCH,
    ...WELFARE,
    ...SOS,
    ...ENQUIRIES,
    ...DEPARTURES,
    ...PAY_ITEMS,
    ...PAGES,
    EXPENSES,
    CREDITED_TWICE,
  ]) {
    const rows = await world.times.of(name, () => facts.sql(sql));
    broken.push(...brokenOf([{ name, rows: rows.slice(0, SHOWN) }]));
  }
  const { times } = world;
  const later = areTablesFree
    ? [checkRights, checkAnnouncements, checkOwnSos, checkBook, checkPages]
    : [];
  broken.push(
    ...(await times.of('documents', () => checkDocuments(facts, documents))),
    ...(await times.of('open seats', () => checkOpenSeats(world, facts))),
    ...(await times.of('journal', async () => checkJournal(facts, await journal(world)))),
    ...(await times.of('gaps', () => checkGaps(facts, billedOn))),
    ...(await times.of('panels', () => checkPanels(world, facts))),
    ...(await times.of('erasures', () => checkErasures(world, facts))),
  );
  for (const one of later) broken.push(...(await times.of(one.name, () => one(world, facts))));
  return [...broken, ...checkComplaints(world)];
}
