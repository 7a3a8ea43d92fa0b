import { ALERT_KINDS } from '#web/lib/vocabulary/kinds.ts';
import type { Alert } from './alert-api.ts';

type Placed = Pick<Alert, 'kind' | 'acknowledged_at' | 'raised_at'>;

/** Not acknowledged before acknowledged, then the most dangerous, then the oldest. */
export function byDanger(a: Placed, b: Placed): number {
  return (
    Number(a.acknowledged_at !== null) - Number(b.acknowledged_at !== null) ||
    ALERT_KINDS.indexOf(a.kind) - ALERT_KINDS.indexOf(b.kind) ||
    a.raised_at.localeCompare(b.raised_at)
  );
}

/** @returns for example "3 min" or "1 h 5 min"; a device whose clock is behind shows 0 min */
export function runningFor(raisedAt: string, now: number): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(raisedAt)) / 60_000));
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`;
}
