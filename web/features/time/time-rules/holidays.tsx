// The company's calendar: the public holidays of a year, and what the company does differently.

import { useState } from 'react';
import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { useSave } from '#web/components/form/use-save.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Steps } from '#web/components/ui/steps.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { dayField } from '#web/lib/form-fields/day-field.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { today } from '#web/lib/format/dates.ts';
import { formatDayOfWeek } from '#web/lib/format/days.ts';
import { type Holiday, useHolidays, useRemoveHoliday, useSaveHoliday } from './api.ts';

const holidaySchema = z.object({
  day: dayField('Date is required'),
  name: textField('Name', limits.COMPANY_HOLIDAYS_NAME_MAX).min(1, 'Name is required'),
});

function AddDialog({ onClose }: { onClose: () => void }) {
  const { mutateAsync } = useSaveHoliday();
  return (
    <EntryDialog
      title="Add Holiday"
      description="Work on this day is paid as on a public holiday."
      success="Holiday added"
      schema={holidaySchema}
      defaultValues={{ day: '', name: '' }}
      submitLabel="Add Holiday"
      save={(form) => mutateAsync({ ...form, works: false })}
      onClose={onClose}
    >
      {(form) => (
        <FieldGrid>
          {createFields(form).day('day', 'Day')}
          {createFields(form).text('name', 'Name')}
        </FieldGrid>
      )}
    </EntryDialog>
  );
}

function stateOf({ own }: Holiday) {
  if (own === undefined) return { label: 'Public holiday', tone: 'blue' } as const;
  return own.works
    ? ({ label: 'Working day', tone: 'grey' } as const)
    : ({ label: 'Company holiday', tone: 'green' } as const);
}

function HolidayRow({ holiday, mayChange }: { holiday: Holiday; mayChange: boolean }) {
  const { day, name, own } = holiday;
  const { label, tone } = stateOf(holiday);
  const save = useSaveHoliday();
  const remove = useRemoveHoliday();
  const { save: run, busy } = useSave();
  const undoing = own?.works ? 'Make it a holiday' : 'Remove';
  const action = own ? undoing : 'Make it a working day';
  const makeWorkingDay = () =>
    run(async () => {
      await save.mutateAsync({ day, name, works: true });
      showSuccess(`${name} is a working day`);
    });
  const removeOwn = (id: string) =>
    run(async () => {
      const row = await remove.mutateAsync(id);
      const undo = () =>
        void run(() => save.mutateAsync(row ?? { day, name, works: own?.works ?? false }));
      showSuccess(own?.works ? `${name} is a holiday again` : `${name} removed`, undefined, {
        label: 'Undo',
        onPress: undo,
      });
    });
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-1.5 sm:px-6">
      <span className="w-28 text-muted tabular-nums">{formatDayOfWeek(day)}</span>
      <span className="min-w-40 flex-1 font-medium [overflow-wrap:anywhere]">{name}</span>
      <Badge tone={tone}>{label}</Badge>
      {mayChange && (
        <Button
          variant="ghost"
          className="px-3 sm:w-44"
          busy={busy}
          aria-label={`${action}: ${name}`}
          onClick={() => void (own ? removeOwn(own.id) : makeWorkingDay())}
        >
          {action}
        </Button>
      )}
    </li>
  );
}

export function Holidays({ mayChange }: { mayChange: boolean }) {
  const [year, setYear] = useState(() => Number(today().slice(0, 4)));
  const [isAdding, setAdding] = useState(false);
  const query = useHolidays(year);
  return (
    <Card>
      <section aria-label="Company holidays">
        <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-3 sm:px-6">
          <h3 className="font-display text-xl leading-tight">Company holidays</h3>
          <div className="flex items-center gap-1">
            <Steps unit="year" onStep={(step) => setYear(year + step)}>
              <p aria-live="polite" className="font-semibold tabular-nums">
                {year}
              </p>
            </Steps>
            {mayChange && (
              <Button variant="secondary" className="ml-3" onClick={() => setAdding(true)}>
                Add Holiday
              </Button>
            )}
          </div>
        </div>
        <Loaded query={query} loadingText="Loading holidays..." failure="Error">
          {(days) =>
            days.length === 0 ? (
              <p className="px-4 py-10 text-center text-muted">
                The public holidays of {year} are not known yet.
              </p>
            ) : (
              <ul aria-label={`Holidays of ${year}`} className="divide-y divide-line">
                {days.map((holiday) => (
                  <HolidayRow key={holiday.day} holiday={holiday} mayChange={mayChange} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </section>
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
    </Card>
  );
}
