import { Phone } from 'lucide-react';
import { formatPhone } from '#shared/phone.ts';
import { Badge, StatusBadge } from '#web/components/ui/badge.tsx';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { formatTime } from '#web/lib/format/dates.ts';
import type { ShiftGuard, Situation } from './api.ts';
import { NoShow } from './no-show.tsx';

type GuardRowProps = { guard: ShiftGuard; situation: Situation };

function GuardRow({ guard, situation }: GuardRowProps) {
  const { id, name, phone, status, attendance_state, starts_at, no_show_reason, notice } = guard;
  const joins = starts_at !== null && starts_at > situation.start_time ? starts_at : undefined;
  return (
    <li className="flex flex-wrap items-center gap-x-1 gap-y-1 py-2">
      <p className="mr-2 min-w-32 flex-1">
        <span className="font-medium">{name}</span>
        {joins && (
          <SecondLine wraps>Expected at {formatTime(joins, situation.timezone)}</SecondLine>
        )}
        {no_show_reason && <SecondLine wraps>Did not come: {no_show_reason}</SecondLine>}
        {notice && (
          <SecondLine wraps className="font-semibold text-warning first-letter:uppercase">
            {notice.said}
          </SecondLine>
        )}
      </p>
      <span className="mr-2">
        {attendance_state === 'in' ? (
          <Badge tone="green">On duty</Badge>
        ) : (
          <StatusBadge status={status} />
        )}
      </span>
      {phone && (
        <a
          href={`tel:${phone}`}
          className={buttonStyles({ variant: 'ghost', className: 'px-3' })}
          aria-label={`Call ${name}, ${formatPhone(phone)}`}
        >
          <Phone aria-hidden="true" className="size-4" />
          <span className="tabular-nums">{formatPhone(phone)}</span>
        </a>
      )}
      <NoShow
        assignmentId={id}
        name={name}
        status={status}
        hasClockedIn={attendance_state !== 'none'}
        expected={starts_at}
      />
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
