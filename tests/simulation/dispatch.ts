// Calls for service: the dispatcher takes one and asks a unit, which answers by phone, declines, or does not answer.
import { Random } from '#demo/random.ts';
import { instantOf, MINUTE_MS } from './clock.ts';
import type { Guard } from './company.ts';
import { accepted } from './door.ts';
import type { Invariant } from './invariant.ts';
import { uuidFrom } from './lists.ts';
import type { World } from './world.ts';

const HAPPENS = 0.4;
const CALL_SIGNS = ['Eagle 1', 'Eagle 2'] as const;

export const DISPATCH: readonly Invariant[] = [
  {
    name: 'each call for service is over with one outcome, or open without one, as its timeline says',
    sql: `
      with ended as (
        select distinct on (call_id) call_id, kind, outcome from unit_events
        where kind in ('closed', 'cancelled', 'reopened') order by call_id, sequence desc
      )
      select c.id, c.state, c.outcome, e.kind from service_calls c left join ended e on e.call_id = c.id
      where c.outcome is distinct from case when e.kind = 'closed' then e.outcome end
        or (c.state in ('closed', 'cancelled')) <> (e.kind in ('closed', 'cancelled')) is true
        or c.state in ('closed', 'cancelled') and c.state <> e.kind`,
  },
  {
    name: 'a unit is on the call to which it was last sent, until one of them ends it',
    sql: `
      with sent as (
        select distinct on (unit_id) id, unit_id, call_id from unit_events
        where kind = 'assigned' order by unit_id, sequence desc
      )
      select u.id, u.call_id, s.call_id as sent_to from response_units u
      left join sent s on s.unit_id = u.id
      left join service_calls c on c.id = s.call_id and c.closed_at is null and not exists (
        select from unit_events e where e.assigned_id = s.id and e.counts
          and e.kind in ('declined', 'no_answer', 'taken_off'))
      where u.call_id is distinct from c.id`,
  },
];

/** The units with a guard in each, made with the first call. @returns ids of the units */
async function units({ company }: World, random: Random): Promise<string[]> {
  const { client } = company.dispatcher;
  const known = accepted(await client.from('response_units').select('id').order('call_sign'));
  if (known.data && known.data.length > 0) return known.data.map(({ id }) => id);
  const made: string[] = [];
  for (const [index, sign] of CALL_SIGNS.entries()) {
    const member = company.guards[index];
    const id = uuidFrom(random);
    accepted(
      await client.rpc('save_unit', {
        ...{ p_id: id, p_call_sign: sign, p_vehicle: 'Pickup' },
        p_base_gps: company.sites[0]?.gps ?? '6.3,-10.8',
        p_members: member ? [member.id] : [],
      }),
    );
    made.push(id);
  }
  return made;
}

type Step = 'accepted' | 'declined' | 'en_route' | 'on_scene' | 'clear';

/** From the phone of the unit's guard, twice, or by radio for one who has left. */
async function send(world: World, unitId: string, assignedId: string, kind: Step, id: string) {
  const { dispatcher, guards } = world.company;
  const members = accepted(
    await dispatcher.client.from('unit_members').select('user_id').eq('unit_id', unitId),
  );
  const guard = guards.find((one: Guard) =>
    members.data?.some(({ user_id }) => user_id === one.id),
  );
  const { client } = guard ?? dispatcher;
  for (const _ of [1, 2])
    accepted(
      await client.rpc('record_unit_step', {
        ...{ p_id: id, p_assigned_id: assignedId, p_kind: kind },
        p_device_at: new Date().toISOString(),
        p_sent_at: new Date().toISOString(),
      }),
    );
  return guard ? guard.name : 'by radio';
}

