// Registers the sender of each kind of outbox entry.
import {
  ANNOUNCEMENT_KIND,
  ANSWER_KIND,
  BOOK_KIND,
  CLOCK_KIND,
  DISPUTE_KIND,
  HANDOVER_KIND,
  INCIDENT_KIND,
  LEAVE_KIND,
  MUSTER_KIND,
  NOTE_KIND,
  NOTICE_KIND,
  OFFER_KIND,
  READING_KIND,
  registerKind,
  SCAN_KIND,
  SOS_KIND,
  UNIT_STEP_KIND,
  WELFARE_KIND,
} from '#web/lib/outbox/kinds.ts';

export function registerKinds(): void {
  const inOrder = true;
  registerKind(
    CLOCK_KIND,
    async () =>
      (await import('#web/features/clocking/clock/send-clock-event.ts')).sendAndCacheClockEvent,
    inOrder,
  );
  registerKind(
    SOS_KIND,
    async () => (await import('#web/features/safety/lone-guard/send-safety.ts')).sendSos,
    inOrder,
  );
  registerKind(
    WELFARE_KIND,
    async () => (await import('#web/features/safety/lone-guard/send-safety.ts')).sendWelfareAnswer,
  );
  registerKind(
    INCIDENT_KIND,
    async () => (await import('#web/features/incidents/incidents/guard/send-report.ts')).sendReport,
  );
  registerKind(
    NOTE_KIND,
    async () => (await import('#web/features/incidents/incidents/guard/send-note.ts')).sendNote,
  );
  registerKind(
    LEAVE_KIND,
    async () => (await import('#web/features/leave/requests/guard/send-request.ts')).sendRequest,
  );
  registerKind(
    ANSWER_KIND,
    async () => (await import('#web/features/shifts/shifts/guard/send-answer.ts')).sendAnswer,
    inOrder,
  );
  registerKind(
    NOTICE_KIND,
    async () => (await import('#web/features/shifts/shifts/guard/send-notice.ts')).sendNotice,
    inOrder,
  );
  registerKind(
    MUSTER_KIND,
    async () => (await import('#web/features/clocking/muster/send-muster.ts')).sendMuster,
    inOrder,
  );
  registerKind(
    HANDOVER_KIND,
    async () => (await import('#web/features/posts/handovers/guard/send-handover.ts')).sendHandover,
  );
  registerKind(
    DISPUTE_KIND,
    async () => (await import('#web/features/time/timesheets/guard/send-dispute.ts')).sendDispute,
  );
  registerKind(
    READING_KIND,
    async () => (await import('#web/features/clocking/clock/send-reading.ts')).sendReading,
  );
  registerKind(
    ANNOUNCEMENT_KIND,
    async () =>
      (await import('#web/features/notices/announcements/guard/send-confirmation.ts'))
        .sendConfirmation,
  );
  registerKind(
    OFFER_KIND,
    async () =>
      (await import('#web/features/offers/replacements/guard/send-answer.ts')).sendOfferAnswer,
    inOrder,
  );
  registerKind(
    UNIT_STEP_KIND,
    async () => (await import('#web/features/operations/dispatch/guard/send-step.ts')).sendUnitStep,
    inOrder,
  );
  registerKind(
    BOOK_KIND,
    async () => (await import('#web/features/posts/book/guard/send-book.ts')).sendBook,
    inOrder,
  );
  registerKind(
    SCAN_KIND,
    async () => (await import('#web/features/operations/patrols/guard/send-scan.ts')).sendScan,
    inOrder,
  );
}

/** All senders are in one chunk (scripts/chunks.mjs). */
export const loadSenders = () => import('#web/features/clocking/clock/send-clock-event.ts');
