import { NotebookPen, Phone } from 'lucide-react';
import { useId, useState } from 'react';
import { formatPhone } from '#shared/phone.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { Checkbox } from '#web/components/ui/checkbox.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { LAST_ANSWER_LABELS } from '#web/lib/vocabulary/kinds.ts';
import type { Candidate, ShiftCall, ShiftOffer } from './api.ts';
import { CallForm } from './call-form.tsx';
import { callText, offerState } from './offer-state.ts';
import { useAssign } from './use-assign.ts';

type CandidateRowProps = {
  shiftId: string;
  zone: string;
  candidate: Candidate;
  /** The last ones about this shift. */
  offer: ShiftOffer | undefined;
  call: ShiftCall | undefined;
  isChosen: boolean;
  /** Undefined while every seat is given. */
  onToggle: (() => void) | undefined;
};

export function CandidateRow(props: CandidateRowProps) {
  const { shiftId, zone, candidate, offer, call, isChosen, onToggle } = props;
  const { user_id, full_name, phone, last_answer, reasons } = candidate;
  const [isNoting, setNoting] = useState(false);
  const id = useId();
  const state = offer && offerState(offer);
  const isAsked = offer?.status === 'asked';
  const { assign, isPending } = useAssign({ shiftId, userId: user_id, name: full_name });
  const last = last_answer && offer === undefined && !call && LAST_ANSWER_LABELS[last_answer];
  return (
    <li>
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1 py-2.5 has-checked:bg-sunken">
        {/* The hit area of the checkbox ends before the buttons. */}
        <div className="relative flex min-h-11 min-w-52 flex-1 items-start gap-3">
          <Checkbox
            id={id}
            checked={isChosen}
            disabled={isAsked || !onToggle}
            onChange={onToggle}
            aria-describedby={`${id}-facts`}
          />
          <div className="min-w-0 flex-1">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <label htmlFor={id} className="font-medium">
                {full_name}
              </label>
              {state && <Badge tone={state.tone}>{state.label}</Badge>}
            </p>
            <div id={`${id}-facts`} className="text-sm text-muted tabular-nums">
              <p>{[...reasons, last].filter(Boolean).join(' · ')}</p>
              {call && <p className="text-text">{callText(call, zone)}</p>}
            </div>
          </div>
        </div>
        <div className="flex flex-wrap items-center gap-x-1">
          {phone && (
            <a
              href={`tel:${phone}`}
              className={buttonStyles({ variant: 'ghost', className: 'px-2.5' })}
              aria-label={`Call ${full_name}, ${formatPhone(phone)}`}
            >
              <Phone aria-hidden="true" className="size-4" />
              <span className="tabular-nums">{formatPhone(phone)}</span>
            </a>
          )}
          <Button
            variant="ghost"
            size="icon"
            title="Note a call"
            aria-label={`Note a call with ${full_name}`}
            aria-expanded={isNoting}
            onClick={() => setNoting(!isNoting)}
          >
            <NotebookPen aria-hidden="true" className="size-4" />
          </Button>
          {onToggle && (
            <Button
              variant="secondary"
              className="px-3"
              busy={isPending}
              aria-label={`Assign ${full_name}`}
              onClick={() =>
                void assign().catch((error: unknown) =>
                  showError('The guard was not assigned', describeError(error)),
                )
              }
            >
              Assign
            </Button>
          )}
        </div>
      </div>
      {isNoting && (
        <div className="pt-1 pb-4 sm:pl-9">
          <CallForm
            shiftId={shiftId}
            userId={user_id}
            name={full_name}
            hasSeat={onToggle !== undefined}
            onDone={() => setNoting(false)}
          />
        </div>
      )}
    </li>
  );
}
