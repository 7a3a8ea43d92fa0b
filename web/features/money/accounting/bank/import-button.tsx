import { useState } from 'react';
import { FileImport } from '#web/components/list/file-import.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import type { Feed } from './api.ts';
import { useImportLines } from './changes.ts';
import { readSigned, statementColumns, statementReader, toLines } from './statement-file.ts';

/** Imports a statement of the account. Lines that are here already are left out. */
export function ImportButton({ feed }: { feed: Feed }) {
  const { mutateAsync } = useImportLines();
  const [id, setId] = useState(() => crypto.randomUUID());
  const [closing, setClosing] = useState('');
  const hasBalances = feed.balance_heading !== null;
  return (
    <FileImport
      title="Import Statement"
      records="Statement"
      columns={statementColumns(feed)}
      hint="Lines that were imported before are left out"
      readRow={statementReader(feed)}
      importRows={async (records, numbers, fileName) => {
        const last = hasBalances ? null : readSigned(closing);
        if (last === undefined || (last === null && !hasBalances))
          throw new Error('Enter the balance after the last line.');
        const lines = toLines(records, numbers);
        const account = feed.bank_account_id;
        const taken = await mutateAsync({ id, account, fileName, lines, closing: last });
        setId(crypto.randomUUID());
        setClosing('');
        return taken.line_count;
      }}
    >
      {!hasBalances && (
        <Field
          label="Balance After the Last Line"
          hint="As the statement says; below zero with a minus"
        >
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              placeholder="0.00"
              className="text-right tabular-nums"
              value={closing}
              onChange={({ target }) => setClosing(target.value)}
            />
          )}
        </Field>
      )}
    </FileImport>
  );
}
