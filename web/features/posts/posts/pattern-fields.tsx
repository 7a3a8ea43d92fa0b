import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import * as limits from '#shared/database.limits.ts';
import { presetCycle, type Slot } from '#shared/demand/cycle.ts';
import { createFields } from '#web/components/form/fields.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { formatDay, today } from '#web/lib/format/dates.ts';
import { CycleGrid } from './cycle-grid.tsx';
import { PatternSummary } from './pattern-summary.tsx';
import {
  PATTERN_LABELS,
  PATTERNS,
  type Post,
  type PostForm,
  postSchema,
  readHeadcount,
  slotsFrom,
  toPattern,
} from './schema.ts';
import { commitOnLeave, SlotTable } from './slot-table.tsx';

const OPTIONS = PATTERNS.map((pattern) => [pattern, PATTERN_LABELS[pattern]] as const);

function Versions({ post, form }: { post: Post; form: PostForm }) {
  const later = post.post_requirements
    .filter(({ valid_from }) => valid_from > form.from)
    .sort((a, b) => a.valid_from.localeCompare(b.valid_from));
  const isRunning = post.post_requirements.some(({ valid_from }) => valid_from < today());
  return (
    <>
      {isRunning && (
        <p className="text-sm text-muted">
          A change is a new version: the present one ends the day before. Shifts with the same times
          keep their guards.
        </p>
      )}
      {later.map(({ id, valid_from, preset, cycle_days }) => (
        <p key={id} className="text-sm font-semibold">
          From {formatDay(valid_from)}:{' '}
          {preset === null ? `${cycle_days}-day cycle` : PATTERN_LABELS[toPattern(preset)]}
          {(form.to === '' || form.to >= valid_from) && ', which this version replaces'}
        </p>
      ))}
    </>
  );
}

type PatternFieldsProps = { form: UseFormReturn<PostForm>; post: Post | undefined };

export function PatternFields({ form, post }: PatternFieldsProps) {
  const values = form.watch();
  const field = createFields(form);
  const [from, setFrom] = useState(values.from);
  const setSlots = (slots: Slot[]) => {
    form.setValue('slots', slots, { shouldDirty: true, shouldValidate: slots.length > 0 });
  };
  const change = (slots: Slot[]) => {
    setSlots(slots);
    form.setValue('pattern', 'drawn');
  };
  function choosePattern({ target }: { target: { value: string } }) {
    const pattern = toPattern(target.value);
    if (pattern === 'drawn') return;
    const cycle = presetCycle(pattern, { from: values.from, headcount: readHeadcount(values) });
    form.setValue('cycle_days', cycle.cycle_days);
    // An event ends on the day on which it begins, unless it is said otherwise.
    if (pattern === 'one_off' && values.to === '') form.setValue('to', values.from);
    setSlots(cycle.slots);
  }
  function chooseDays(days: number) {
    if (days === values.cycle_days) return;
    if (!Number.isInteger(days) || days < 1 || days > limits.POST_REQUIREMENTS_CYCLE_DAYS_MAX)
      return;
    form.setValue('cycle_days', days);
    form.setValue('pattern', 'drawn');
    setSlots(values.slots.filter(({ day }) => day < days));
  }
  function moveStart(day: string) {
    setFrom(day);
    if (!postSchema.shape.from.safeParse(day).success) return;
    // Weekdays stay weekdays: every calendar day keeps its slots.
    setSlots(slotsFrom(values, day));
    form.setValue('from', day, { shouldDirty: true, shouldValidate: true });
  }
  const slotsError = form.formState.errors.slots?.message;
  const fromError = form.formState.errors.from?.message;
  return (
    <section aria-label="When it is manned" className="grid gap-5">
      <h3 className="font-display text-lg">When it is manned</h3>
      <div className="grid grid-cols-2 gap-5 lg:grid-cols-[2fr_1fr_1fr_1fr]">
        {field.select('pattern', 'Pattern', OPTIONS, {
          className: 'max-lg:col-span-full',
          register: { onChange: choosePattern },
        })}
        <Field label="From" error={fromError}>
          {(control) => (
            <Input
              {...control}
              type="date"
              value={from}
              onChange={({ target }) => moveStart(target.value)}
            />
          )}
        </Field>
        {field.day('to', 'To', { optional: true })}
        <Field label="Days of the cycle">
          {(control) => (
            <Input
              {...control}
              type="number"
              min={1}
              max={limits.POST_REQUIREMENTS_CYCLE_DAYS_MAX}
              key={values.cycle_days}
              defaultValue={values.cycle_days}
              {...commitOnLeave((days) => chooseDays(Number(days)))}
            />
          )}
        </Field>
      </div>
      {post && <Versions post={post} form={values} />}
      <div className="grid items-start gap-5 lg:grid-cols-[1fr_18rem]">
        <div className="grid min-w-0 gap-4">
          <CycleGrid
            cycle={values}
            from={values.from}
            headcount={readHeadcount(values)}
            onChange={change}
          />
          <SlotTable
            cycle={values}
            from={values.from}
            headcount={readHeadcount(values)}
            onChange={change}
          />
          {slotsError && <p className="text-sm font-medium text-danger">{slotsError}</p>}
        </div>
        <PatternSummary cycle={values} />
      </div>
    </section>
  );
}
