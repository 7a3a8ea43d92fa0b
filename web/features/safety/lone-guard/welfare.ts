// Which welfare check a guard must answer. The server makes the next one in time; without a signal the phone counts on.

import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { WELFARE_KIND } from '#web/lib/outbox/kinds.ts';

const LEAD_MS = limits.WELFARE_LEAD_MINUTES * 60_000;

/** Not answered, as the server last told. */
export type WelfareCheck = {
  assignment_id: string;
  site_name: string;
  timezone: string;
  due_at: string;
  every_minutes: number;
  /** End of the shift. */
  end_time: string;
};

export const welfareAnswerSchema = z.object({
  assignmentId: z.uuid(),
  /** Milliseconds since 1970 by the device's clock. */
  deviceAt: z.number(),
  /** How far the server's clock is ahead of the device's, milliseconds; null when never measured. */
  offsetMs: z.number().nullable(),
});
type WelfareAnswer = z.infer<typeof welfareAnswerSchema>;

/** @returns the answers among these outbox entries */
export function readAnswers(entries: readonly OutboxEntry[]): WelfareAnswer[] {
  return entries
    .filter(({ kind }) => kind === WELFARE_KIND)
    .map(({ payload }) => welfareAnswerSchema.safeParse(payload).data)
    .filter((answer) => answer !== undefined);
}

/** The times of the checks that the server knows, and of those that follow during the shift. */
function timesOf(checks: readonly WelfareCheck[], until: number): number[] {
  const times = checks.map(({ due_at }) => Date.parse(due_at));
  const last = checks.at(-1);
  if (!last) return times;
  const end = Math.min(until, Date.parse(last.end_time));
  const step = last.every_minutes * 60_000;
  for (let at = Date.parse(last.due_at) + step; at <= end; at += step) times.push(at);
  return times;
}

export type DueCheck = { check: WelfareCheck; dueAt: number };

/**
 * @param checks of the current shift, by time
 * @param answers that the server may not know yet
 * @param now milliseconds since 1970 by the server's clock
 * @returns the first check that one press answers now; undefined while none is near
 */
export function dueCheck(
  checks: readonly WelfareCheck[],
  answers: readonly WelfareAnswer[],
  now: number,
): DueCheck | undefined {
  const [check] = checks;
  if (!check) return undefined;
  const { assignment_id } = check;
  const own = checks.filter((other) => other.assignment_id === assignment_id);
  const latest = answers
    .filter(({ assignmentId }) => assignmentId === assignment_id)
    .reduce((at, { deviceAt, offsetMs }) => Math.max(at, deviceAt + (offsetMs ?? 0)), 0);
  const dueAt = timesOf(own, now + LEAD_MS).find(
    (time) => time <= now + LEAD_MS && time - LEAD_MS > latest,
  );
  return dueAt === undefined ? undefined : { check, dueAt };
}

/** @returns for example "4:05" */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
