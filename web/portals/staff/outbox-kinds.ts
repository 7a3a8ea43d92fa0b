// What a guard's phone may hold until there is a network, and who sends it; each is loaded when the first one is due.
import { CLOCK_KIND } from '#web/features/clock/clock-event.ts';
import { REPORT_KIND } from '#web/features/incidents/guard/report-kind.ts';
import { LEAVE_KIND } from '#web/features/leave/guard/leave-kind.ts';
import { registerKind } from '#web/lib/outbox/kinds.ts';

export function registerKinds(): void {
  const inOrder = true;
  registerKind(
    CLOCK_KIND,
    async () => {
      const { sendAndCacheClockEvent } = await import('#web/features/clock/send-clock-event.ts');
      return sendAndCacheClockEvent;
    },
    inOrder,
  );
  registerKind(REPORT_KIND, async () => {
    const { sendReport } = await import('#web/features/incidents/guard/send-report.ts');
    return sendReport;
  });
  registerKind(LEAVE_KIND, async () => {
    const { sendRequest } = await import('#web/features/leave/guard/send-request.ts');
    return sendRequest;
  });
}
