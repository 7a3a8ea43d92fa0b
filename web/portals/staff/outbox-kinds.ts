// What a guard's phone may hold until there is a network, and who sends it; each is loaded when the first one is due.
import { CLOCK_KIND } from '#web/features/clock/clock-event.ts';
import { registerKind } from '#web/lib/outbox/kinds.ts';

export function registerKinds(): void {
  registerKind(CLOCK_KIND, async () => {
    const { sendClockEvent } = await import('#web/features/clock/send-clock-event.ts');
    return sendClockEvent;
  });
}
