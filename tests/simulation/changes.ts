// What changes in a company: raises, dated forward and back, and what a raise that is dated back corrects.
import { addDays, instantOf } from './clock.ts';
import { accepted, Refused } from './door.ts';
import type { World } from './world.ts';

const RAISED_ON = 20;
/** Every which guard, another one each month. */
const RAISES_OF = 9;

async function raise(world: World, day: string): Promise<string> {
  const { admin, guards } = world.company;
  const month = Number(day.slice(5, 7));
  const raised = guards.filter(({ number }) => number % RAISES_OF === month % RAISES_OF);
  for (const { number, staffId, frequency } of raised) {
    const basis = (['salary', 'hourly', 'shift'] as const)[number % 3] ?? 'salary';
    accepted(
      await admin.client.from('pay_bases').insert({
        staff_id: staffId,
        // Half of them are dated back into periods that are locked: to the 7th, before the days on which somebody is hired.
        effective_from: addDays(day, number % 2 === 0 ? -13 : 3),
        basis,
        payment_frequency: frequency,
        amount: { salary: 250, hourly: 1.4, shift: 15 }[basis],
        currency: 'USD',
      }),
    );
  }
  return raised.map(({ name }) => name).join(', ') || 'nobody';
}

async function correct(world: World): Promise<string> {
  const { finance } = world.company;
  const { data: runs } = accepted(
    await finance.client
      .from('pay_runs')
      .select('id')
      .in('status', ['locked', 'paid'])
      .order('period_end')
      .order('pay_group'),
  );
  let proposed = 0;
  for (const { id } of runs ?? []) {
    try {
      const { data } = accepted(
        await finance.client.rpc('propose_corrections', { p_pay_run_id: id }),
      );
      proposed += data ?? 0;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return `refused: ${error.message}`;
    }
  }
  return `${proposed} proposed`;
}

export function planChanges(world: World, day: string): void {
  if (Number(day.slice(8)) !== RAISED_ON) return;
  world.agenda.add(instantOf(day, '09:00'), 'the admin raises', () => raise(world, day));
  world.agenda.add(instantOf(day, '11:50'), 'finance looks for what raises correct', () =>
    correct(world),
  );
}
