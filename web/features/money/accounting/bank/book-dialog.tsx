import { useState } from 'react';
import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { formatMoney } from '#shared/money.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { bookDayField } from '#web/lib/form-fields/day-field.ts';
import { describedField } from '#web/lib/form-fields/text-field.ts';
import { formatDay } from '#web/lib/format/dates.ts';
import type { Option } from '#web/lib/vocabulary/options.ts';
import { useAccounts } from '../api.ts';
import type { BankLine, Feed } from './api.ts';
import { useBookLine } from './changes.ts';

const bookingSchema = z.object({
  account: z.string().min(1, 'Choose an account'),
  day: bookDayField('Day is required', 'The day of an entry'),
  description: describedField(
    'Description',
    limits.BOOK_ENTRIES_DESCRIPTION_MIN,
    limits.BOOK_ENTRIES_DESCRIPTION_MAX,
  ),
});

/** What banks call their charges. */
const CHARGES = /charge|fee\b|fees\b|commission|interest|tariff|maintenance|levy/i;

type BookDialogProps = { line: BankLine; feed: Feed; onClose: () => void };

/** An entry by hand of the line, for what no other document books. */
export function BookDialog({ line, feed, onClose }: BookDialogProps) {
  const { mutateAsync } = useBookLine();
  const [id] = useState(() => crypto.randomUUID());
  const { data = [] } = useAccounts();
  const accounts = data
    .filter(({ key }) => key !== feed.ledger)
    .map(({ key, code, name }): Option => [key, `${code} ${name}`]);
  const text = line.description ?? line.reference ?? '';
  return (
    <EntryDialog
      title="Book Line"
      description={`${formatDay(line.day)}, ${formatMoney(line.amount, feed.currency)}. For charges, interest and other lines that no document books. An entry is kept for good: a mistake is voided.`}
      schema={bookingSchema}
      defaultValues={{
        account: line.amount < 0 && CHARGES.test(text) ? 'interest' : '',
        day: line.day,
        description: text.slice(0, limits.BOOK_ENTRIES_DESCRIPTION_MAX),
      }}
      submitLabel="Book Line"
      success="Line booked"
      failure="Line not booked"
      save={(form) => mutateAsync({ id, line: line.id, ...form })}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <FieldGrid>
            {field.select('account', line.amount < 0 ? 'Paid For' : 'Received For', accounts, {
              empty: 'Choose an account',
              isSearched: true,
            })}
            {field.day('day', 'Day')}
            {field.text('description', 'Description', { wide: true })}
          </FieldGrid>
        );
      }}
    </EntryDialog>
  );
}
