// What a guard says about a shift before they are on it, through the outbox: it works without a signal.
import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { DUTY_NOTICES_KIND } from '#shared/database.values.ts';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { CLOCK_KIND, NOTICE_KIND } from '#web/lib/outbox/kinds.ts';
import { type SubmitOutcome, submitForm } from '#web/lib/outbox/submit.ts';
import type { DutyNotice, GuardShift } from './api.ts';

const LEAD_MS = limits.DUTY_NOTICE_LEAD_MINUTES * 60_000;
/** How long after the start "I'm running late" still helps; then the control room has called. */
const LATE_AFTER_START_MS = 2 * 60 * 60_000;

/** Minutes to choose from. */
export const LATE_MINUTES = [10, 20, 30, 45, 60, 90] as const;

export type NoticeKind = DutyNotice['kind'];

export const noticeSchema = z.union([
  z.object({
    assignmentId: z.uuid(),
    kind: z.enum(DUTY_NOTICES_KIND),
    minutes: z.number().nullable(),
    reason: z.string(),
  }),
  /** Takes a notice back. */
  z.object({ assignmentId: z.uuid(), withdraws: z.uuid() }),
]);

const TITLES: Record<NoticeKind, string> = {
  running_late: 'Running late',
  cant_come: 'Can’t come',
};

/** @throws the reason of a refusal */
export const submitNotice = (
  userId: string,
  { id, shift }: GuardShift,
  notice: Omit<DutyNotice, 'id'> & { reason: string },
): Promise<SubmitOutcome> =>
  submitForm({
    id: crypto.randomUUID(),
    userId,
    kind: NOTICE_KIND,
    title: `${TITLES[notice.kind]}, ${shift.site.name}`,
    payload: { assignmentId: id, ...notice },
  });

/** @throws the reason of a refusal, for example that another guard has the shift */
export const withdrawNotice = (
  userId: string,
  { id, shift }: GuardShift,
  notice: DutyNotice,
): Promise<SubmitOutcome> =>
  submitForm({
    id: crypto.randomUUID(),
    userId,
    kind: NOTICE_KIND,
    title: `${notice.kind === 'cant_come' ? 'Can come after all' : 'On time after all'}, ${shift.site.name}`,
    payload: { assignmentId: id, withdraws: notice.id },
  });

/** @returns what waits to be sent about the assignment: the newest notice, 'withdrawn', or nothing */
export function waitingNotice(
  waiting: readonly OutboxEntry[],
  assignmentId: string,
): DutyNotice | 'withdrawn' | undefined {
  for (const { id, kind, payload } of [...waiting].reverse()) {
    if (kind !== NOTICE_KIND) continue;
    const { data } = noticeSchema.safeParse(payload);
    if (data?.assignmentId !== assignmentId) continue;
    if ('withdraws' in data) return 'withdrawn';
    return { id, kind: data.kind, minutes: data.minutes, reason: data.reason };
  }
  return undefined;
}

const clockSchema = z.object({ assignmentId: z.string() });

/** Whether a clock event of the assignment waits to be sent: the guard is there. */
export const hasWaitingClockEvent = (waiting: readonly OutboxEntry[], assignmentId: string) =>
  waiting.some(
    ({ kind, payload }) =>
      kind === CLOCK_KIND && clockSchema.safeParse(payload).data?.assignmentId === assignmentId,
  );

/** What the guard can say about the shift now. @param now milliseconds since 1970 by the server's clock */
export function noticeKinds(assigned: GuardShift, now: number): readonly NoticeKind[] {
  const { status, attendance_state, shift } = assigned;
  if (status !== 'assigned' && status !== 'confirmed') return [];
  // Absent in shifts that an older version cached.
  if (attendance_state !== undefined && attendance_state !== 'none') return [];
  const start = Date.parse(shift.start_time);
  if (now < start - LEAD_MS || now >= Date.parse(shift.end_time)) return [];
  if (now < start) return ['running_late', 'cant_come'];
  return now < start + LATE_AFTER_START_MS ? ['running_late'] : [];
}
