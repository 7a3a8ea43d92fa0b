import { readCachedShifts } from '#web/features/clocking/clock/clock-shifts.ts';
import { findDutyStatus } from '#web/features/clocking/clock/duty-status.ts';
import type { SosSite } from '#web/features/safety/lone-guard/sos.ts';
import { readServerNow } from '#web/lib/clock/read-server-now.ts';

/** Where the guard is on duty, or is next, from what this device cached: an SOS waits for no network. */
export async function findDutySite(userId: string): Promise<SosSite | undefined> {
  const [cached, now] = await Promise.all([readCachedShifts(userId), readServerNow()]);
  const duty = findDutyStatus(cached?.shifts ?? [], now);
  const shift = duty.state === 'in' ? duty.shift : (duty.available[0] ?? duty.next ?? duty.last);
  return shift && { name: shift.site_name, timezone: shift.timezone };
}
