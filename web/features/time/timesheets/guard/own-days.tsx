import { useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { serverNow } from '#web/lib/clock/server-now.ts';
import { today } from '#web/lib/format/dates.ts';
import { dayAfter, formatDayOfWeek } from '#web/lib/format/days.ts';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';
import { DayRow } from '../day-row.tsx';
import { DisputeNote } from '../dispute-note.tsx';
import type { Sheet } from '../sheet-api.ts';
import { isRunning, type SheetDay, toSheetDays } from '../sheet-days.ts';
import { type DisputePayload, listUnsent } from './dispute.ts';
import { DisputeDialog } from './dispute-dialog.tsx';

type OwnDayProps = {
  day: SheetDay;
  unsent: DisputePayload | undefined;
  onDispute: (() => void) | undefined;
};

function OwnDay({ day, unsent, onDispute }: OwnDayProps) {
  const isOpen = unsent !== undefined || day.disputes.some(({ status }) => status === 'open');
  return (
    <DayRow day={day} heading="h2">
      {day.worked === 0 && isRunning(day, serverNow()) && (
        <p className="mt-1 text-sm text-muted">
          This shift is still running. Its hours count once you have clocked in and out.
        </p>
      )}
      {day.disputes.map((dispute) => (
        <DisputeNote key={dispute.id} author="You" dispute={dispute}>
          {dispute.status === 'open' && <p className="text-muted">Sent. No answer yet.</p>}
        </DisputeNote>
      ))}
      {unsent && (
        <DisputeNote author="You" dispute={{ note: unsent.note, answer: null, answered_at: null }}>
          <p className="font-semibold text-warning">Waiting to send</p>
        </DisputeNote>
      )}
      {onDispute && !isOpen && (
        <Button
          variant="link"
          className="-ml-1"
          aria-label={`Dispute this day, ${formatDayOfWeek(day.day)}`}
          onClick={onDispute}
        >
          Dispute this day
        </Button>
      )}
    </DayRow>
  );
}

function daysBetween(start: string, end: string): string[] {
  const days: string[] = [];
  for (let day = start; day <= end; day = dayAfter(day, 1)) days.push(day);
  return days;
}

/** The days of the guard's own timesheet, newest first, each of which can be disputed. */
export function OwnDays({ sheet, userId }: { sheet: Sheet; userId: string }) {
  const [disputing, setDisputing] = useState<{ day: string | undefined }>();
  const { waiting } = useOutbox();
  const unsent = listUnsent(waiting, sheet.id);
  // Planned shifts to come are in My Shifts.
  const known = toSheetDays(sheet).filter(({ day }) => day <= today());
  // A disputed day without planned or worked time has no row of its own.
  const others = [...sheet.disputes, ...unsent].filter(
    ({ day }) => !known.some((row) => row.day === day),
  );
  const extra: SheetDay[] = [...new Set(others.map(({ day }) => day))].map((day) => ({
    ...{ day, planned: 0, worked: 0, paid: 0, missing: 0 },
    ...{ sentences: [], issues: [], plan: [], work: [] },
    disputes: sheet.disputes.filter((dispute) => dispute.day === day),
  }));
  const days = [...known, ...extra].sort((a, b) => b.day.localeCompare(a.day));
  const mayDispute = sheet.status !== 'locked';
  const isDisputed = (day: string) =>
    unsent.some((each) => each.day === day) ||
    sheet.disputes.some((each) => each.day === day && each.status === 'open');
  return (
    <>
      <ul aria-label="Days" className="divide-y divide-line">
        {days.map((day) => (
          <OwnDay
            key={day.day}
            day={day}
            unsent={unsent.find((each) => each.day === day.day)}
            onDispute={mayDispute ? () => setDisputing({ day: day.day }) : undefined}
          />
        ))}
      </ul>
      {mayDispute && (
        <div className="border-t border-line px-4 py-4 sm:px-5">
          <Button variant="secondary" onClick={() => setDisputing({ day: undefined })}>
            Dispute another day
          </Button>
        </div>
      )}
      {disputing && (
        <DisputeDialog
          userId={userId}
          timesheetId={sheet.id}
          day={disputing.day}
          days={daysBetween(sheet.period_start, sheet.period_end)
            .filter((day) => day <= today() && !isDisputed(day))
            .reverse()}
          onClose={() => setDisputing(undefined)}
        />
      )}
    </>
  );
}
