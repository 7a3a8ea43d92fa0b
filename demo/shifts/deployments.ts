// Deployments of the tracker: visits, events and escorts in addition to the shifts.

import { HOUR, iso } from '../calendar.ts';
import type { Loading } from '../clients/business.ts';
import { insertRows } from '../insert-rows.ts';
import { idOf, Random } from '../random.ts';
import DEPLOYMENTS from './deployments.json' with { type: 'json' };

const COUNT = 64;

export async function insertDeployments(company: Loading): Promise<void> {
  const { client, people, business, calendar } = company;
  const random = new Random('deployments');
  const guards = people.guards.filter(({ left }) => left === undefined);
  const authors = ['ops', 'dispatcher', 'supervisor', 'admin'].map((name) => people.named(name).id);
  const now = calendar.now.getTime();
  const rows = Array.from({ length: COUNT }, (_, number) => {
    const guard = random.pick(guards);
    const ordered = random.chance(0.8) ? random.pick(business.clients) : undefined;
    const day = random.int(-40, 12);
    const start = calendar.at(day, random.int(6, 18), random.pick([0, 0, 30]));
    const end = start + random.int(3, 12) * HOUR;
    const planned = end <= now ? 'completed' : start <= now ? 'active' : 'scheduled';
    return {
      id: idOf('deployment', number),
      guard_name: guard.fullName,
      guard_id: guard.id,
      location: random.pick(DEPLOYMENTS.locations),
      client_name: ordered?.name ?? null,
      client_id: ordered?.id ?? null,
      shift_start: iso(start),
      shift_end: iso(end),
      status: random.chance(0.09) ? 'cancelled' : planned,
      notes: random.chance(0.5) ? random.pick(DEPLOYMENTS.notes) : null,
      created_by: random.pick(authors),
      created_at: calendar.past(calendar.at(day - random.int(2, 9), 11, random.int(0, 59))),
    };
  });
  await insertRows(client, 'deployments', rows);
}
