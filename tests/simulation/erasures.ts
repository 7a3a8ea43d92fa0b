// Guards who leave for good, and whose data is erased as soon as their pay is settled: what they did stays, who they were goes.
import { addDays, dayOf, instantOf } from './clock.ts';
import type { Guard } from './company.ts';
import { accepted, refusalOf } from './door.ts';
import { type Broken, brokenOf, type Facts } from './invariant.ts';
import { endEmployment } from './staff.ts';
import type { Gone, WorkDone, World } from './world.ts';

/** On the first of these days on which somebody is free to go. */
const LEAVES_FROM = 20;
const LEAVES_UNTIL = 27;
const ERASED_EVERY_DAYS = 3;

async function workOf(facts: Facts, { id, staffId }: Guard): Promise<WorkDone | undefined> {
  const [work] = await facts.sql<WorkDone & Record<string, unknown>>(
    `select (select count(*)::int from attendance a where a.user_id = $1) as records,
       (select coalesce(sum(g.minutes), 0)::int from time_segments g where g.user_id = $1) as minutes,
       count(s.id)::int as payslips, coalesce(sum(s.net), 0)::text as net
     from payslips s join pay_runs r on r.id = s.pay_run_id and r.status in ('locked', 'paid') where s.staff_id = $2`,
    [id, staffId],
  );
  return work;
}

async function leave(world: World, day: string): Promise<string> {
  const isDone = world.gone.some(({ on }) => on.slice(0, 7) === day.slice(0, 7));
  if (isDone) return 'somebody has gone this month';
  const guard = await endEmployment(world, day, 'Works at sea', 1);
  if (!guard) return 'nobody is free to go';
  world.gone.push({ guard, on: day, patterns: [] });
  return guard.name;
}

/** What is left of advances is written off. */
async function closeLoans({ company }: World, { staffId }: Guard, day: string): Promise<number> {
  const { client } = company.finance;
  const { data } = accepted(
    await client.from('staff_ledger').select().eq('staff_id', staffId).order('created_at'),
  );
  let closed = 0;
  for (const issue of (data ?? []).filter(({ entry }) => entry === 'issue')) {
    const settled = (data ?? []).filter(({ loan_id }) => loan_id === issue.id);
    const cents =
      Math.round(issue.amount * 100) -
      settled.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
    if (cents <= 0) continue;
    accepted(
      await client.from('staff_ledger').insert({
        ...{ staff_id: staffId, entry: 'write_off', kind: issue.kind, loan_id: issue.id },
        ...{ currency: issue.currency, amount: cents / 100, day, note: 'Left the company' },
      }),
    );
    closed += 1;
  }
  return closed;
}

async function erase(world: World, gone: Gone, day: string): Promise<string | undefined> {
  const { admin } = world.company;
  const { guard } = gone;
  const closed = await closeLoans(world, guard, day);
  const preview = accepted(
    await admin.client.rpc('erasure_preview', { p_user_id: guard.id }).single(),
  );
  const obstacles = preview.data?.obstacles ?? [];
  if (obstacles.length > 0) return `${closed} loans closed. ${obstacles.join(' ')}`;
  const numbers = await world.product.sql<{ number: string }>(
    'select distinct account_number as number from payments where staff_id = $1 and account_number is not null',
    [guard.staffId],
  );
  const work = await workOf(world.product, guard);
  return refusalOf(async () => {
    accepted(await admin.client.rpc('erase_person', { p_user_id: guard.id, p_name: guard.name }));
    if (work) gone.work = work;
    gone.erasedOn = day;
    gone.patterns = [guard.name, guard.login, ...numbers.map(({ number }) => number)];
    for (const { told } of world.announced.values()) told.delete(guard.id);
  });
}

