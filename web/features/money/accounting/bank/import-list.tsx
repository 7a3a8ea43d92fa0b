import { useId, useState } from 'react';
import { formatMoney } from '#shared/money.ts';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { formatPeriod } from '#web/lib/format/dates.ts';
import { type BankImport, type Feed, useImports } from './api.ts';
import { useUndoImport } from './changes.ts';
import { countLines } from './counted.ts';

const contentOf = ({ line_count, known_count }: BankImport) =>
  known_count === 0
    ? countLines(line_count)
    : `${countLines(line_count)}, ${known_count} imported before`;

/** The files of an account, the newest first. */
export function ImportList({ feed }: { feed: Feed }) {
  const id = useId();
  const query = useImports(feed.bank_account_id);
  const { mutateAsync } = useUndoImport();
  const [undone, setUndone] = useState<BankImport>();
  if (query.data?.length === 0) return null;
  return (
    <section aria-labelledby={id} className="mt-8">
      <h3 id={id} className="mb-3 font-display text-2xl">
        Imported Files
      </h3>
      <Loaded query={query} loadingText="Loading the imports...">
        {(imports) => (
          <ul className="divide-y divide-line border-y border-line">
            {imports.map((each) => (
              <li key={each.id} className="flex flex-wrap items-center justify-between gap-3 py-3">
                <div className="min-w-0 break-words">
                  {formatPeriod(each.first_day, each.last_day)}
                  <SecondLine>
                    {each.file_name}, {contentOf(each)}, ends with{' '}
                    {formatMoney(each.closing_balance, feed.currency)}
                  </SecondLine>
                </div>
                <Button
                  variant="secondary"
                  aria-label={`Undo the import of ${each.file_name}`}
                  onClick={() => setUndone(each)}
                >
                  Undo Import
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {undone && (
        <ConfirmDialog
          title="Undo Import"
          question={`The ${countLines(undone.line_count)} of ${undone.file_name} are removed. You can import the file again.`}
          confirmLabel="Undo Import"
          success="Import undone"
          failure="Import not undone"
          onConfirm={() => mutateAsync(undone.id)}
          onClose={() => setUndone(undefined)}
        />
      )}
    </section>
  );
}
