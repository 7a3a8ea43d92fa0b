// Guards in danger: SOS by phone and by text message, pressed again, called false alarms, answered, and closed.
import { Random } from '#demo/random.ts';
import { DAY_MS, instantOf, MINUTE_MS } from './clock.ts';
import type { Guard } from './company.ts';
import { accepted, refusalOf } from './door.ts';
import { type Broken, brokenOf, type Facts, type Invariant } from './invariant.ts';
import { uuidFrom } from './lists.ts';
import { sendText } from './ways.ts';
import type { World } from './world.ts';

const HAPPENS = 0.25;
const WRONG_CLOCK_MS = 3 * DAY_MS;

export const SOS: readonly Invariant[] = [
  {
    name: 'each SOS is in one alert, which was open then, and which only a person closes',
    sql: `
      select e.id, e.joined, e.received_at, l.id as alert, l.raised_at, l.closed_at from sos_events e
      left join alerts l on l.cause = 'sos:' || coalesce(e.joined, e.id)
      where l.id is null or l.kind <> 'sos' or l.user_id <> e.user_id or l.raised_at > e.received_at
        or e.joined is not null and l.closed_at < e.received_at
        or (l.closed_at is null) <> (l.closed_by is null)
      union all
      select null, null, null, l.id, l.raised_at, l.closed_at from alerts l
      where l.kind = 'sos' and not exists (select from sos_events e where l.cause = 'sos:' || e.id)`,
  },
  {
    name: 'everybody who plans the site gets one notice of an SOS at once, except who pressed',
    sql: `
      with planners as (
        select e.id, e.received_at, p.user_id from sos_events e join alerts l on l.cause = 'sos:' || e.id
        cross join lateral (
          select distinct r.user_id from user_roles r where r.created_at < e.received_at and r.user_id <> e.user_id
            and (r.role in ('admin', 'ops_manager', 'supervisor', 'dispatcher') and r.site_id is null
              or r.role = 'supervisor' and r.site_id = l.site_id)
        ) p
        where e.received_at > now() - interval '1 day'
      )
      select p.id, p.user_id, count(n.id)::int as notices from planners p
      left join notices n on n.user_id = p.user_id and n.kind in ('alert', 'sos') and n.title like 'SOS%'
        and n.created_at between p.received_at - interval '1 second' and p.received_at + interval '10 seconds'
      group by 1, 2 having count(n.id) <> 1`,
  },
];

/** In the form of the app's outbox (web/features/safety/lone-guard/send-safety.ts), perhaps by a wrong clock. */
const timesOf = (at: number, aheadMs: number) => ({
  p_device_at: new Date(at + aheadMs).toISOString(),
  p_sent_at: new Date(Date.now() + aheadMs).toISOString(),
});

/** Twice: at first without a position. */
async function press({ client }: Guard, id: string, gps: string, aheadMs: number): Promise<void> {
  const at = Date.now();
  for (const position of [{}, { p_gps: gps, p_accuracy_m: 20 }])
    accepted(
      await client
        .rpc('raise_sos', { p_id: id, ...timesOf(at, aheadMs), ...position })
        .select('id'),
    );
}

/** The control room acts on every alert of an SOS that is open. @returns how many, and what was refused */
async function onOpen(
  { company }: World,
  run: (alert: string) => Promise<unknown>,
): Promise<string> {
  const { data } = accepted(
    await company.dispatcher.client
      .from('alerts')
      .select('id')
      .eq('kind', 'sos')
      .is('closed_at', null)
      .order('raised_at'),
  );
  const told: string[] = [];
  for (const { id } of data ?? []) told.push((await refusalOf(() => run(id))) ?? 'done');
  return told.join('; ') || 'none is open';
}

