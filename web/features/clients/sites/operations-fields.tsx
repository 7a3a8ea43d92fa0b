import type { UseFormReturn } from 'react-hook-form';
import { REACH_KM } from '#shared/database.limits.ts';
import { CLOCK_EVENTS_WAY, SITES_COUNTY } from '#shared/database.values.ts';
import { createFields } from '#web/components/form/fields.tsx';
import { LabelledCheckbox } from '#web/components/ui/checkbox.tsx';
import { CLOCK_WAY_LABELS, type ClockWay } from '#web/lib/vocabulary/kinds.ts';
import type { SiteForm } from './schema.ts';

const HINTS: Record<ClockWay, string> = {
  phone: 'In the staff portal.',
  device: 'A phone or tablet of the site, with a PIN.',
  muster: 'A supervisor marks who is at their post.',
  message: 'From the guard’s known number.',
  office: 'When nothing else worked.',
};

const COUNTIES = SITES_COUNTY.map((name) => [name, name] as const);

export function OperationsFields({ form }: { form: UseFormReturn<SiteForm> }) {
  const field = createFields(form);
  const chosen = form.watch('clock_ways');
  const error = form.formState.errors.clock_ways?.message;
  return (
    <fieldset className="grid gap-5 sm:col-span-2 sm:grid-cols-2">
      <legend className="mb-1.5 text-sm font-semibold">Operations</legend>
      {field.select('county', 'County', COUNTIES, {
        optional: true,
        empty: 'Not chosen',
        hint: 'For the filter by region of the operations room, and for who lives near enough.',
      })}
      {field.count('max_distance_km', 'Guards from within (km)', {
        optional: true,
        hint: `Of their homes, for the roster. Empty: guards of the region, and up to ${REACH_KM} km outside it.`,
      })}
      {field.count('alert_after_minutes', 'Alert after (min)', {
        hint: 'After the start of a shift, if the guard has not clocked in.',
      })}
      {field.count('escalate_after_minutes', 'Escalate after (min)', {
        hint: 'If nobody has acknowledged an alert, the next managers get a notice.',
      })}
      {field.count('welfare_every_minutes', 'Welfare check (min)', {
        optional: true,
        hint: 'How often. Empty: only where a guard is alone, every 60.',
      })}
      {field.count('no_signal_after_minutes', 'No signal after (min)', {
        optional: true,
        hint: 'No signal from the site’s device, or from the open app of a guard with welfare checks. Empty: no alert.',
      })}
      <fieldset className="sm:col-span-2" aria-describedby="clock-ways-hint">
        <legend className="text-sm font-semibold">Ways to clock in</legend>
        <p id="clock-ways-hint" className="mb-3 text-sm text-muted">
          Clock events made another way are kept, and marked for review.
        </p>
        <div className="grid gap-3 sm:grid-cols-2">
          {CLOCK_EVENTS_WAY.map((way) => (
            <LabelledCheckbox
              key={way}
              label={CLOCK_WAY_LABELS[way]}
              hint={HINTS[way]}
              checked={chosen.includes(way)}
              onChange={({ target }) => {
                const ways = CLOCK_EVENTS_WAY.filter((each) =>
                  each === way ? target.checked : chosen.includes(each),
                );
                form.setValue('clock_ways', ways, { shouldDirty: true, shouldValidate: true });
              }}
            />
          ))}
        </div>
        {error !== undefined && (
          <p role="alert" className="mt-2 text-sm text-danger">
            {error}
          </p>
        )}
      </fieldset>
    </fieldset>
  );
}
