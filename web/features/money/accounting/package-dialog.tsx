import { useState } from 'react';
import { z } from 'zod';
import { BOOK_ENTRY_LINES_CURRENCY } from '#shared/database.values.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { formatPeriod } from '#web/lib/format/dates.ts';
import type { Option } from '#web/lib/vocabulary/options.ts';
import { exportForPackage } from './api.ts';
import { PACKAGES, type Package } from './packages.ts';
import type { Days } from './rules.ts';

const LABELS: Readonly<Record<Package, string>> = {
  quickbooks: 'QuickBooks (IIF)',
  xero: 'Xero (manual journals)',
  sage: 'Sage 50 (audit trail transactions)',
};

const schema = z.object({
  target: z.enum(PACKAGES),
  currency: z.enum(BOOK_ENTRY_LINES_CURRENCY),
});

const FIRST: z.infer<typeof schema> = { target: 'quickbooks', currency: 'USD' };

/** The journal of the days as a file that an accounting package imports. */
export function PackageButton({ days }: { days: Days }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Export for a Package
      </Button>
      {isOpen && (
        <EntryDialog
          title="Export for a Package"
          description={`The journal of ${formatPeriod(days.from, days.to)}. Its accounts must exist in the package: with the same codes, in QuickBooks with the same names.`}
          schema={schema}
          defaultValues={FIRST}
          submitLabel="Export"
          success="Journal exported"
          failure="Journal not exported"
          save={({ target, currency }) => exportForPackage(target, days, currency)}
          onClose={() => setOpen(false)}
        >
          {(form) => {
            const field = createFields(form);
            return (
              <FieldGrid>
                {field.select(
                  'target',
                  'Package',
                  PACKAGES.map((each): Option => [each, LABELS[each]]),
                )}
                {field.select(
                  'currency',
                  'Currency',
                  BOOK_ENTRY_LINES_CURRENCY.map((each): Option => [each, each]),
                )}
              </FieldGrid>
            );
          }}
        </EntryDialog>
      )}
    </>
  );
}
