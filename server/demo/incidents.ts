import type { ClientBase } from 'pg';
import { type Calendar, HOUR, iso, minutes } from './calendar.ts';
import type { Business } from './clients-and-sites.ts';
import { FOLLOW_UPS, INCIDENTS, type IncidentCategory, type Report } from './data.ts';
import { idOf } from './ids.ts';
import { load } from './load.ts';
import { Random } from './random.ts';
import type { Assignment } from './roster.ts';

const COUNT = 600;
/** Share of incidents at the busiest site. */
const AT_BUSIEST = 0.09;

type Status = 'open' | 'investigating' | 'resolved' | 'closed';

export interface Incident {
  id: string;
  assignment: Assignment;
  category: IncidentCategory;
  report: Report;
  status: Status;
  /** Of the last follow-up. */
  notes: string | null;
  at: number;
  followedUp: number;
}

/** @param age days since the report */
function statusAfter(age: number, random: Random): Status {
  if (age < 2) return random.chance(0.75) ? 'open' : 'investigating';
  if (age < 8) {
    return random.weighted([
      ['open', 20],
      ['investigating', 35],
      ['resolved', 35],
      ['closed', 10],
    ] as const);
  }
  return random.weighted([
    ['open', 1],
    ['investigating', 3],
    ['resolved', 38],
    ['closed', 58],
  ] as const);
}

/**
 * @param assignments only those with a clock-in report incidents
 * @returns incidents in chronological order
 */
export function makeIncidents(
  assignments: readonly Assignment[],
  business: Business,
  calendar: Calendar,
): Incident[] {
  const random = new Random('incidents');
  const now = calendar.now.getTime();
  const worked = assignments.filter(({ attendance }) => attendance !== 'none');
  const busiest = worked.filter(({ shift }) => shift.site === business.busiest);
  const made = Array.from({ length: COUNT }, (_, index) => {
    const assignment = random.pick(random.chance(AT_BUSIEST) ? busiest : worked);
    const { start, end } = assignment.shift;
    const latest = Math.min(end, now) - minutes(2);
    const at = start + minutes(10) + random.next() * Math.max(0, latest - start - minutes(10));
    const { category, reports } = random.weighted(
      INCIDENTS.map((entry) => [entry, entry.weight] as const),
    );
    const status = statusAfter((now - at) / (24 * HOUR), random);
    return {
      id: idOf('incident', index),
      assignment,
      category,
      report: random.pick(reports),
      status,
      notes: status !== 'open' && random.chance(0.6) ? random.pick(FOLLOW_UPS) : null,
      at: Math.min(at, now),
      followedUp: Math.min(at + minutes(random.int(20, 2_600)), now),
    };
  });
  return made.sort((a, b) => a.at - b.at);
}

export async function insertIncidents(
  client: ClientBase,
  incidents: readonly Incident[],
): Promise<void> {
  await load(
    client,
    'public.incidents',
    {
      id: 'uuid',
      site_id: 'uuid',
      raised_by_user_id: 'uuid',
      title: 'text',
      category: 'text',
      severity: 'text',
      status: 'text',
      description: 'text',
      created_at: 'timestamptz',
      updated_at: 'timestamptz',
    },
    incidents.map(({ id, assignment, category, report, status, at, followedUp }) => ({
      id,
      site_id: assignment.shift.site.id,
      raised_by_user_id: assignment.guard.id,
      title: report.title,
      category,
      severity: report.severity,
      status,
      description: report.description,
      created_at: iso(at),
      updated_at: iso(status === 'open' ? at : followedUp),
    })),
  );
}
