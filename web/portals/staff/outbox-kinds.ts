// Registers the sender of each kind of outbox entry.
import { CLOCK_KIND } from '#web/features/clocking/clock/clock-event.ts';
import {
  ANSWER_KIND,
  DISPUTE_KIND,
  HANDOVER_KIND,
  INCIDENT_KIND,
  LEAVE_KIND,
  MUSTER_KIND,
  NOTE_KIND,
  OFFER_KIND,
  READING_KIND,
  registerKind,
  SCAN_KIND,
  SOS_KIND,
  WELFARE_KIND,
} from '#web/lib/outbox/kinds.ts';

export function registerKinds(): void {
  const inOrder = true;
  registerKind(
    CLOCK_KIND,
    async () => {
      const { sendAndCacheClockEvent } = await import(
        '#web/features/clocking/clock/send-clock-event.ts'
      );
      return sendAndCacheClockEvent;
    },
    inOrder,
  );
  registerKind(
    SOS_KIND,
    async () => {
      const { sendSos } = await import('#web/features/safety/lone-guard/send-safety.ts');
      return sendSos;
    },
    inOrder,
  );
  registerKind(WELFARE_KIND, async () => {
    const { sendWelfareAnswer } = await import('#web/features/safety/lone-guard/send-safety.ts');
    return sendWelfareAnswer;
  });
  registerKind(INCIDENT_KIND, async () => {
    const { sendReport } = await import('#web/features/incidents/incidents/guard/send-report.ts');
    return sendReport;
  });
  registerKind(NOTE_KIND, async () => {
    const { sendNote } = await import('#web/features/incidents/incidents/guard/send-note.ts');
    return sendNote;
  });
  registerKind(LEAVE_KIND, async () => {
    const { sendRequest } = await import('#web/features/leave/requests/guard/send-request.ts');
    return sendRequest;
  });
  registerKind(
    ANSWER_KIND,
    async () => {
      const { sendAnswer } = await import('#web/features/shifts/shifts/guard/send-answer.ts');
      return sendAnswer;
    },
    inOrder,
  );
  registerKind(MUSTER_KIND, async () => {
    const { sendMuster } = await import('#web/features/clocking/muster/send-muster.ts');
    return sendMuster;
  });
  registerKind(HANDOVER_KIND, async () => {
    const { sendHandover } = await import('#web/features/posts/handovers/guard/send-handover.ts');
    return sendHandover;
  });
  registerKind(DISPUTE_KIND, async () => {
    const { sendDispute } = await import('#web/features/time/timesheets/guard/send-dispute.ts');
    return sendDispute;
  });
  registerKind(READING_KIND, async () => {
    const { sendReading } = await import('#web/features/clocking/clock/send-reading.ts');
    return sendReading;
  });
  registerKind(
    OFFER_KIND,
    async () => {
      const { sendOfferAnswer } = await import(
        '#web/features/offers/replacements/guard/send-answer.ts'
      );
      return sendOfferAnswer;
    },
    inOrder,
  );
  registerKind(
    SCAN_KIND,
    async () => {
      const { sendScan } = await import('#web/features/patrols/patrols/guard/send-scan.ts');
      return sendScan;
    },
    inOrder,
  );
}

/** All senders are in one chunk (scripts/chunks.mjs). */
export const loadSenders = () => import('#web/features/clocking/clock/send-clock-event.ts');
