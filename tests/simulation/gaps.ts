// Invariant of gaps: minutes in which a required guard was missing are credited by the invoice that bills them, once.
import { DAY_MS, MINUTE_MS } from './clock.ts';
import { type Broken, brokenOf, type Facts } from './invariant.ts';

/** Places of contracts that credit gaps, of invoices that were issued on a day, and what those credit. */
const CREDITED = `
  select i.number, c.id as contract_post, c.site_id as site, p.id as post, i.period_start::text as first,
    i.period_end::text as last, coalesce(sum(l.minutes), 0)::int as minutes,
    count(l.id)::int as lines
  from invoices i
  join contracts k on k.id = i.contract_id and k.gap_credit <> 'none'
  join contract_posts c on c.contract_id = k.id and (c.basis <> 'worked' or k.gap_credit = 'penalty')
  join posts p on p.site_id = c.site_id
  left join invoice_lines l on l.invoice_id = i.id and l.contract_post_id = c.id and l.post_id = p.id and l.kind = 'gap_credit'
  where i.issued_on = $1::date
    -- What came after the draft is taken back by the next invoice.
    and not exists (select from attendance a where a.site_id = c.site_id and a.updated_at > i.created_at
      and a.clock_in_at < (i.period_end + 2)::timestamp)
    and not exists (select from assignments a where a.site_id = c.site_id and a.updated_at > i.created_at
      and a.starts_at < (i.period_end + 2)::timestamp)
    and not exists (select from time_decisions d join attendance a on a.id = d.attendance_id
      where a.site_id = c.site_id and d.decided_at > i.created_at)
  group by 1, 2, 3, 4, 5, 6`;

const REQUIRED = `
  select start_time as starts, end_time as ends, required_headcount as guards from shifts
  where site_id = $1 and post_id = $2 and start_time >= $3::timestamptz and start_time < $4::timestamptz`;

const PRESENT = `
  select g.starts_at as starts, g.ends_at as ends, 1 as guards from time_segments g join shifts s on s.id = g.shift_id
  where s.site_id = $1 and s.post_id = $2 and s.start_time >= $3::timestamptz and s.start_time < $4::timestamptz
    and g.class not in ('unpaid', 'leave_paid', 'leave_unpaid')`;

export const CREDITED_TWICE = {
  name: 'no day of a gap is credited twice',
  sql: `
    select a.id, b.id as other from invoice_lines a join invoice_lines b on b.id > a.id
      and b.contract_post_id = a.contract_post_id and b.post_id is not distinct from a.post_id and b.days && a.days
    where a.kind = 'gap_credit' and b.kind = 'gap_credit' and a.credited_at is null and b.credited_at is null`,
};

interface Span {
  starts: Date;
  ends: Date;
  guards: number;
}

/** @returns guards by minute since `from` */
function guardsByMinute(spans: Span[], from: number, minutes: number): Int16Array {
  const guards = new Int16Array(minutes);
  const indexOf = (at: Date) => Math.min(Math.max((at.getTime() - from) / MINUTE_MS, 0), minutes);
  for (const span of spans)
    for (let index = indexOf(span.starts); index < indexOf(span.ends); index += 1)
      guards[index] = (guards[index] ?? 0) + span.guards;
  return guards;
}

interface Place {
  number: string;
  site: string;
  post: string;
  first: string;
  last: string;
  minutes: number;
}

/** Minutes without a required guard, of shifts that begin in the invoice's days. */
async function uncoveredMinutes(facts: Facts, { site, post, first, last }: Place) {
  const from = Date.parse(`${first}T00:00:00Z`);
  const until = Date.parse(`${last}T00:00:00Z`) + DAY_MS;
  // The neighbours too: the guard of a shift from before may have stayed on.
  const span = [site, post, new Date(from - DAY_MS), new Date(until + DAY_MS)];
  const required = await facts.sql<Span & Record<string, unknown>>(REQUIRED, span);
  const present = await facts.sql<Span & Record<string, unknown>>(PRESENT, span);
  const minutes = (until - from) / MINUTE_MS + 3 * 1440;
  const begin = from - DAY_MS;
  const wanted = guardsByMinute(required, begin, minutes);
  const there = guardsByMinute(present, begin, minutes);
  const counted = guardsByMinute(
    required.filter(({ starts }) => starts.getTime() >= from && starts.getTime() < until),
    begin,
    minutes,
  );
  let uncovered = 0;
  for (const [index, guards] of wanted.entries())
    if ((counted[index] ?? 0) > 0) uncovered += Math.max(guards - (there[index] ?? 0), 0);
  return uncovered;
}

/** Of the invoices that were issued on a day. */
export async function checkGaps(facts: Facts, billedOn: string): Promise<Broken[]> {
  const places = await facts.sql<Place & Record<string, unknown>>(CREDITED, [billedOn]);
  const rows: string[] = [];
  for (const place of places) {
    const uncovered = await uncoveredMinutes(facts, place);
    if (uncovered !== place.minutes)
      rows.push(
        `${place.number}, post ${place.post}: ${uncovered} uncovered, ${place.minutes} credited`,
      );
  }
  return brokenOf([{ name: 'every gap is credited by the invoice that bills its days', rows }]);
}
