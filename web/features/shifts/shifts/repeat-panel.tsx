import { useState } from 'react';
import * as limits from '#shared/database.limits.ts';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { dayAfter } from '#web/lib/format/days.ts';
import { CopySteps } from './copy-steps.tsx';
import type { Shift } from './shift-schema.ts';
import { toWallTimes } from './shift-times.ts';
import { type Repeat, useRepeatPreview, useRepeatShift } from './week-api.ts';

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

type WeekdayChoiceProps = {
  /** 1 for Monday to 7 for Sunday. */
  value: readonly number[];
  onChange: (days: number[]) => void;
};

function WeekdayChoice({ value, onChange }: WeekdayChoiceProps) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-semibold">On these days</legend>
      <div className="grid grid-cols-4 gap-1 sm:grid-cols-7">
        {WEEKDAYS.map((name, index) => {
          const day = index + 1;
          const isOn = value.includes(day);
          return (
            <label
              key={name}
              className="relative flex min-h-11 cursor-pointer items-center justify-center rounded-sm border border-line-strong text-sm has-checked:border-primary has-checked:bg-primary has-checked:text-primary-ink outline-(color:--focus) has-focus-visible:outline-3 has-focus-visible:outline-offset-2"
            >
              <input
                type="checkbox"
                checked={isOn}
                onChange={() =>
                  onChange(isOn ? value.filter((other) => other !== day) : [...value, day].sort())
                }
                className="absolute -inset-px size-[calc(100%+2px)] cursor-pointer opacity-0"
              />
              {name}
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

export function RepeatPanel({ shift, onClose }: { shift: Shift; onClose: () => void }) {
  const first = toWallTimes(shift).start_date;
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

  return (
    <div className="grid gap-6">
      <WeekdayChoice value={weekdays} onChange={setWeekdays} />
      <Field
        label="Until"
        error={until > first ? undefined : 'Choose a day after the day of the shift'}
        hint="Last day to repeat on. The hours stay the same in site time."
      >
        {(control) => (
          <Input
            {...control}
            type="date"
            value={until}
            min={dayAfter(first, 1)}
            max={dayAfter(first, limits.COPY_LIMIT_DAYS)}
            onChange={({ target }) => setUntil(target.value)}
          />
        )}
      </Field>
      <CopySteps
        copy={repeat}
        withGuards={{
          checked: withGuards,
          onChange: setWithGuards,
          hint: "A guard who can't work on a day is left out on that day.",
        }}
        preview={isReady ? preview : undefined}
        incomplete={<p className="text-sm text-muted">Choose at least one day.</p>}
        mutation={mutation}
        onClose={onClose}
      />
    </div>
  );
}
