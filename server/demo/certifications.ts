// Training courses and who holds which certificate: most valid, some about to expire, a few expired.
import type { ClientBase } from 'pg';
import { type Calendar, iso } from './calendar.ts';
import { idOf } from './ids.ts';
import { load } from './load.ts';
import type { People, Person } from './people.ts';
import { Random } from './random.ts';

/** In addition to those in supabase/seed.sql. */
const FURTHER_COURSES = [
  ['VIP Protection & Escort', 'Close protection, routes and advance work.', 12],
  ['Event & Crowd Safety', 'Stewarding, queues and evacuation of events.', 24],
  ['Radio Communication', 'Voice procedure, call signs and the log.', 36],
] as const;

/** Course, validity in months, share of guards who hold it. */
const HELD = [
  ['Basic Guard Training', 24, 1],
  ['First Aid & CPR', 24, 0.55],
  ['Fire Safety', 12, 0.5],
  ['Use of Force & De-escalation', 12, 0.35],
  ['CCTV & Control Room Operation', 36, 0.15],
  ['VIP Protection & Escort', 12, 0.08],
  ['Event & Crowd Safety', 24, 0.15],
  ['Radio Communication', 36, 0.3],
] as const;

const DAYS_A_MONTH = 30;

/** Days until a certificate expires: rarely negative, since most courses are repeated in time. */
function daysLeft(validity: number, random: Random): number {
  const kind = random.next();
  if (kind < 0.012) return -random.int(1, 40);
  if (kind < 0.04) return random.int(1, 30);
  return random.int(31, Math.max(32, validity - 20));
}

interface Certificate {
  person: Person;
  course: string;
  /** Calendar days. */
  issued: number;
  expires: number;
}

function makeCertificates(people: People): Certificate[] {
  const random = new Random('certifications');
  const demo = [people.named('guard'), people.named('guard2')];
  const certificates: Certificate[] = [];
  for (const person of people.guards) {
    for (const [course, months, share] of HELD) {
      const validity = months * DAYS_A_MONTH;
      // The demo guards have four each, one of which is about to expire.
      const number = HELD.findIndex(([title]) => title === course);
      const isDemo = demo.includes(person);
      if (isDemo ? number > 3 : !random.chance(share)) continue;
      const left = isDemo ? [412, 167, 12, 96][number] : daysLeft(validity, random);
      const expires = left ?? validity;
      certificates.push({ person, course, issued: expires - validity, expires });
    }
  }
  return certificates;
}

export async function insertCertifications(
  client: ClientBase,
  people: People,
  calendar: Calendar,
): Promise<void> {
  await client.query(
    `insert into public.training_courses (id, title, description, validity_months)
     select * from unnest($1::uuid[], $2::text[], $3::text[], $4::int[])
     on conflict do nothing`,
    [
      FURTHER_COURSES.map((_, number) => idOf('course', number)),
      FURTHER_COURSES.map(([title]) => title),
      FURTHER_COURSES.map(([, description]) => description),
      FURTHER_COURSES.map(([, , months]) => months),
    ],
  );
  const { rows: courses } = await client.query<{ id: string; title: string }>(
    'select id, title from public.training_courses',
  );
  const idOfCourse = new Map(courses.map(({ id, title }) => [title, id]));
  const rows = makeCertificates(people).map(({ person, course, issued, expires }, number) => ({
    id: idOf('certification', number),
    user_id: person.id,
    course_id: idOfCourse.get(course) ?? null,
    certificate_number: `SSS-${calendar.date(issued).slice(0, 4)}-${String(number + 1).padStart(5, '0')}`,
    issued_at: iso(calendar.at(issued, 12)),
    expires_at: iso(calendar.at(expires, 12)),
    created_at: calendar.past(calendar.at(issued + 2, 10)),
  }));
  await load(
    client,
    'public.certifications',
    {
      id: 'uuid',
      user_id: 'uuid',
      course_id: 'uuid',
      certificate_number: 'text',
      issued_at: 'timestamptz',
      expires_at: 'timestamptz',
      created_at: 'timestamptz',
    },
    rows,
  );
}
