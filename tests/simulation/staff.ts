// People come and go: newcomers, resignations and returns, and guards who dispatch for a while.
import { addDays, instantOf } from './clock.ts';
import { type Guard, hireGuards, setUpPay } from './company.ts';
import { accepted } from './door.ts';
import { signInAgain } from './person.ts';
import type { World } from './world.ts';

const HIRED_ON = 8;
const LEFT_ON = 11;
const PROMOTED_ON = 13;
const RETURNED_ON = 17;
const DEMOTED_ON = 23;

async function hire(world: World, day: string): Promise<string> {
  const { company, door, size } = world;
  const known = [...company.guards, ...world.gone.map(({ guard }) => guard)];
  const number = Math.max(...known.map((guard) => guard.number), world.left?.number ?? 0) + 1;
  const hired = await hireGuards(company.admin, door, [number], day, size.seed);
  // The salary begins with the employment, and what replaces it a day later.
  await setUpPay(company, hired, addDays(day, 1));
  company.guards.push(...hired);
  return hired.map(({ name }) => name).join(', ');
}

/** The first guard who has no shift of the last days and of today, so that no phone has anything left to send. */
async function findFree(world: World, day: string, ahead: number): Promise<Guard | undefined> {
  const { operations, guards } = world.company;
  const { data } = accepted(
    await operations.client
      .from('assignments')
      .select('user_id')
      .gte('starts_at', `${addDays(day, -2)}T00:00:00Z`)
      .lt('starts_at', `${addDays(day, ahead)}T00:00:00Z`),
  );
  const busy = new Set((data ?? []).map(({ user_id }) => user_id));
  return guards.find(({ id }) => !busy.has(id));
}

/** @param ahead days from today on in which the guard has no shift @returns who goes, if somebody is free to */
export async function endEmployment(
  world: World,
  day: string,
  reason: string,
  ahead = 2,
): Promise<Guard | undefined> {
  const { company } = world;
  const guard = await findFree(world, day, ahead);
  if (!guard) return undefined;
  const leaves = (last_day: string) =>
    company.admin.client.rpc('end_employment', {
      p_user_id: guard.id,
      p_last_day: last_day,
      p_reason: reason,
    });
  // The form takes no day ahead.
  const { error } = await leaves(addDays(day, 14));
  if (!error) throw new Error('An employment was ended ahead of its last day.');
  accepted(await leaves(day));
  company.guards = company.guards.filter(({ id }) => id !== guard.id);
  return guard;
}

async function leave(world: World, day: string): Promise<string> {
  const guard = await endEmployment(world, day, 'Goes to Ghana');
  if (!guard) return 'nobody is free to go';
  world.left = guard;
  return guard.name;
}

/** The account is opened again, with the role and the staff record that it had. */
async function comeBack(world: World): Promise<string> {
  const { company, left: guard } = world;
  if (!guard) return 'nobody has left';
  const { admin, finance } = company;
  accepted(await admin.client.rpc('set_account_disabled', { user_id: guard.id, disabled: false }));
  accepted(await admin.client.rpc('give_role', { p_user_ids: [guard.id], p_role: 'guard' }));
  accepted(
    await finance.client
      .from('staff')
      .update({ status: 'active', end_date: null, end_reason: null })
      .eq('id', guard.staffId),
  );
  await signInAgain(guard);
  company.guards.push(guard);
  world.left = undefined;
  return guard.name;
}

export function planStaff(world: World, day: string): void {
  const { agenda, company } = world;
  const dayOfMonth = Number(day.slice(8));
  const at = instantOf(day, '12:40');
  if (dayOfMonth === HIRED_ON) agenda.add(at, 'the admin hires', () => hire(world, day));
  if (dayOfMonth === LEFT_ON)
    agenda.add(at, 'the admin ends an employment', () => leave(world, day));
  if (dayOfMonth === RETURNED_ON)
    agenda.add(at, 'the admin takes back who has left', () => comeBack(world));
  const guard = company.guards[Number(day.slice(5, 7)) % company.guards.length];
  if (!guard) return;
  const role = { p_user_ids: [guard.id], p_role: 'dispatcher' };
  if (dayOfMonth === PROMOTED_ON)
    agenda.add(at, `the admin lets ${guard.name} dispatch too`, async () => {
      accepted(await company.admin.client.rpc('give_role', role));
      return undefined;
    });
  if (dayOfMonth === DEMOTED_ON)
    agenda.add(at, 'the admin takes the second role back', async () => {
      const { data } = accepted(
        await company.admin.client.from('user_roles').select('user_id').eq('role', 'dispatcher'),
      );
      const ids = (data ?? []).flatMap(({ user_id }) =>
        user_id === company.dispatcher.id ? [] : [user_id],
      );
      if (ids.length > 0)
        accepted(
          await company.admin.client.rpc('remove_role', { p_user_ids: ids, p_role: 'dispatcher' }),
        );
      return `${ids.length}`;
    });
}
