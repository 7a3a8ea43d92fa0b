// Pay runs: calculated and locked by finance, approved by the admin, paid by files of which single payments fail.
import Papa from 'papaparse';
import { Random } from '#demo/random.ts';
import { addDays, instantOf, MINUTE_MS } from './clock.ts';
import { accepted, Refused } from './door.ts';
import type { World } from './world.ts';

const PAID_AFTER_DAYS = 3;
const GROUPS = ['weekly', 'bi-weekly', 'monthly'] as const;

interface Run {
  id: string;
  label: string;
}

/** Decides what came after a lock, so that the next run pays it. */
async function decideAdjustments(world: World): Promise<string> {
  const { admin } = world.company;
  const { data } = accepted(
    await admin.client
      .from('pay_adjustments')
      .select('id')
      .eq('status', 'to_decide')
      .order('created_at'),
  );
  const ids = (data ?? []).map(({ id }) => id);
  if (ids.length === 0) return 'nothing to decide';
  try {
    const { data: decided } = accepted(
      await admin.client.rpc('decide_adjustments', { p_ids: ids, p_approve: true }),
    );
    return `${decided} approved`;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return `refused: ${error.message}`;
  }
}

/** The last period of the group that is over for some days, if it has no run yet. */
async function openRun(
  world: World,
  group: (typeof GROUPS)[number],
  day: string,
): Promise<Run | undefined> {
  const { finance, opensOn } = world.company;
  const last = addDays(day, -PAID_AFTER_DAYS);
  const { data: runs } = accepted(
    await finance.client
      .from('pay_runs')
      .select('id, period_start, period_end, status')
      .eq('pay_group', group)
      .neq('status', 'void')
      .order('period_end', { ascending: false })
      .limit(1),
  );
  const from = runs?.[0] ? addDays(runs[0].period_end, 1) : opensOn;
  if (runs?.[0] && runs[0].status === 'draft')
    return { id: runs[0].id, label: `${group} from ${runs[0].period_start}` };
  const end = endOfPeriod(group, from);
  if (end > last) return undefined;
  const { data: id } = accepted(
    await finance.client.rpc('create_pay_run', {
      p_pay_group: group,
      p_currency: 'USD',
      p_day: from,
    }),
  );
  return id === null ? undefined : { id, label: `${group} from ${from}` };
}

/** The earliest day on which a period that has this day can be over. */
function endOfPeriod(group: (typeof GROUPS)[number], from: string): string {
  if (group === 'weekly') return addDays(from, 6);
  if (group === 'bi-weekly') return addDays(from, 13);
  return addDays(`${addDays(`${from.slice(0, 7)}-28`, 4).slice(0, 7)}-01`, -1);
}

async function lockRun(world: World, { id, label }: Run, day: string): Promise<string> {
  const { finance, admin } = world.company;
  const random = new Random(`simulation/${world.size.seed}/run/${label}`);
  try {
    accepted(await finance.client.rpc('calculate_pay_run', { id }));
    accepted(await admin.client.rpc('approve_pay_run', { id }));
    accepted(await finance.client.rpc('lock_pay_run', { id }));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return `${label} is refused: ${error.message}`;
  }
  const paidAt = instantOf(day, '14:00');
  if (random.chance(0.15)) {
    world.agenda.add(paidAt, `the admin voids the run ${label}`, async () => {
      accepted(await admin.client.rpc('void_pay_run', { p_id: id, p_reason: 'A rate was wrong' }));
      return undefined;
    });
    return `${label} is locked`;
  }
  for (const round of [0, 1, 2])
    world.agenda.add(paidAt + round * 24 * 60 * MINUTE_MS, `finance pays the run ${label}`, () =>
      payRun(world, id, random),
    );
  return `${label} is locked`;
}

/** One file for each channel, and what the bank or the network answered. */
async function payRun(world: World, run: string, random: Random): Promise<string> {
  const { finance } = world.company;
  const { data: waiting } = accepted(
    await finance.client
      .from('payments')
      .select('channel')
      .eq('pay_run_id', run)
      .eq('status', 'to_pay')
      .is('blocked', null)
      .order('channel'),
  );
  const channels = [...new Set((waiting ?? []).flatMap(({ channel }) => channel ?? []))];
  let paid = 0;
  let failed = 0;
  for (const channel of channels) {
    const { data: file } = accepted(
      await finance.client.rpc('create_payment_file', {
        p_run_id: run,
        p_channel: channel,
        p_currency: 'USD',
      }),
    );
    if (!file) continue;
    const { data: lines } = Papa.parse<Record<string, string>>(file.content, {
      header: true,
      skipEmptyLines: true,
    });
    const fails = random.chance(0.3);
    const rows = lines.map((line, index) => ({
      code: line.Reference ?? '',
      amount: line.Amount ?? '',
      ...(fails && index === 0
        ? { status: 'failed', failure: 'Wallet is full' }
        : { status: 'paid', reference: `T${file.number}-${index}` }),
    }));
    // A result that is imported twice changes nothing.
    for (const _ of [1, 2])
      accepted(
        await finance.client.rpc('import_payment_result', { p_file_id: file.id, p_rows: rows }),
      );
    paid += rows.length - (fails ? 1 : 0);
    failed += fails ? 1 : 0;
    const [returned] = rows.slice(1);
    if (returned && random.chance(0.15))
      world.agenda.add(
        world.agenda.now + 3 * 24 * 60 * MINUTE_MS,
        `the bank returns a payment of ${channel}`,
        async () => {
          accepted(
            await finance.client.rpc('import_payment_result', {
              p_file_id: file.id,
              p_rows: [
                {
                  code: returned.code,
                  amount: returned.amount,
                  status: 'failed',
                  failure: 'Account is closed',
                },
              ],
            }),
          );
          world.agenda.add(
            world.agenda.now + 60 * MINUTE_MS,
            `finance pays what ${channel} returned`,
            () => payRun(world, run, random),
          );
          return undefined;
        },
      );
  }
  return `${paid} paid, ${failed} failed`;
}

export function planPay(world: World, day: string): void {
  const { agenda } = world;
  agenda.add(instantOf(day, '12:00'), 'the admin decides adjustments', () =>
    decideAdjustments(world),
  );
  agenda.add(instantOf(day, '12:10'), 'finance looks for periods to pay', async () => {
    const told: string[] = [];
    for (const group of GROUPS) {
      const run = await openRun(world, group, day);
      if (run) told.push(await lockRun(world, run, day));
    }
    return told.join('; ') || 'none';
  });
}
