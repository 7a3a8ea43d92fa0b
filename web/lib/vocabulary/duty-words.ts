// What the words of figures mean (docs/glossary.md), as short explanations beside them.
import { CLOCK_OUT_GRACE_MINUTES } from '#shared/database.limits.ts';

export const WORD_HINTS = {
  on_post: 'Clocked in and not out',
  covered: 'Its guard is clocked in',
  late: 'Not clocked in yet, too early for an alert',
  missing: 'Not clocked in, an alert is raised',
  uncovered: 'No guard holds the seat',
  unconfirmed: 'Due within 2 hours, has not confirmed',
  due: 'Comes within 2 hours, has confirmed',
  empty: 'No guard holds the seat, now or within 2 hours',
  left_early: 'Clocked out before the end, and nobody has taken over',
  no_signal: 'On post, but the phone or the guard does not answer',
  sos: 'Has asked for help',
  forgotten: `Not clocked out ${CLOCK_OUT_GRACE_MINUTES} minutes after the end`,
} as const;
