// Clients that leave: the contract and the posts get a last day, some clients stay after all, and afterwards nothing is left to do.
import { Random } from '#demo/random.ts';
import { addDays, instantOf } from './clock.ts';
import { accepted } from './door.ts';
import type { Invariant } from './invariant.ts';
import type { World } from './world.ts';

const NOTICE_ON = 6;

/** Of those who give notice. */
const STAYS = 0.35;

export const DEPARTURES: readonly Invariant[] = [
  {
    // Also after a client who gave notice has stayed after all.
    name: 'a post has the shifts that it asks for in the coming week',
    sql: `
      select p.name, current_date + n as day, e.slot from posts p join post_requirements q on q.post_id = p.id
      cross join generate_series(1, 7) n cross join jsonb_to_recordset(q.slots) e (slot integer, day integer, start time)
      where current_date + n between greatest(p.valid_from, q.valid_from) and least(p.valid_to, q.valid_to, 'infinity')
        and (current_date + n - q.valid_from) % q.cycle_days = e.day and not exists (
          select from shifts s where s.requirement_id = q.id and s.slot = e.slot
            and s.start_time at time zone 'UTC' = current_date + n + e.start)`,
  },
  {
    name: 'nothing is planned or worked at a post after its last day',
    sql: `
      select s.id, s.start_time, p.name, p.valid_to from shifts s join posts p on p.id = s.post_id
      where (s.start_time at time zone 'UTC')::date > p.valid_to`,
  },
  {
    name: 'nothing is billed after the last day of a contract',
    // A shift belongs to the day on which it begins.
    sql: `
      select l.id, i.number, k.ends_on, b.span::text from invoice_lines l join invoices i on i.id = l.invoice_id
      join contracts k on k.id = i.contract_id
      left join billed_time b on b.invoice_line_id = l.id and b.freed_at is null
      left join shifts s on s.id = b.shift_id
      where l.credited_at is null and (i.period_start > k.ends_on or l.kind = 'regular'
        and (coalesce(s.start_time, lower(b.span)) at time zone 'UTC')::date > k.ends_on)`,
  },
  {
    name: 'the last month of a contract that has ended is billed',
    sql: `
      select k.id, k.ends_on from contracts k
      where date_trunc('month', k.ends_on::timestamp) + interval '1 month 4 days' < now() and k.updated_at < now() - interval '4 days'
        and exists (
          select from contract_posts c join time_segments g on g.site_id = c.site_id
            and g.day between date_trunc('month', k.ends_on::timestamp)::date and k.ends_on
          where c.contract_id = k.id and g.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday'))
        and not exists (select from invoices i where i.contract_id = k.id and i.period_end >= k.ends_on)`,
  },
  {
    name: 'no alert is raised at a site whose posts have ended',
    // A guard who was last there may still need help.
    sql: `
      select a.id, a.kind, a.raised_at, t.name from alerts a join sites t on t.id = a.site_id
      where a.kind <> 'sos' and exists (select from posts p where p.site_id = t.id) and not exists (
        select from posts p where p.site_id = t.id and a.raised_at < coalesce(p.valid_to + 1, 'infinity') + interval '12 hours')`,
  },
];

/** Gives the contracts and the posts of a client a last day; null takes it back. */
async function setLastDay(
  { company }: World,
  client: string,
  last: string | null,
): Promise<string> {
  const { finance, operations, sites } = company;
  const { data: contracts } = accepted(
    await finance.client
      .from('contracts')
      .update({ ends_on: last })
      .eq('client_id', client)
      .select('id'),
  );
  const ids = sites.filter(({ clientId }) => clientId === client).map(({ id }) => id);
  const { data: posts } = accepted(
    await operations.client.from('posts').select().in('site_id', ids).order('name'),
  );
  for (const post of posts ?? []) {
    const { id, name, headcount, gender, gender_reason, lone_worker, needs_induction } = post;
    const change = {
      p_post: {
        ...{ id, name, headcount, gender, gender_reason, lone_worker, needs_induction },
        ...{ valid_from: post.valid_from, valid_to: last, notes: post.notes },
      },
      p_courses: [],
    };
    // The form shows first what becomes of the shifts ahead.
    for (const p_preview of [true, false])
      accepted(await operations.client.rpc('save_post', { ...change, p_preview }));
  }
  return `${contracts?.length} contracts, ${posts?.length} posts`;
}

/** The site is handed over; its tablet is sometimes forgotten there. */
async function handOver(world: World, client: string, isRevoked: boolean): Promise<string> {
  const { company } = world;
  const left = company.sites.filter(({ clientId }) => clientId === client);
  const { data: devices } = accepted(
    await company.admin.client
      .from('devices')
      .select('id')
      .is('revoked_at', null)
      .in(
        'site_id',
        left.map(({ id }) => id),
      ),
  );
  for (const { id } of isRevoked ? (devices ?? []) : [])
    accepted(await company.admin.client.rpc('revoke_device', { p_device_id: id }));
  company.sites = company.sites.filter((site) => !left.includes(site));
  return left.map(({ name }) => name).join(', ');
}

export function planDepartures(world: World, day: string): void {
  const { agenda, company, size } = world;
  if (Number(day.slice(8)) !== NOTICE_ON) return;
  const random = new Random(`simulation/${size.seed}/departure/${day}`);
  // The supervisor's site and the one with welfare checks stay.
  const kept = company.sites.slice(0, 2).map(({ clientId }) => clientId);
  const client = company.sites.findLast(({ clientId }) => !kept.includes(clientId))?.clientId;
  if (client === undefined || !random.chance(0.8)) return;
  const last = addDays(day, random.int(4, 12));
  const stays = random.chance(STAYS);
  const isRevoked = random.chance(0.5);
  const { name } = company.sites.find(({ clientId }) => clientId === client) ?? { name: '' };
  agenda.add(instantOf(day, '10:55'), `the client of ${name} leaves after ${last}`, () =>
    setLastDay(world, client, last),
  );
  if (stays)
    agenda.add(instantOf(addDays(last, -1), '11:05'), `the client of ${name} stays after all`, () =>
      setLastDay(world, client, null),
    );
  else
    agenda.add(instantOf(addDays(last, 1), '13:10'), `operations hands over ${name}`, () =>
      handOver(world, client, isRevoked),
    );
}
