import { useRef, useState } from 'react';
import * as limits from '#shared/database.limits.ts';
import { ReasonChips } from '#web/components/form/reason-chips.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { markPressed } from '#web/components/ui/opposite-button.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatMinutes, formatTimeRange, formatWeekday } from '#web/lib/format/dates.ts';
import { waitingText } from '#web/lib/outbox/submit.ts';
import type { GuardShift } from './api.ts';
import { LATE_MINUTES, type NoticeKind, submitNotice } from './duty-notice.ts';

const TEXTS = {
  running_late: {
    title: 'I’m running late',
    explanation: 'The control room sees it at once. You keep your shift.',
    reasons: ['No transport', 'Traffic', 'Heavy rain', 'Family emergency'],
    sent: 'The control room knows that you are late',
  },
  cant_come: {
    title: 'I can’t come',
    explanation:
      'The control room looks for another guard. Until one has your shift, you can still say that you can come.',
    reasons: ['I am ill', 'No transport', 'Family emergency'],
    sent: 'The control room knows that you can’t come',
  },
} as const;

const MINUTE_LABELS = new Map(LATE_MINUTES.map((minutes) => [formatMinutes(minutes), minutes]));

type DutyNoticeDialogProps = {
  userId: string;
  shift: GuardShift;
  kind: NoticeKind;
  /** Of the button that takes the notice back. */
  spot: string;
  onClose: () => void;
};

export function DutyNoticeDialog({ userId, shift, kind, spot, onClose }: DutyNoticeDialogProps) {
  const { title, explanation, reasons, sent } = TEXTS[kind];
  const [late, setLate] = useState<string>();
  const [common, setCommon] = useState<string>();
  const [words, setWords] = useState('');
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const isSending = useRef(false);
  const { start_time, end_time, site } = shift.shift;
  const when = formatWeekday(start_time, site.timezone).split(',')[0];
  const minutes = kind === 'running_late' ? MINUTE_LABELS.get(late ?? '') : null;
  const reason = [common, words.trim()].filter(Boolean).join('. ');

  async function send() {
    setTried(true);
    if (minutes === undefined || reason === '' || isSending.current) return;
    isSending.current = true;
    setBusy(true);
    try {
      const outcome = await submitNotice(userId, shift, {
        kind,
        minutes,
        reason: reason.slice(0, limits.DUTY_NOTICES_REASON_MAX),
      });
      markPressed(spot, kind);
      showSuccess(outcome.state === 'sent' ? sent : 'Stored', waitingText(outcome));
      onClose();
    } catch (error) {
      showError('It was not accepted', describeError(error));
    } finally {
      isSending.current = false;
      setBusy(false);
    }
  }
  return (
    <Dialog open onOpenChange={onClose} title={title}>
      <form
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <p className="text-pretty">
          <span className="font-semibold">
            {site.name}, {when} {formatTimeRange(start_time, end_time, site.timezone)}.
          </span>{' '}
          {explanation}
        </p>
        {kind === 'running_late' && (
          <ReasonChips
            legend="How late?"
            reasons={[...MINUTE_LABELS.keys()]}
            chosen={late}
            onChoose={setLate}
            error={isTried && minutes === undefined ? 'Choose how late' : undefined}
          />
        )}
        <ReasonChips reasons={reasons} chosen={common} onChoose={setCommon} />
        <Field
          label="Reason in your words"
          error={isTried && reason === '' ? 'Choose or write a reason' : undefined}
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              maxLength={limits.DUTY_NOTICES_REASON_MAX}
              value={words}
              onChange={({ target }) => setWords(target.value)}
            />
          )}
        </Field>
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          {/* Not the field, whose keyboard would cover the rest. */}
          <Button data-first-focus variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={isBusy}>
            Tell the Control Room
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
