import { useId } from 'react';
import { useSave } from '#web/components/form/use-save.ts';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { LoadedCard } from '#web/components/ui/loaded-card.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { formatInstantDay, formatMinutes, formatPayPeriod, today } from '#web/lib/format/dates.ts';
import { ClassTotals, paidMinutes } from '../class-totals.tsx';
import type { Sheet } from '../sheet-api.ts';
import { type OwnSheet, useOwnSheet, useOwnSheets, useSubmitSheet } from './api.ts';
import { OwnDays } from './own-days.tsx';

/** The state of the timesheet, or the guard's next step. */
function State({ sheet }: { sheet: Sheet }) {
  const { mutateAsync } = useSubmitSheet();
  const { save, busy } = useSave({ success: 'Thank you. Your office will take it from here.' });
  const { id, status, period_end, submitted_at, approved_at, note } = sheet;
  if (status === 'approved' || status === 'locked') {
    return (
      <p className="text-success">
        {status === 'locked' ? 'Locked for pay' : 'Approved'}
        {approved_at && ` on ${formatInstantDay(approved_at)}`}.
      </p>
    );
  }
  if (status === 'submitted') {
    return (
      <p>
        You said that this looks right
        {submitted_at && ` on ${formatInstantDay(submitted_at)}`}. It is not approved yet.
      </p>
    );
  }
  return (
    <div className="grid gap-3">
      {note && <p className="text-warning">{note}</p>}
      {period_end < today() ? (
        <>
          <Button
            busy={busy}
            className="min-h-13 w-full sm:w-auto sm:justify-self-start"
            onClick={() => void save(() => mutateAsync(id))}
          >
            This looks right
          </Button>
          <p className="text-sm text-muted">If a day is wrong, dispute it below first.</p>
        </>
      ) : (
        <p className="text-sm text-muted">
          This period is not over. You can dispute a day at any time.
        </p>
      )}
    </div>
  );
}

type PeriodProps = { sheets: OwnSheet[]; chosen: OwnSheet; onChoose: (id: string) => void };

function PeriodChoice({ sheets, chosen, onChoose }: PeriodProps) {
  const selectId = useId();
  return (
    <div className="flex flex-wrap items-center gap-3">
      <label htmlFor={selectId} className="text-sm text-muted">
        Period
      </label>
      <Select
        id={selectId}
        value={chosen.id}
        onChange={({ target }) => onChoose(target.value)}
        className="w-auto"
      >
        {sheets.map(({ id, period_start, period_end }) => (
          <option key={id} value={id}>
            {formatPayPeriod(period_start, period_end)}
          </option>
        ))}
      </Select>
    </div>
  );
}

type OwnTimesheetProps = {
  userId: string;
  /** First day of the chosen period; the newest without one. */
  from: string | undefined;
  onFrom: (from: string) => void;
};

const CARD = { title: 'My Timesheet', level: 1, loadingText: 'Loading your hours...' } as const;

function Chosen({ sheets, userId, from, onFrom }: OwnTimesheetProps & { sheets: OwnSheet[] }) {
  const chosen = sheets.find(({ period_start }) => period_start === from) ?? sheets[0];
  const query = useOwnSheet(chosen?.id ?? '');
  if (!chosen) return null;
  const choose = (id: string) =>
    onFrom(sheets.find((sheet) => sheet.id === id)?.period_start ?? chosen.period_start);
  return (
    <LoadedCard {...CARD} query={query} emptyText="This timesheet does not exist any more.">
      {(sheet) =>
        sheet && (
          <>
            <div className="grid gap-4 border-b border-line px-4 py-4 sm:px-5">
              <PeriodChoice sheets={sheets} chosen={chosen} onChoose={choose} />
              <div className="flex flex-wrap items-start justify-between gap-3">
                <p>
                  <span className="block text-3xl leading-tight font-semibold tabular-nums">
                    {formatMinutes(paidMinutes(sheet))}
                  </span>
                  <span className="text-sm text-muted">
                    paid, {formatMinutes(sheet.planned_minutes)} planned
                  </span>
                </p>
                <StatusBadge status={sheet.status} />
              </div>
              <ClassTotals sheet={sheet} className="sm:grid-cols-2" />
              <State sheet={sheet} />
            </div>
            <OwnDays sheet={sheet} userId={userId} />
          </>
        )
      }
    </LoadedCard>
  );
}

/** A guard's hours by pay period, day by day, with a sentence for each difference. */
export function OwnTimesheet(props: OwnTimesheetProps) {
  const query = useOwnSheets(props.userId);
  const { data } = query;
  if (data && data.length > 0) return <Chosen {...props} sheets={data} />;
  return (
    <LoadedCard
      {...CARD}
      query={query}
      emptyText="No hours yet. Each pay period appears here, day by day."
    >
      {() => null}
    </LoadedCard>
  );
}
