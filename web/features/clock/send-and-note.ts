// Sends a clock event and remembers on this device what it has changed, before the outbox lets go of it: whether somebody is
// clocked in must be known at any time, whichever screen is open and however the line is afterwards.
import type { SendEntry } from '#web/lib/outbox/kinds.ts';
import { rememberEvent } from './api/list-clock-shifts.ts';
import { clockEventSchema } from './clock-event.ts';
import { sendClockEvent } from './send-clock-event.ts';

export const sendAndNote: SendEntry = async (entry, using) => {
  await sendClockEvent(entry, using);
  // A full device only shows it later; the server has it.
  await rememberEvent(entry.userId, clockEventSchema.parse(entry.payload)).catch(console.warn);
};
