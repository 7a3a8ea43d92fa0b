// Welfare checks of the last duty at a post with one guard, a false alarm, and text messages of guards.

import { HOUR, iso } from '../calendar.ts';
import type { Loading } from '../clients/business.ts';
import { WELFARE_MINUTES } from '../clients/places.ts';
import { insertRows } from '../insert-rows.ts';
import { idOf } from '../random.ts';

const MINUTE = 60_000;
const EVERY = WELFARE_MINUTES * MINUTE;

interface Duty {
  id: string;
  shift_id: string;
  user_id: string;
  site_id: string;
  phone: string | null;
  clock_in_at: Date;
  clock_out_at: Date;
}

/** The last duty at a post that one guard keeps. */
const LONE_DUTY = `
  select a.id, a.shift_id, a.user_id, a.site_id, p.phone, r.clock_in_at, r.clock_out_at
  from public.attendance r
  join public.assignments a on a.id = r.assignment_id
  join public.shifts s on s.id = a.shift_id
  join public.posts o on o.id = s.post_id
  join public.profiles p on p.id = a.user_id
  where o.lone_worker and r.clock_out_at < $1 and r.clock_out_at > r.clock_in_at + interval '6 hours'
    and a.user_id <> $2
  order by r.clock_out_at desc, a.id limit 1`;

/** Minutes after the check, for the second of the duty: after both reminders. */
const LATE = 13;

function checksOf({ id, shift_id, user_id, site_id, clock_in_at, clock_out_at }: Duty) {
  const start = clock_in_at.getTime();
  const count = Math.floor((clock_out_at.getTime() - start) / EVERY);
  return Array.from({ length: count }, (_, index) => {
    const due = start + (index + 1) * EVERY;
    const isLate = index === 1;
    const answered = due + (isLate ? LATE : 1 + ((index * 7) % 4)) * MINUTE;
    return {
      id: idOf('welfare check', index),
      assignment_id: id,
      shift_id,
      user_id,
      site_id,
      due_at: iso(due),
      every_minutes: WELFARE_MINUTES,
      asked_at: iso(due),
      reminders: isLate ? 2 : 0,
      reminded_at: isLate ? iso(due + 10 * MINUTE) : null,
      answered_at: iso(answered),
      received_at: iso(answered),
      way: index === 2 ? 'message' : 'phone',
      created_at: iso(due - EVERY),
    };
  });
}

/** Phones of the guards who are alone at a post now: put away, except one that fell silent. */
const SIGNALS = `
  with alone as (
    select a.*, row_number() over (order by r.clock_in_at < $1::timestamptz - interval '1 hour' desc, a.id) = 1 as is_silent
    from public.attendance r
    join public.assignments a on a.id = r.assignment_id
    join public.shifts s on s.id = a.shift_id
    join public.posts o on o.id = s.post_id
    where o.lone_worker and r.clock_out_at is null and upper(a.period) > $1 and a.user_id <> $2
      and r.clock_in_at < $1::timestamptz - interval '25 minutes'
  )
  insert into private.phone_signals (user_id, heard_at, is_away, waiting)
  select distinct on (user_id) user_id,
    $1::timestamptz - case when is_silent then interval '24 minutes' else interval '12 minutes' end,
    not is_silent, case when is_silent then 2 else 0 end
  from alone order by user_id, is_silent desc`;

/** As the server would have raised it, nine minutes ago. */
const SILENCE = `
  insert into public.alerts (cause, kind, shift_id, assignment_id, user_id, site_id, detail, raised_at,
    acknowledged_at, acknowledged_by, created_at, updated_at)
  select c.cause, c.kind, c.shift_id, c.assignment_id, c.user_id, c.site_id,
    private.silence_detail(c.assignment_id, c.device_id), $1::timestamptz - interval '9 minutes',
    $1::timestamptz - interval '7 minutes', $2, $1::timestamptz - interval '9 minutes',
    $1::timestamptz - interval '7 minutes'
  from private.alert_causes() c where c.kind = 'no_signal'`;

/** Hours ago, text, outcome and reply; the known guard's unless the number is another one. */
const MESSAGES = [
  [11, 'OK', 'fine', 'Thank you. No welfare check was due.', undefined],
  [
    6,
    'IN',
    'unknown_number',
    'This number is not known. Ask your supervisor to add it to your record.',
    '+231770940112',
  ],
  [
    4,
    'i am at the gate',
    'unknown_words',
    'Not understood. Send IN, OUT, OK, SOS or the code of your post.',
    undefined,
  ],
  [2, '', 'restricted', '', null],
] as const;

export async function insertSafety({ client, people, calendar }: Loading): Promise<void> {
  const now = calendar.now.getTime();
  const { rows } = await client.query<Duty>(LONE_DUTY, [calendar.now, people.named('guard').id]);
  const [duty] = rows;
  if (duty === undefined) throw new Error('No guard has worked alone.');
  await insertRows(client, 'welfare_checks', checksOf(duty));
  await client.query(SIGNALS, [calendar.now, people.named('guard').id]);
  await client.query(SILENCE, [calendar.now, people.named('dispatcher').id]);

  const pressed = duty.clock_in_at.getTime() + 40 * MINUTE;
  const id = idOf('sos', 0);
  await insertRows(client, 'sos_events', [
    {
      id,
      user_id: duty.user_id,
      assignment_id: duty.id,
      site_id: duty.site_id,
      device_at: iso(pressed),
      happened_at: iso(pressed),
      received_at: iso(pressed),
      way: 'phone',
      cancelled_at: iso(pressed + 25_000),
      cancel_note: 'Pressed while showing it to the relief',
    },
  ]);
  await insertRows(
    client,
    'inbound_messages',
    MESSAGES.map(([hours, body, outcome, reply, number], index) => ({
      id: idOf('message', index),
      provider_id: `gateway:demo-${index}`,
      kind: body === '' ? 'call' : 'text',
      from_phone: number === undefined ? duty.phone : number,
      body,
      received_at: iso(now - hours * HOUR),
      user_id: number === undefined ? duty.user_id : null,
      site_id: number === undefined ? duty.site_id : null,
      outcome,
      is_exception: outcome !== 'fine',
      reply,
    })),
  );
}