/** @returns the unit that was asked, and the event that asked it; undefined when none is free */
async function ask({ company }: World, callId: string) {
  const { client } = company.dispatcher;
  const ranked = accepted(await client.rpc('rank_units', { call_id: callId }));
  const best = ranked.data?.find(({ is_free }) => is_free);
  if (!best) return undefined;
  accepted(await client.rpc('assign_unit', { p_call_id: callId, p_unit_id: best.unit_id }));
  const asked = accepted(
    await client.from('response_units').select('assigned_id').eq('id', best.unit_id).single(),
  );
  const assignedId = asked.data?.assigned_id;
  if (!assignedId) throw new Error('The unit was assigned, and is on no call.');
  return { unitId: best.unit_id, callSign: best.call_sign, assignedId };
}

/** The dispatcher answers a call. */
export function planAnswer(world: World, callId: string, random: Random): void {
  const { agenda, company } = world;
  const { client } = company.dispatcher;
  const start = agenda.now;
  const at = (minutes: number, what: string, run: () => Promise<string | undefined>): void =>
    agenda.add(start + minutes * MINUTE_MS, what, run);
  const answer = random.among({ comes: 70, declines: 15, silent: 15 });
  const ids = { declined: uuidFrom(random) };
  const asks = async (willCome: boolean): Promise<string> => {
    const asked = await ask(world, callId);
    if (!asked) return 'no unit is free';
    const { unitId, callSign, assignedId } = asked;
    const steps = willCome ? (['accepted', 'en_route', 'on_scene', 'clear'] as const) : [];
    for (const [index, step] of steps.entries()) {
      const id = uuidFrom(random);
      // Well before the unit counts as one that does not answer.
      const minutes = [1, 4, 20, 45][index] ?? 0;
      agenda.add(agenda.now + minutes * MINUTE_MS, `${callSign}: ${step}`, () =>
        send(world, unitId, assignedId, step, id),
      );
    }
    if (!willCome && answer === 'declines')
      agenda.add(agenda.now + MINUTE_MS, `${callSign} declines`, () =>
        send(world, unitId, assignedId, 'declined', ids.declined),
      );
    return callSign;
  };
  at(1, 'the dispatcher asks a unit', () => asks(answer === 'comes'));
  if (answer !== 'comes') at(20, 'the dispatcher asks the next unit', () => asks(true));
  at(90, 'the dispatcher ends the call', async () => {
    const call = accepted(
      await client.from('service_calls').select('state').eq('id', callId).single(),
    );
    if (call.data?.state === 'clear')
      accepted(await client.rpc('close_call', { p_call_id: callId, p_outcome: 'secured' }));
    else accepted(await client.rpc('cancel_call', { p_call_id: callId, p_note: 'Nobody came' }));
    return call.data?.state;
  });
  if (random.chance(0.2)) {
    at(100, 'the dispatcher opens the call again', async () => {
      accepted(await client.rpc('reopen_call', { p_call_id: callId }));
      return undefined;
    });
    at(110, 'the dispatcher closes it after all', async () => {
      accepted(await client.rpc('close_call', { p_call_id: callId, p_outcome: 'handed_over' }));
      return undefined;
    });
  }
}

export function planDispatch(world: World, day: string): void {
  const { agenda, company, size } = world;
  const random = new Random(`simulation/${size.seed}/dispatch/${day}`);
  if (!random.chance(HAPPENS)) return;
  const site = random.pick(company.sites);
  const callId = uuidFrom(random);
  const priority = random.among({ danger: 20, urgent: 50, routine: 30 });
  const what = `the dispatcher takes a call from ${site.name}`;
  agenda.add(instantOf(day, random.pick(['02:10', '10:15', '19:40'])), what, async () => {
    await units(world, random);
    // The answer is lost, so it is sent again.
    for (const _ of [1, 2])
      accepted(
        await company.dispatcher.client.rpc('save_call', {
          ...{ p_id: callId, p_kind: 'alarm', p_priority: priority, p_site_id: site.id },
          ...{ p_caller_name: 'The manager', p_details: `Alarm of ${day}` },
        }),
      );
    planAnswer(world, callId, random);
    return priority;
  });
}
