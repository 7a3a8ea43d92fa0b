// Guards who say before their shift that they are late or can't come, sometimes twice, and sometimes take it back.
import type { Random } from '#demo/random.ts';
import { MINUTE_MS } from './clock.ts';
import type { Guard, Site } from './company.ts';
import { accepted, refusalOf } from './door.ts';
import { uuidFrom } from './lists.ts';
import type { World } from './world.ts';

/** A shift of a guard. */
type Duty = { id: string; guard: Guard; site: Site; start: number };

type Said = {
  id: string;
  at: number;
  kind: 'running_late' | 'cant_come';
  reason: string;
  minutes?: number;
};

/** In the form of the app's outbox (web/features/shifts/shifts/guard/send-notice.ts). */
function send({ guard, ...duty }: Duty, { id, at, kind, reason, minutes }: Said): Promise<unknown> {
  return refusalOf(async () =>
    accepted(
      await guard.client.rpc('report_duty_notice', {
        p_id: id,
        p_assignment_id: duty.id,
        p_kind: kind,
        p_reason: reason,
        p_device_at: new Date(at + guard.phone.aheadMs).toISOString(),
        ...(minutes !== undefined && { p_minutes: minutes }),
      }),
    ),
  );
}

const labelOf = ({ guard, site }: Duty) => `${guard.name} at ${site.name}`;

/** The guard, on the way, comes later than planned. */
export function sayLate(world: World, duty: Duty, came: number, random: Random): void {
  const at = Math.max(world.agenda.now + MINUTE_MS, duty.start - 20 * MINUTE_MS);
  const minutes = Math.max(1, Math.round((came - duty.start) / MINUTE_MS));
  const said = {
    id: uuidFrom(random),
    at,
    minutes,
    kind: 'running_late',
    reason: 'Bus broke down',
  } as const;
  const isDoubled = random.chance(0.2);
  world.agenda.add(at, `${labelOf(duty)} says that they are late`, async () => {
    const refusal = await send(duty, said);
    if (isDoubled) await send(duty, said);
    return typeof refusal === 'string' ? refusal : undefined;
  });
}

/**
 * The guard won't come and says so; operations looks for somebody else.
 * @param replace finds and assigns them
 */
export function sayAbsent(
  world: World,
  duty: Duty,
  replace: () => Promise<string>,
  random: Random,
): void {
  const at = Math.max(world.agenda.now + MINUTE_MS, duty.start - random.int(40, 300) * MINUTE_MS);
  const said = { id: uuidFrom(random), at, kind: 'cant_come', reason: 'Ill' } as const;
  const wavers = random.chance(0.25);
  world.agenda.add(at, `${labelOf(duty)} says that they can't come`, async () => {
    const refusal = await send(duty, said);
    return typeof refusal === 'string' ? refusal : undefined;
  });
  if (wavers) {
    world.agenda.add(at + 5 * MINUTE_MS, `${labelOf(duty)} can come after all`, () =>
      refusalOf(async () =>
        accepted(await duty.guard.client.rpc('withdraw_duty_notice', { p_id: said.id })),
      ),
    );
  }
  world.agenda.add(at + 10 * MINUTE_MS, `operations replaces ${labelOf(duty)}`, replace);
}
