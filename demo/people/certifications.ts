// Training courses and who holds which certificate: most valid, some about to expire, a few expired.

import { iso } from '../calendar.ts';
import type { Loading } from '../clients/business.ts';
import { insertRows } from '../insert-rows.ts';
import { idOf, Random } from '../random.ts';
import coursesData from './courses.json' with { type: 'json' };
import type { People, Person } from './people.ts';

/** `further` than those in supabase/seed.sql. `held`: validity in months and the share of guards who hold it. */
const { further: FURTHER_COURSES, held: HELD_COURSES } = coursesData;

const DAYS_A_MONTH = 30;

/** Days until a certificate expires: rarely negative, since most courses are repeated in time. */
function daysLeft(validity: number, random: Random): number {
  const kind = random.next();
  if (kind < 0.012) return -random.int(1, 40);
  if (kind < 0.04) return random.int(1, 30);
  return random.int(31, Math.max(32, validity - 20));
}

export interface Certificate {
  person: Person;
  course: string;
  /** Calendar days. */
  issued: number;
  expires: number;
}

export function makeCertificates(people: People): Certificate[] {
  const random = new Random('certifications');
  const demo = [people.named('guard'), people.named('guard2')];
  const certificates: Certificate[] = [];
  for (const person of people.guards) {
    for (const [number, { course, months, share }] of HELD_COURSES.entries()) {
      const validity = months * DAYS_A_MONTH;
      // The demo guards have four each, one of which is about to expire.
      const isDemo = demo.includes(person);
      if (isDemo ? number > 3 : !random.chance(share)) continue;
      const left = isDemo ? [412, 167, 12, 96][number] : daysLeft(validity, random);
      const expires = left ?? validity;
      certificates.push({ person, course, issued: expires - validity, expires });
    }
  }
  return certificates;
}

/** @returns the ids of all courses by title */
export async function insertCertifications(
  certificates: readonly Certificate[],
  { client, calendar }: Loading,
): Promise<Map<string, string>> {
  const further = FURTHER_COURSES.map((one, number) => ({ id: idOf('course', number), ...one }));
  await insertRows(client, 'training_courses', further);
  const { rows: courses } = await client.query<{ id: string; title: string }>(
    'select id, title from public.training_courses',
  );
  const idOfCourse = new Map(courses.map(({ id, title }) => [title, id]));
  const rows = certificates.map(({ person, course, issued, expires }, number) => ({
    id: idOf('certification', number),
    user_id: person.id,
    course_id: idOfCourse.get(course) ?? null,
    certificate_number: `SSS-${calendar.date(issued).slice(0, 4)}-${String(number + 1).padStart(5, '0')}`,
    issued_at: iso(calendar.at(issued, 12)),
    expires_at: iso(calendar.at(expires, 12)),
    created_at: calendar.past(calendar.at(issued + 2, 10)),
  }));
  await insertRows(client, 'certifications', rows);
  return idOfCourse;
}
