// Repeats a shift on later days, with a preview of what would come of it.
import { useState } from 'react';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { type Repeat, useRepeatPreview, useRepeatShift } from '../api/repeat-shift.ts';
import type { Shift } from '../schema.ts';
import { dayAfter, wallTimesOf } from '../shift-times.ts';
import { CopyActions } from './copy-actions.tsx';
import { CopyPreview, sumOf } from './copy-preview.tsx';
import { WeekdayChoice } from './weekday-choice.tsx';
import { WithGuards } from './with-guards.tsx';

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

export function RepeatPanel({ shift, onClose }: { shift: Shift; onClose: () => void }) {
  const first = wallTimesOf(shift).start_date;
  const [weekdays, setWeekdays] = useState(EVERY_DAY);
  const [until, setUntil] = useState(dayAfter(first, 7));
  const [withGuards, setWithGuards] = useState(false);
  const isReady = weekdays.length > 0 && until > first;
  const repeat: Repeat = {
    p_shift_id: shift.id,
    p_until: until,
    p_weekdays: weekdays,
    p_with_guards: withGuards,
  };
  const preview = useRepeatPreview(repeat, isReady);
  const mutation = useRepeatShift();
  const made = preview.data && isReady ? sumOf(preview.data).made : 0;

  return (
    <div className="grid gap-6">
      <WeekdayChoice value={weekdays} onChange={setWeekdays} />
      <Field
        label="Until"
        error={until > first ? undefined : 'Choose a day after the day of the shift'}
        hint="The last day; the hours stay the same by the clock at the site."
      >
        {(control) => (
          <Input
            {...control}
            type="date"
            value={until}
            min={dayAfter(first, 1)}
            max={dayAfter(first, 366)}
            onChange={({ target }) => setUntil(target.value)}
          />
        )}
      </Field>
      <WithGuards
        checked={withGuards}
        onChange={setWithGuards}
        hint="Who can't work one of the days is left out there."
      />
      {isReady ? (
        <Loaded query={preview} loadingText="Looking what there is...">
          {(days) => <CopyPreview days={days} />}
        </Loaded>
      ) : (
        <p className="text-sm text-muted">Choose at least one day.</p>
      )}
      <CopyActions copy={repeat} made={made} mutation={mutation} onClose={onClose} />
    </div>
  );
}
