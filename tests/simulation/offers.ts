// Shifts change hands: guards ask for open ones, swap with a colleague, or answer the planner's offer; the planner decides.
import { z } from 'zod';
import { Random } from '#demo/random.ts';
import { addDays, instantOf } from './clock.ts';
import type { Guard } from './company.ts';
import { accepted, Refused } from './door.ts';
import type { World } from './world.ts';

/** Guards who look for another shift on a day. */
const LOOKING = 2;

async function told(work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return `refused: ${error.message}`;
  }
}

/** Today's are on the agenda already. */
const afterToday = (day: string) => `${addDays(day, 1)}T00:00:00Z`;

async function bid({ client }: Guard, day: string): Promise<string> {
  const { data } = accepted(await client.rpc('open_shifts', undefined, { get: true }));
  const [shift] = (data ?? [])
    .filter(
      ({ start_time, bid_id }) =>
        bid_id === null && Date.parse(start_time) >= Date.parse(afterToday(day)),
    )
    .toSorted((a, b) =>
      `${a.start_time} ${a.site_name} ${a.post_name}`.localeCompare(
        `${b.start_time} ${b.site_name} ${b.post_name}`,
      ),
    );
  if (!shift) return 'none is open';
  accepted(await client.rpc('bid_for_shift', { p_shift_id: shift.shift_id }));
  return `${shift.site_name} at ${shift.start_time}`;
}

const returnsSchema = z.array(z.object({ id: z.string(), start_time: z.string() }));

async function swap(world: World, guard: Guard, day: string, random: Random): Promise<string> {
  const { data: own } = accepted(
    await guard.client
      .from('assignments')
      .select('id, starts_at')
      .eq('user_id', guard.id)
      .in('status', ['assigned', 'confirmed'])
      .gte('starts_at', afterToday(day))
      .order('starts_at'),
  );
  const [mine] = own ?? [];
  if (!mine) return 'has no shift to give away';
  const { data: choices } = accepted(
    await guard.client.rpc('swap_choices', { p_assignment_id: mine.id }, { get: true }),
  );
  const colleagues = (choices ?? []).toSorted((a, b) => a.full_name.localeCompare(b.full_name));
  const [choice] = colleagues.filter(({ may_take }) => may_take);
  const partner = world.company.guards.find(({ id }) => id === choice?.user_id);
  if (!choice || !partner) return 'finds nobody to swap with';
  const [back] = random.chance(0.5)
    ? returnsSchema.parse(choice.returns).filter(({ start_time }) => start_time >= afterToday(day))
    : [];
  const { data: offer } = accepted(
    await guard.client.rpc('propose_swap', {
      p_assignment_id: mine.id,
      p_partner_id: partner.id,
      ...(back && { p_partner_assignment_id: back.id }),
    }),
  );
  const accepts = random.chance(0.8);
  if (offer)
    world.agenda.add(world.agenda.now + 20 * 60_000, `${partner.name} answers ${guard.name}`, () =>
      told(async () => {
        accepted(
          await partner.client.rpc('answer_swap', { p_offer_id: offer.id, p_accept: accepts }),
        );
        return accepts ? 'yes' : 'no';
      }),
    );
  return `${mine.starts_at} with ${partner.name}`;
}

/** The planner asks the two best of an open shift of tomorrow. */
async function offer(world: World, day: string, random: Random): Promise<string> {
  const { operations, guards } = world.company;
  const { data: board } = accepted(
    await operations.client
      .from('shift_board')
      .select('id, start_time, site_name, required_headcount, assigned')
      .gte('start_time', afterToday(day))
      .lt('start_time', `${addDays(day, 2)}T00:00:00Z`)
      .order('start_time')
      .order('site_name'),
  );
  const shift = board?.find(({ required_headcount, assigned }) => assigned < required_headcount);
  if (!shift) return 'all of tomorrow is filled';
  const { data: ranked } = accepted(
    await operations.client.rpc('rank_replacements', { shift_id: shift.id }),
  );
  const asked = guards
    .filter(({ id }) => ranked?.some(({ user_id }) => user_id === id))
    .filter(({ id }) => !world.isAway(id, addDays(day, 1)))
    .toSorted((a, b) => a.number - b.number)
    .slice(0, 2);
  if (asked.length === 0) return 'nobody can be asked';
  const { data: offers } = accepted(
    await operations.client.rpc('offer_shift', {
      p_shift_id: shift.id,
      p_user_ids: asked.map(({ id }) => id),
    }),
  );
  for (const [index, guard] of asked.entries()) {
    const mine = offers?.find(({ user_id }) => user_id === guard.id);
    const accepts = random.chance(0.7);
    if (mine)
      world.agenda.add(
        world.agenda.now + (10 + index * 15) * 60_000,
        `${guard.name} answers the planner`,
        () =>
          told(async () => {
            accepted(
              await guard.client.rpc('answer_offer', { p_offer_id: mine.id, p_accept: accepts }),
            );
            return accepts ? 'yes' : 'no';
          }),
      );
  }
  return `${shift.site_name}: ${asked.map(({ name }) => name).join(', ')}`;
}

async function decide(world: World, random: Random): Promise<string> {
  const { operations } = world.company;
  const { data } = accepted(
    await operations.client.rpc('offers_to_decide', undefined, { get: true }),
  );
  const waiting = (data ?? []).toSorted((a, b) =>
    `${a.start_time} ${a.full_name} ${a.kind}`.localeCompare(
      `${b.start_time} ${b.full_name} ${b.kind}`,
    ),
  );
  const lines: string[] = [];
  for (const { id, kind, full_name } of waiting) {
    const approves = random.chance(0.75);
    const outcome = await told(async () => {
      accepted(
        await operations.client.rpc('decide_offers', { p_offer_ids: [id], p_approve: approves }),
      );
      return approves ? 'approved' : 'rejected';
    });
    lines.push(`${kind} of ${full_name} ${outcome}`);
  }
  return lines.join('; ') || 'nothing waits';
}

export function planOffers(world: World, day: string): void {
  const { agenda, size, company } = world;
  // Each has a stream of its own, so that a life without one of them is the same otherwise.
  const streamOf = (what: string) => new Random(`simulation/${size.seed}/offers/${day}/${what}`);
  const random = streamOf('who');
  for (let count = 0; count < LOOKING; count += 1) {
    const guard = random.pick(company.guards);
    if (random.chance(0.5))
      agenda.add(instantOf(day, '15:40'), `${guard.name} asks for an open shift`, () =>
        told(() => bid(guard, day)),
      );
    else
      agenda.add(instantOf(day, '15:45'), `${guard.name} proposes a swap`, () =>
        told(() => swap(world, guard, day, streamOf(`swap ${guard.number}`))),
      );
  }
  agenda.add(instantOf(day, '16:10'), 'operations offers a shift of tomorrow', () =>
    told(() => offer(world, day, streamOf('offer'))),
  );
  agenda.add(instantOf(day, '17:05'), 'operations decides what guards ask for', () =>
    decide(world, streamOf('decide')),
  );
}
