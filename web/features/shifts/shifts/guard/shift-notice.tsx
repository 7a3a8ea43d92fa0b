// "I'm running late" and "I can't come" below a shift of My Shifts that is near.
import { lazy, useState } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Opening } from '#web/components/ui/loading.tsx';
import { OppositeButton } from '#web/components/ui/opposite-button.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatMinutes } from '#web/lib/format/dates.ts';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { waitingText } from '#web/lib/outbox/submit.ts';
import type { DutyNotice, GuardShift } from './api.ts';
import {
  hasWaitingClockEvent,
  type NoticeKind,
  noticeKinds,
  waitingNotice,
  withdrawNotice,
} from './duty-notice.ts';

const DutyNoticeDialog = lazy(async () => ({
  default: (await import('./duty-notice-dialog.tsx')).DutyNoticeDialog,
}));

const LABELS: Record<NoticeKind, string> = {
  running_late: 'I’m running late',
  cant_come: 'I can’t come',
};

function describeNotice({ kind, minutes, reason }: DutyNotice): string {
  const why = reason ? `: ${reason}` : '';
  return kind === 'running_late'
    ? `You said that you are ${formatMinutes(minutes ?? 0)} late${why}.`
    : `You said that you can’t come${why}. The shift is yours until another guard has it.`;
}

type ShiftNoticeProps = {
  userId: string;
  shift: GuardShift;
  /** Milliseconds since 1970 by the server's clock. */
  now: number;
  /** Entries of the outbox that wait to be sent. */
  waiting: readonly OutboxEntry[];
};

export function ShiftNotice({ userId, shift, now, waiting }: ShiftNoticeProps) {
  const [saying, setSaying] = useState<NoticeKind>();
  const [isBusy, setBusy] = useState(false);
  if (hasWaitingClockEvent(waiting, shift.id)) return null;
  const kinds = noticeKinds(shift, now);
  const queued = waitingNotice(waiting, shift.id);
  const notice = queued === 'withdrawn' ? undefined : (queued ?? shift.notice);
  if (kinds.length === 0 && !notice && !queued) return null;
  const at = shift.shift.site.name;
  const spot = `notice ${shift.id}`;

  async function takeBack(given: DutyNotice) {
    setBusy(true);
    try {
      const outcome = await withdrawNotice(userId, shift, given);
      showSuccess(
        given.kind === 'cant_come'
          ? 'The control room knows that you can come'
          : 'The control room knows that you are on time',
        waitingText(outcome),
      );
    } catch (error) {
      showError('It could not be taken back', describeError(error));
    } finally {
      setBusy(false);
    }
  }
  const offered = kinds.filter((kind) => notice?.kind !== kind && notice?.kind !== 'cant_come');
  return (
    <div className="mt-2">
      {notice && (
        <p role="status" className="text-sm font-semibold text-pretty break-words text-warning">
          {describeNotice(notice)}
        </p>
      )}
      <div className="mt-1 flex flex-wrap gap-1 empty:hidden max-sm:*:flex-1 sm:gap-2">
        {notice && (
          <OppositeButton
            {...{ spot, action: 'take back', settled: 'Said' }}
            variant="secondary"
            className="px-3"
            aria-label={`${takeBackLabel(notice)}, ${at}`}
            busy={isBusy}
            onClick={() => takeBack(notice)}
          >
            {takeBackLabel(notice)}
          </OppositeButton>
        )}
        {offered.map((kind) => (
          <Button
            key={kind}
            variant="ghost"
            className="px-2 text-muted"
            aria-haspopup="dialog"
            aria-label={`${LABELS[kind]}, ${at}`}
            onClick={() => setSaying(kind)}
          >
            {LABELS[kind]}
          </Button>
        ))}
      </div>
      {queued && (
        <p className="mt-1 text-sm font-semibold text-warning">
          {queued === 'withdrawn' ? 'Taken back. Waiting to send.' : 'Waiting to send.'}
        </p>
      )}
      {saying && (
        <LazyPart
          fallback={<Opening title={LABELS[saying]} />}
          onClose={() => setSaying(undefined)}
        >
          <DutyNoticeDialog
            {...{ userId, shift, kind: saying, spot }}
            onClose={() => setSaying(undefined)}
          />
        </LazyPart>
      )}
    </div>
  );
}

const takeBackLabel = ({ kind }: DutyNotice) =>
  kind === 'cant_come' ? 'I can come after all' : 'I’ll be on time';
