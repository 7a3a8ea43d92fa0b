import { useId } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { Steps } from '#web/components/ui/steps.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { formatPayPeriod, today } from '#web/lib/format/dates.ts';
import { FREQUENCIES, PERIOD_UNITS, stepPeriod } from '#web/lib/format/pay-periods.ts';
import { PAY_FREQUENCY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { shownPeriod, type TimesheetSearch } from './search.ts';
import { useEarlierSheets } from './timesheet-api.ts';

type PeriodChooserProps = {
  search: TimesheetSearch;
  onChange: ChangeSearch<TimesheetSearch>;
};

export function PeriodChooser({ search, onChange }: PeriodChooserProps) {
  const { every = 'monthly', day = today() } = search;
  const selectId = useId();
  const { start, end } = shownPeriod(search);
  const { data: earlier } = useEarlierSheets(start);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 print:hidden">
      <div className="-ml-2 flex items-center">
        <Steps
          unit={PERIOD_UNITS[every]}
          iconClass="size-5"
          onStep={(step) => onChange({ day: stepPeriod(every, day, step), page: undefined })}
        >
          <p aria-live="polite" className="min-w-28 px-1 text-center text-lg font-semibold">
            {formatPayPeriod(start, end)}
          </p>
        </Steps>
      </div>
      <div>
        <label htmlFor={selectId} className="sr-only">
          Length of the period
        </label>
        <Select
          id={selectId}
          value={every}
          onChange={({ target }) => {
            const chosen = FREQUENCIES.find((each) => each === target.value);
            onChange({ every: chosen === 'monthly' ? undefined : chosen, page: undefined });
          }}
        >
          {FREQUENCIES.map((each) => (
            <option key={each} value={each}>
              {PAY_FREQUENCY_LABELS[each]}
            </option>
          ))}
        </Select>
      </div>
      {earlier && earlier.count > 0 && earlier.day && (
        <Button
          variant="link"
          className="text-left whitespace-normal max-sm:px-0"
          onClick={() => onChange({ day: earlier.day, page: undefined })}
        >
          {earlier.count === 1
            ? '1 timesheet of an earlier period is not approved'
            : `${earlier.count} timesheets of earlier periods are not approved`}
        </Button>
      )}
    </div>
  );
}
