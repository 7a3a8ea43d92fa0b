// The books of some posts in the last days: what guards saw, who came, and which keys were out.

import { HOUR, iso } from '../calendar.ts';
import { type Loading, largestClients } from '../clients/business.ts';
import { insertRows, type NewRow } from '../insert-rows.ts';
import { idOf, Random } from '../random.ts';
import { sitesWithOrders } from './orders.ts';

const MINUTE = 60_000;
const SITES = 4;
const DAYS = 4;

const ENTRIES = [
  ['observation', 'Grey pickup parked across the gate for ten minutes, then left.'],
  ['observation', 'Light at the back fence is out.'],
  ['observation', 'Street vendors moved away from the entrance.'],
  ['delivery', 'Two parcels for the office, left at reception.'],
  ['delivery', 'Diesel, 400 litres, received with the engineer.'],
  ['lost_found', 'Black umbrella found at the parking lot, kept at the gate.'],
  ['instruction', 'Client asks: no vehicles in front of the main door today.'],
] as const;

/** Kind, name, company, host, document, plate. */
const VISITORS = [
  ['person', 'Josephine Kollie', 'Liberia Electric', 'Engineer', 'work_id', null],
  ['person', 'Emmanuel Sumo', 'Ducor Catering', 'Kitchen', 'national_id', null],
  ['vehicle', 'Varney Kromah', 'Kromah Transport', 'Store', 'driving_licence', 'A-48213'],
  ['person', 'Hawa Massaquoi', null, 'Front office', 'national_id', null],
  ['vehicle', 'Alfred Gbowee', 'Montserrado Water', null, 'driving_licence', 'CM-1907'],
  ['person', 'Teta Wleh', 'Auditors & Partners', 'Finance', 'passport', null],
] as const;

const KEYS = [
  ['Generator room', 'Engineer'],
  ['Back gate', 'Emmanuel Sumo'],
  ['Store 2', 'Storekeeper'],
] as const;

interface Duty {
  assignment_id: string;
  user_id: string;
  site_id: string;
  post_id: string | null;
  begins: Date;
  ends: Date | null;
}

const DUTIES = `
  select a.id as assignment_id, a.user_id, a.site_id, s.post_id, d.clock_in_at as begins, d.clock_out_at as ends
  from public.attendance d
  join public.assignments a on a.id = d.assignment_id
  join public.shifts s on s.id = a.shift_id
  where a.site_id = any ($1) and d.clock_in_at > $2::timestamptz - make_interval(days => $3) and d.clock_in_at < $2
  order by d.clock_in_at, a.id`;

