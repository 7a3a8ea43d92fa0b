// Leave that is asked for ahead: approved, rejected, taken back by the guard, or cancelled by HR when the roster is published.
import { Random } from '#demo/random.ts';
import { addDays, instantOf } from './clock.ts';
import type { Guard } from './company.ts';
import { accepted, refusalOf } from './door.ts';
import { uuidFrom } from './lists.ts';
import type { World } from './world.ts';

/** Of each guard, on a day. */
const ASKS = 0.025;

type LeaveType = 'annual' | 'unpaid' | 'emergency';

interface Request {
  id: string;
  guard: Guard;
  first: string;
  last: string;
}

function daysOf({ first, last }: Request): string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  return days;
}

async function ask({ id, guard, first, last }: Request, type: LeaveType): Promise<void> {
  accepted(
    await guard.client.from('leave_requests').upsert(
      {
        id,
        user_id: guard.id,
        type,
        start_date: first,
        end_date: last,
        reason: 'Family in Nimba',
        status: 'pending',
      },
      { onConflict: 'id', ignoreDuplicates: true },
    ),
  );
}

async function approve(world: World, request: Request, isCancelled: boolean): Promise<void> {
  const { hr } = world.company;
  accepted(await hr.client.rpc('decide_leave', { p_id: request.id, p_status: 'approved' }));
  for (const day of daysOf(request)) world.away.add(`${request.guard.id} ${day}`);
  if (!isCancelled) return;
  const eve = instantOf(addDays(request.first, -1), '13:00');
  world.agenda.add(eve, `HR cancels the leave of ${request.guard.name}`, () =>
    refusalOf(async () => {
      accepted(
        await hr.client.rpc('decide_leave', {
          p_id: request.id,
          p_status: 'cancelled',
          p_note: 'Too many are away',
        }),
      );
      for (const day of daysOf(request)) world.away.delete(`${request.guard.id} ${day}`);
    }),
  );
}

function decide(world: World, request: Request, outcome: string): Promise<string | undefined> {
  const { hr } = world.company;
  return refusalOf(async () => {
    if (outcome === 'approved' || outcome === 'cancelled')
      await approve(world, request, outcome === 'cancelled');
    else if (outcome === 'rejected')
      accepted(
        await hr.client.rpc('decide_leave', {
          p_id: request.id,
          p_status: 'rejected',
          p_note: 'Nobody else is free',
        }),
      );
    else
      accepted(
        await request.guard.client
          .from('leave_requests')
          .update({ status: 'cancelled' })
          .eq('id', request.id)
          .eq('status', 'pending')
          .select('id')
          .maybeSingle(),
      );
  });
}

export function planLeave(world: World, day: string): void {
  const { agenda, size, company } = world;
  for (const guard of company.guards) {
    const random = new Random(`simulation/${size.seed}/leave/${guard.number}/${day}`);
    if (!random.chance(ASKS)) continue;
    const first = addDays(day, random.int(2, 10));
    const request = {
      id: uuidFrom(random),
      guard,
      first,
      last: addDays(first, random.int(0, 3)),
    };
    const type = random.among<LeaveType>({ annual: 60, unpaid: 20, emergency: 20 });
    const outcome = random.among({ approved: 60, cancelled: 15, rejected: 13, taken_back: 12 });
    const who = `${guard.name} for ${request.first} to ${request.last}`;
    agenda.add(instantOf(day, '09:15'), `${type} leave is asked for by ${who}`, async () => {
      const refused = await refusalOf(() => ask(request, type));
      if (refused !== undefined) return refused;
      agenda.add(
        instantOf(day, random.pick(['13:30', '15:10', '17:20'])),
        `leave of ${who} is ${outcome}`,
        () => decide(world, request, outcome),
      );
      return undefined;
    });
  }
}
