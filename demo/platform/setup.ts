// The settings of the setup guide, confirmed when the company began: a demo company has none of it left.
import { iso } from '../calendar.ts';
import type { Loading } from '../clients/business.ts';

/** Days ago. */
const BEGAN = 120;

const CONFIRMED = [
  'company',
  'roster_rules',
  'time_rules',
  'pay_rules',
  'bank_formats',
  'messages',
  'backup',
];

export async function insertSetup({ client, people, calendar }: Loading): Promise<void> {
  await client.query(
    `insert into public.setup_marks (id, step, mark, marked_by, marked_at)
     select md5('setup ' || step)::uuid, step, 'confirmed', $2, $3 from unnest($1::text[]) step`,
    [CONFIRMED, people.named('admin').id, iso(calendar.at(-BEGAN, 10))],
  );
}