export async function insertBook(company: Loading): Promise<void> {
  const { client, calendar, people, business } = company;
  const random = new Random('book of the post');
  const now = calendar.now.getTime();
  const ofGuard = await client.query<{ id: string }>(
    `select site_id as id from public.assignments
     where user_id = $1 and starts_at < $2 order by starts_at desc limit 1`,
    [people.named('guard').id, iso(now)],
  );
  const sites = new Set([
    ...ofGuard.rows.map(({ id }) => id),
    ...sitesWithOrders(company)
      .slice(0, SITES)
      .map(({ id }) => id),
  ]);
  const known = [...sites].filter((id) => business.sites.some((site) => site.id === id));
  // Last, so that the other books stay as they were: the site of the contact who looks at /client.
  const [largest] = largestClients(business.clients, 1);
  const ofContact = business.sites.filter((site) => site.client === largest).slice(0, 1);
  const added = ofContact.map(({ id }) => id).filter((id) => !known.includes(id));
  const dutiesAt = async (ids: readonly string[]) =>
    (await client.query<Duty>(DUTIES, [ids, iso(now), DAYS])).rows;
  const duties = [...(await dutiesAt(known)), ...(await dutiesAt(added))];
  const entries: NewRow<'post_entries'>[] = [];
  const visits: NewRow<'visits'>[] = [];
  const keys: NewRow<'key_movements'>[] = [];
  /** By site and name, milliseconds. */
  const insideUntil = new Map<string, number>();
  const lateAt = new Set<string>();

  for (const duty of duties) {
    const { assignment_id, user_id, site_id, post_id } = duty;
    const place = { site_id, post_id, assignment_id };
    const begins = duty.begins.getTime();
    const ends = Math.min(duty.ends?.getTime() ?? now, now);
    const write = (kind: string, text: string, at: number) => {
      const isWrong = entries.length === 7;
      entries.push({
        ...{ id: idOf('post entry', entries.length), ...place, user_id, kind, text },
        ...{ written_at: iso(at), device_at: iso(at), received_at: iso(at) },
        struck_at: isWrong ? iso(at + 5 * MINUTE) : null,
        struck_by: isWrong ? user_id : null,
        strike_reason: isWrong ? 'Written for the wrong gate' : null,
      });
    };
    for (let at = begins + 2 * HOUR; at < ends; at += 3 * HOUR) {
      write('check', 'All quiet', at + random.int(0, 20) * MINUTE);
      if (random.int(0, 2) === 0) {
        const [kind, text] = random.pick(ENTRIES);
        write(kind, text, at + random.int(25, 80) * MINUTE);
      }
    }
    for (
      let at = begins + 40 * MINUTE;
      at < ends - 10 * MINUTE;
      at += random.int(60, 150) * MINUTE
    ) {
      const hour = new Date(at).getUTCHours();
      if (hour < 7 || hour > 18) continue;
      const [kind, name, visitorOf, host, document_type, plate] = random.pick(VISITORS);
      const left = at + random.int(20, 110) * MINUTE;
      const badge = kind === 'person' ? String(random.int(1, 30)) : null;
      // Nobody comes in twice without leaving, also when another guard is at the gate.
      const key = `${site_id} ${name}`;
      if ((insideUntil.get(key) ?? 0) > at) continue;
      insideUntil.set(key, left < ends ? left : duty.ends ? ends : Number.POSITIVE_INFINITY);
      visits.push({
        ...{ id: idOf('visit', visits.length), ...place, kind, name, company: visitorOf, host },
        ...{ document_type, plate, badge },
        ...{ in_at: iso(at), in_device_at: iso(at), in_by: user_id, received_at: iso(at) },
        out_at: left < ends ? iso(left) : duty.ends ? iso(ends) : null,
        out_device_at: left < ends ? iso(left) : duty.ends ? iso(ends) : null,
        out_by: left < ends || duty.ends ? user_id : null,
      });
    }
    if (random.int(0, 1) === 0 && ends - begins > 2 * HOUR) {
      const [key_name, taken_by] = random.pick(KEYS);
      const taken = begins + random.int(20, 60) * MINUTE;
      // At each site one key is overdue at most.
      const isLate = !duty.ends && taken + HOUR < now;
      const isBack = duty.ends !== null || (isLate && lateAt.has(site_id));
      if (isLate) lateAt.add(site_id);
      const back = isBack ? iso(taken + (duty.ends ? random.int(20, 55) : 40) * MINUTE) : null;
      keys.push({
        ...{ id: idOf('key movement', keys.length), ...place, key_name, taken_by },
        ...{ due_at: iso(taken + HOUR), out_at: iso(taken), out_device_at: iso(taken) },
        ...{ out_by: user_id, in_at: back, in_device_at: back, in_by: back && user_id },
        received_at: iso(taken),
      });
    }
  }
  const isPast = (at: unknown) => Date.parse(String(at)) < now;
  await insertRows(
    client,
    'post_entries',
    entries.filter(({ written_at }) => isPast(written_at)),
  );
  await insertRows(client, 'visits', visits);
  await insertRows(client, 'key_movements', keys);
  // Everybody knows.
  await client.query(
    `insert into private.told_keys (movement_id, due_at)
     select id, due_at from public.key_movements where due_at is not null`,
  );
}
