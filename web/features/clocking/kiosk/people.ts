// The guards of the site as the device knows them, with the events that it has not sent yet.

import * as z from 'zod/mini';
import { ASSIGNMENTS_ATTENDANCE_STATE } from '#shared/database.values.ts';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { eventSchema } from './event.ts';

const personSchema = z.object({
  assignment_id: z.uuid(),
  user_id: z.uuid(),
  name: z.string(),
  role: z.nullable(z.string()),
  start_time: z.string(),
  end_time: z.string(),
  state: z.enum(ASSIGNMENTS_ATTENDANCE_STATE),
  /** Set and not locked; a list that an earlier version has cached doesn't say. */
  has_pin: z.optional(z.boolean()),
});
export type KioskPerson = z.infer<typeof personSchema>;

export const siteSchema = z.object({
  device: z.object({ name: z.string() }),
  site: z.object({ name: z.string(), timezone: z.string() }),
  people: z.array(personSchema),
});
export type KioskSite = z.infer<typeof siteSchema>;

/** Clock-in opens this long before the shift, as the database has it. */
const LEAD_MS = 4 * 3_600_000;

function withEntries(person: KioskPerson, entries: readonly OutboxEntry[]): KioskPerson {
  let { state } = person;
  for (const { payload } of entries) {
    const event = eventSchema.safeParse(payload).data;
    if (event?.assignmentId === person.assignment_id) state = event.kind;
  }
  return { ...person, state };
}

/**
 * The guards to show: one entry each, those who can clock in or out now.
 * @param entries waiting to be sent, in order
 * @param now milliseconds since 1970, by the server's clock
 */
export function peopleNow(
  people: readonly KioskPerson[],
  entries: readonly OutboxEntry[],
  now: number,
): KioskPerson[] {
  const shown = new Map<string, KioskPerson>();
  for (const person of people.map((each) => withEntries(each, entries))) {
    const isOpen =
      Date.parse(person.start_time) - LEAD_MS <= now && now < Date.parse(person.end_time);
    if (person.state !== 'in' && !isOpen) continue;
    const other = shown.get(person.user_id);
    // Who is clocked in clocks out first; after that the shift that is not worked yet.
    const rank = { in: 0, none: 1, out: 2 };
    if (!other || rank[person.state] < rank[other.state]) shown.set(person.user_id, person);
  }
  return [...shown.values()].sort((one, two) => one.name.localeCompare(two.name));
}
