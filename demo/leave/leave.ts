import type { Loading } from '../clients/business.ts';
import { insertRows } from '../insert-rows.ts';
import type { People, Person } from '../people/people.ts';
import { idOf, Random } from '../random.ts';
import leaveData from './leave.json' with { type: 'json' };

/** By type: relative frequency, and the longest period in days. */
const {
  decisionNotes: DECISION_NOTES,
  reasons: LEAVE_REASONS,
  often: LEAVE_TYPES,
  longest: LONGEST_LEAVE,
} = leaveData;
type LeaveType = keyof typeof LEAVE_REASONS;

const REQUESTS = 420;

export interface Leave {
  person: Person;
  type: LeaveType;
  /** Calendar days, both inclusive. */
  first: number;
  last: number;
  status: 'pending' | 'approved' | 'rejected' | 'cancelled';
  reason: string;
  /** Day of the request. */
  asked: number;
}

function statusOf(first: number, random: Random): Leave['status'] {
  if (first > 3 && random.chance(0.55)) return 'pending';
  return random.among({ approved: 78, rejected: 13, cancelled: 9 });
}

/** Requests of the demo guards, so that they see their own. */
function leaveOfDemoGuards(people: People): Leave[] {
  const guard = people.named('guard');
  const guard2 = people.named('guard2');
  const [annual] = LEAVE_REASONS.annual;
  const [sick] = LEAVE_REASONS.sick;
  const leave = (
    person: Person,
    type: LeaveType,
    [first, last]: [number, number],
    status: Leave['status'],
    reason = '',
  ): Leave => ({ person, type, first, last, status, reason, asked: Math.min(first - 10, -2) });
  return [
    leave(guard, 'annual', [34, 44], 'pending', annual),
    leave(guard, 'sick', [-47, -45], 'approved', sick),
    leave(guard, 'unpaid', [-24, -22], 'rejected', LEAVE_REASONS.unpaid[0]),
    leave(guard2, 'annual', [21, 27], 'approved', annual),
    leave(guard2, 'emergency', [-33, -33], 'cancelled', LEAVE_REASONS.emergency[0]),
  ];
}

export function makeLeave(people: People): Leave[] {
  const random = new Random('leave');
  const asking = people.everyone.filter(
    ({ role, left, email }) =>
      role !== undefined && role !== 'admin' && left === undefined && !/^guard2?@/.test(email),
  );
  const lastDayOf = new Map<Person, number>();
  const leave = leaveOfDemoGuards(people);
  while (leave.length < REQUESTS) {
    const person = random.pick(asking);
    const type = random.among(LEAVE_TYPES);
    const first = random.int(-88, 40);
    const last = first + random.int(0, LONGEST_LEAVE[type] - 1);
    // Periods of one person must not overlap.
    if (first <= (lastDayOf.get(person) ?? -Infinity)) continue;
    lastDayOf.set(person, last);
    const notice = type === 'sick' || type === 'emergency' || type === 'bereavement' ? 1 : 12;
    const status = statusOf(first, random);
    const reason = random.pick(LEAVE_REASONS[type]);
    const asked = Math.min(first - notice, -random.int(2, 7));
    leave.push({ person, type, first, last, status, reason, asked });
  }
  return leave;
}

export async function insertLeave(leave: Leave[], company: Loading): Promise<void> {
  const { client, people, calendar } = company;
  const random = new Random('leave decisions');
  const deciders = [people.named('hr').id, people.named('ops').id];
  const rows = leave.map((one, number) => {
    const { status } = one;
    const decided = status === 'approved' || status === 'rejected';
    const askedAt = calendar.at(one.asked, random.int(7, 19), random.int(0, 59));
    const decidedAt = calendar.at(one.asked + 1, random.int(9, 16), random.int(0, 59));
    const by = deciders.filter((id) => id !== one.person.id);
    return {
      id: idOf('leave', number),
      user_id: one.person.id,
      type: one.type,
      start_date: calendar.date(one.first),
      end_date: calendar.date(one.last),
      reason: one.reason,
      status,
      decision_note: decided ? random.pick(DECISION_NOTES[status]) : null,
      decided_by: decided ? random.pick(by) : null,
      decided_at: decided ? calendar.past(decidedAt) : null,
      created_at: calendar.past(askedAt),
      updated_at: calendar.past(decided ? decidedAt : askedAt),
    };
  });
  await insertRows(client, 'leave_requests', rows);
  // As the disabled triggers of leave requests would do. The function is asked of what is near, not of every assignment.
  await client.query(
    `update public.assignments a set on_leave = true
     from (
       select distinct n.id, n.user_id, n.period
       from public.leave_requests l
       join public.assignments n on n.user_id = l.user_id and n.starts_at > l.start_date - interval '3 days'
         and n.starts_at < l.end_date + interval '3 days'
       where l.status = 'approved' offset 0
     ) near
     where near.id = a.id and private.is_on_leave(near.user_id, near.period)`,
  );
}
