// What the client of a site reads of the book of its posts, and how long visitors are kept.
import type { UseFormReturn } from 'react-hook-form';
import { createFields } from '#web/components/form/fields.tsx';
import { LabelledCheckbox } from '#web/components/ui/checkbox.tsx';
import { formatClock } from '#web/lib/format/dates.ts';
import { LINE_KIND_LABELS, LINE_KINDS } from '#web/lib/vocabulary/book.ts';
import { HOURS, type SiteForm } from './schema.ts';

const HOUR_OPTIONS = HOURS.map(
  (hour) => [hour, formatClock(`${hour.padStart(2, '0')}:00`)] as const,
);

const HINTS: Record<(typeof LINE_KINDS)[number], string> = {
  check: 'When all was quiet.',
  observation: 'What guards saw.',
  visitor: 'Who they were. They are counted in any case.',
  vehicle: 'Plates and drivers. They are counted in any case.',
  key: 'Who had which key.',
  delivery: 'What came to the gate.',
  lost_found: 'What was found.',
  instruction: 'What guards were told at the site.',
  handover: 'What guards tell the next guard.',
  duty: 'Clock-ins, and who was on post.',
  patrol: 'With their checkpoints.',
  incident: 'The number alone. The letter says the rest.',
};

export function BookFields({ form }: { form: UseFormReturn<SiteForm> }) {
  const field = createFields(form);
  const withheld = form.watch('book_kinds_withheld');
  return (
    <fieldset className="grid gap-5 sm:col-span-2 sm:grid-cols-2">
      <legend className="mb-1.5 text-sm font-semibold">Book of the Post</legend>
      {field.select('book_release_hour', 'Released to the client at', HOUR_OPTIONS, {
        optional: true,
        empty: 'By hand',
        hint: 'The day before, in the site’s timezone. The first one is today.',
      })}
      {field.count('visits_days', 'Visitors are kept for (days)', {
        optional: true,
        hint: 'Also on released pages. Empty: as long as the company keeps them.',
      })}
      <fieldset className="sm:col-span-2" aria-describedby="book-kinds-hint">
        <legend className="text-sm font-semibold">The client reads</legend>
        <p id="book-kinds-hint" className="mb-3 text-sm text-muted">
          From the next release on. Struck lines are never released.
        </p>
        <div className="grid gap-3 sm:grid-cols-2">
          {LINE_KINDS.map((kind) => (
            <LabelledCheckbox
              key={kind}
              label={LINE_KIND_LABELS[kind]}
              hint={HINTS[kind]}
              checked={!withheld.includes(kind)}
              onChange={({ target }) =>
                form.setValue(
                  'book_kinds_withheld',
                  LINE_KINDS.filter((each) =>
                    each === kind ? !target.checked : withheld.includes(each),
                  ),
                  { shouldDirty: true, shouldValidate: true },
                )
              }
            />
          ))}
        </div>
      </fieldset>
    </fieldset>
  );
}