function planAnswer(world: World, random: Random): void {
  const { agenda, company } = world;
  const { client } = company.dispatcher;
  const start = agenda.now;
  const at = (minutes: number, what: string, run: () => Promise<string>): void =>
    agenda.add(start + minutes * MINUTE_MS, `the dispatcher ${what}`, run);
  const close = () =>
    onOpen(world, async (p_alert_id) =>
      accepted(
        await client.rpc('close_alert', { p_alert_id, p_outcome: 'closed', p_note: 'Police came' }),
      ),
    );
  const answered = random.among({ soon: 80, late: 20 });
  at(answered === 'soon' ? 2 : 25, 'answers an SOS', () =>
    onOpen(world, async (p_alert_id) =>
      accepted(await client.rpc('acknowledge_alert', { p_alert_id })),
    ),
  );
  const closed = random.among({ soon: 75, undone: 15, tomorrow: 10 });
  at(closed === 'tomorrow' ? 14 * 60 : 45, 'closes an SOS', async () => {
    if (closed !== 'undone') return close();
    const { data } = accepted(
      await client.from('alerts').select('id').eq('kind', 'sos').is('closed_at', null),
    );
    const told = await close();
    for (const { id } of data ?? []) accepted(await client.rpc('reopen_alert', { p_alert_id: id }));
    at(70, 'closes an SOS after all', close);
    return `${told}, and opens it again`;
  });
}

export function planSos(world: World, day: string): void {
  const { agenda, company, size } = world;
  const random = new Random(`simulation/${size.seed}/sos/${day}`);
  if (!random.chance(HAPPENS)) return;
  const guard = random.pick(company.guards);
  const site = random.pick(company.sites);
  const start = instantOf(day, random.pick(['01:33', '07:21', '13:52', '21:44'])) + 20_000;
  const isText = random.chance(0.2);
  const aheadMs = random.chance(0.15) ? random.int(-WRONG_CLOCK_MS, WRONG_CLOCK_MS) : 0;
  const course = random.among({ once: 45, hurries: 20, cancelled: 20, returns: 15 });
  const ids = [uuidFrom(random), uuidFrom(random), uuidFrom(random)] as const;
  const add = (seconds: number, what: string, run: () => Promise<unknown>): void =>
    agenda.add(start + seconds * 1000, `${guard.name} ${what}`, async () => {
      if (!company.guards.includes(guard)) return 'has left';
      const refusal = await refusalOf(run);
      return refusal;
    });
  add(0, `calls for help at ${site.name}${isText ? ' by text message' : ''}`, async () => {
    if (isText) await sendText(world, guard, 'SOS', ids[0], Date.now());
    else await press(guard, ids[0], site.gps, aheadMs);
    planAnswer(world, random);
  });
  // Several presses of one distress, one of a later one, and one after the control room had answered.
  if (course === 'hurries')
    for (const index of [1, 2] as const)
      add(index * 20, 'presses SOS again', () => press(guard, ids[index], site.gps, aheadMs));
  if (course === 'returns')
    for (const index of [1, 2] as const)
      add(index * 8 * 60, 'presses SOS again', () => press(guard, ids[index], site.gps, aheadMs));
  if (course === 'cancelled' && !isText)
    add(40, 'calls it a false alarm', async () =>
      accepted(
        await guard.client.rpc('cancel_sos', { p_id: ids[0], ...timesOf(Date.now(), aheadMs) }),
      ),
    );
}

/** What phones of guards with an SOS show is open exactly while its alert is. */
export async function checkOwnSos(world: World, facts: Facts): Promise<Broken[]> {
  const events = await facts.sql<{ id: string; person: string; open: boolean }>(
    `select e.id, e.user_id as person, l.closed_at is null as open from sos_events e
     join alerts l on l.cause = 'sos:' || e.id where e.received_at > now() - interval '2 days' order by e.received_at, e.id`,
  );
  const rows: string[] = [];
  for (const guard of world.company.guards) {
    const own = events.filter(({ person }) => person === guard.id);
    if (own.length === 0) continue;
    const { data } = accepted(await guard.client.rpc('my_open_sos'));
    const shown = new Set((data ?? []).map(({ id }) => id));
    for (const { id, open } of own)
      if (shown.has(id) !== open) rows.push(`${guard.name}: ${id} is ${open ? 'open' : 'closed'}`);
  }
  return brokenOf([{ name: 'a guard sees their SOS while its alert is open', rows }]);
}
