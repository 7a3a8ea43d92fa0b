// A site with a duty to move, in a week far from the demo company's.
import { randomInt, randomUUID } from 'node:crypto';
import { emailOf, member } from '#tests/e2e/support/people.ts';

const DAY_MS = 86_400_000;

export type PlannedWeek = {
  path: string;
  guard: string;
  /** Shifts by day: the guard has Monday's, the others are open. */
  days: { monday: string; tuesday: string; wednesday: string };
  /** Shifts that the draft gives the guard. */
  drafted: () => Promise<string[]>;
  remove: () => Promise<void>;
};

export async function planWeek(url: string): Promise<PlannedWeek> {
  const { client: database } = await member(url, 'ops');
  const { data: guard } = await database
    .from('profiles')
    .select('id, full_name')
    .eq('email', emailOf('guard2'))
    .single()
    .throwOnError();
  const { data: site } = await database
    .from('sites')
    .insert({
      name: `Yard ${randomUUID().slice(0, 8)}`,
      client_name: 'Harbour Lines',
      address: 'Monrovia',
    })
    .select('id')
    .single()
    .throwOnError();
  // A Monday. Browsers that share a server have the same guard.
  const monday = Date.UTC(2038, 0, 4) + randomInt(500) * 7 * DAY_MS;
  async function addShift(day: number) {
    const start = monday + day * DAY_MS + DAY_MS / 4;
    const { data } = await database
      .from('shifts')
      .insert({
        site_id: site.id,
        start_time: new Date(start).toISOString(),
        end_time: new Date(start + DAY_MS / 2).toISOString(),
      })
      .select('id')
      .single()
      .throwOnError();
    return data.id;
  }
  const [first, second, third] = [await addShift(0), await addShift(1), await addShift(2)];
  const change = { shift_id: first, user_id: guard.id, change: 'assign' };
  await database.rpc('apply_roster', { p_changes: [change] }).throwOnError();
  const week = new Date(monday).toISOString().slice(0, 10);
  return {
    path: `/admin/roster?week=${week}&site=${site.id}`,
    guard: guard.full_name ?? '',
    days: { monday: first, tuesday: second, wednesday: third },
    async drafted() {
      const { data } = await database
        .from('roster_changes')
        .select('shift_id')
        .eq('site_id', site.id)
        .throwOnError();
      return data.map(({ shift_id }) => shift_id);
    },
    async remove() {
      await database.from('shifts').delete().eq('site_id', site.id).throwOnError();
      await database.from('sites').delete().eq('id', site.id).throwOnError();
    },
  };
}