export function planErasures(world: World, day: string): void {
  const { agenda, gone } = world;
  const dayOfMonth = Number(day.slice(8));
  if (dayOfMonth >= LEAVES_FROM && dayOfMonth <= LEAVES_UNTIL)
    agenda.add(instantOf(day, '12:45'), 'the admin ends an employment for good', () =>
      leave(world, day),
    );
  if (dayOfMonth % ERASED_EVERY_DAYS !== 0) return;
  for (const one of gone.filter(({ work, on }) => work === undefined && addDays(on, 1) < day))
    agenda.add(instantOf(day, '16:25'), `the admin erases ${one.guard.name}`, () =>
      erase(world, one, day),
    );
}

/** What was issued as it is, and notices to others (docs/privacy.md); of the activity log, the copies of those. */
const STAYS: Record<string, string> = {
  'public.notices': 'true',
  'public.payment_files': 'true',
  'public.incident_letters': 'true',
  'public.audit_log': `r.table_name in ('notices', 'payment_files', 'incident_letters')`,
};

const TABLES = `
  select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname in ('public', 'private', 'auth', 'storage') order by 1`;

const escaped = (text: string): string => text.replaceAll(/[^A-Za-z0-9 ]/g, String.raw`\$&`);

/** Rows of any table that still name an erased guard, or have a number of theirs. */
async function tracesOf(facts: Facts, patterns: string[]): Promise<string[]> {
  const tables = await facts.sql<{ name: string }>(TABLES);
  const pattern = patterns.map(escaped).join('|');
  const parts = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*)::int as rows, min(left(r::text, 400)) as example from ${name} r
       where r::text ~* $1 and not (${STAYS[name] ?? 'false'}) having count(*) > 0`,
  );
  const rows = await facts.sql<{ name: string; rows: number; example: string }>(
    parts.join('\nunion all\n'),
    [pattern],
  );
  return rows.map(({ name, rows: count, example }) => `${name}: ${count} rows, such as ${example}`);
}

/** All tables are read, so only in the first days, and then once a week: nothing names somebody who is not there. */
const isSearched = (erasedOn: string, today: string): boolean =>
  today <= addDays(erasedOn, 1) || new Date(`${today}T00:00:00Z`).getUTCDay() === 0;

/** Rows of erased guards that end with the erasure. */
const ENDED = `
  select 'pay account' as what, count(*)::int as rows from pay_accounts where staff_id = any ($2)
  union all select 'role', count(*)::int from user_roles where user_id = any ($1)
  union all select 'notice', count(*)::int from notices where user_id = any ($1)
  union all select 'welfare check', count(*)::int from welfare_checks where user_id = any ($1)
  union all select 'position', count(*)::int from attendance
    where user_id = any ($1) and (clock_in_gps is not null or clock_out_gps is not null)
  union all select 'position of an event', count(*)::int from clock_events where user_id = any ($1) and gps is not null
  union all select 'session', count(*)::int from auth.sessions where user_id = any ($1)
  union all select 'contact', count(*)::int from profiles where id = any ($1) and (email is not null or phone is not null)`;

export async function checkErasures({ gone }: World, facts: Facts): Promise<Broken[]> {
  const erased = gone.filter(({ work }) => work !== undefined);
  const today = dayOf(Date.now());
  const searched = erased.filter(({ erasedOn = '' }) => isSearched(erasedOn, today));
  const left =
    searched.length === 0
      ? []
      : await tracesOf(
          facts,
          searched.flatMap(({ patterns }) => patterns),
        );
  const ended = await facts.sql<{ what: string; rows: number }>(ENDED, [
    erased.map(({ guard }) => guard.id),
    erased.map(({ guard }) => guard.staffId),
  ]);
  const changed: string[] = [];
  for (const { guard, work } of erased) {
    const now = await workOf(facts, guard);
    if (JSON.stringify(now) !== JSON.stringify(work))
      changed.push(`guard ${guard.number}: ${JSON.stringify(work)}, now ${JSON.stringify(now)}`);
  }
  return brokenOf([
    { name: 'no record names an erased guard, or has a number of theirs', rows: left },
    {
      name: 'what is only about a person ends with their erasure',
      rows: ended.filter(({ rows }) => rows > 0),
    },
    { name: 'work and pay of an erased guard stay what they were', rows: changed },
  ]);
}
