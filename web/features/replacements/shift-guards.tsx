import { Phone, UserX } from 'lucide-react';
import { useState } from 'react';
import { NoShowForm } from '#web/components/form/no-show-form.tsx';
import { useSave } from '#web/components/form/use-save.ts';
import { Badge, StatusBadge } from '#web/components/ui/badge.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { formatTime } from '#web/lib/format/dates.ts';
import { type ShiftGuard, type Situation, useNoShow } from './api.ts';

/** As in the database: a no-show can be marked from then on. */
const LEAD_MS = 4 * 60 * 60 * 1000;

type GuardRowProps = { guard: ShiftGuard; situation: Situation };

function GuardRow({ guard, situation }: GuardRowProps) {
  const { id, name, phone, status, attendance_state, starts_at, no_show_reason } = guard;
  const [isMarking, setMarking] = useState(false);
  const noShow = useNoShow();
  const { save, busy } = useSave({
    success: 'No-show Undone',
    failure: 'The no-show was not undone',
  });
  const joins = starts_at !== null && starts_at > situation.start_time ? starts_at : undefined;
  const isDue = starts_at !== null && Date.parse(starts_at) - LEAD_MS < Date.now();
  const mayMark =
    isDue && attendance_state === 'none' && (status === 'assigned' || status === 'confirmed');
  const undo = () => save(() => noShow.undo(id));
  return (
    <li className="py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="min-w-32 flex-1">
          <span className="font-medium">{name}</span>
          {joins && (
            <SecondLine wraps>Expected at {formatTime(joins, situation.timezone)}</SecondLine>
          )}
          {no_show_reason && <SecondLine wraps>Did not come: {no_show_reason}</SecondLine>}
        </p>
        {attendance_state === 'in' ? (
          <Badge tone="green">On duty</Badge>
        ) : (
          <StatusBadge status={status} />
        )}
        <div className="flex">
          {phone && (
            <a
              href={`tel:${phone}`}
              className={buttonStyles({ variant: 'ghost', size: 'icon' })}
              title={phone}
              aria-label={`Call ${name}, ${phone}`}
            >
              <Phone aria-hidden="true" className="size-4" />
            </a>
          )}
          {mayMark && (
            <Button
              variant="danger-ghost"
              size="icon"
              title="Mark as no-show"
              aria-label={`Mark ${name} as no-show`}
              aria-expanded={isMarking}
              onClick={() => setMarking(!isMarking)}
            >
              <UserX aria-hidden="true" className="size-4" />
            </Button>
          )}
          {status === 'no_show' && attendance_state === 'none' && (
            <Button
              variant="ghost"
              busy={busy}
              aria-label={`Undo no-show of ${name}`}
              onClick={undo}
            >
              Undo
            </Button>
          )}
        </div>
      </div>
      {isMarking && mayMark && (
        <div className="pt-3 pb-2">
          <NoShowForm
            name={name}
            mark={(reason) => noShow.mark(id, reason)}
            undo={() => void undo()}
            onDone={() => setMarking(false)}
          />
        </div>
      )}
    </li>
  );
}

/** Who is on the shift, and who did not come. */
export function ShiftGuards({ situation }: { situation: Situation }) {
  const { guards } = situation;
  if (guards.length === 0) return null;
  return (
    <section aria-label="On this shift">
      <h3 className="mb-2 font-semibold">On this shift</h3>
      <ul className="divide-y divide-line border-y border-line">
        {guards.map((guard) => (
          <GuardRow key={guard.id} guard={guard} situation={situation} />
        ))}
      </ul>
    </section>
  );
}
