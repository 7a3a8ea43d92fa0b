import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { ScrollRegion } from '#web/components/ui/panel.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';
import { type ReadRow, type RowReader, readCsv } from '#web/lib/files/read-csv.ts';

type CsvImportProps = {
  title: string;
  /** Headings of the file. */
  columns: readonly string[];
  /** What the columns contain. */
  hint?: string;
  readRow: RowReader;
  /** Asks the server about rows that `readRow` accepts. @returns what is wrong with each, or null */
  checkRows?: (rows: NonNullable<ReadRow['record']>[]) => Promise<(string | null)[]>;
  /** @returns how many were added */
  importRows: (rows: NonNullable<ReadRow['record']>[]) => Promise<number>;
};

const recordsOf = (rows: ReadRow[]) => rows.flatMap(({ record }) => (record ? [record] : []));

export function CsvImport(props: CsvImportProps) {
  const { title, columns, hint, readRow, checkRows, importRows } = props;
  const [isOpen, setOpen] = useState(false);
  const [rows, setRows] = useState<ReadRow[]>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const wrong = rows?.filter((row) => row.problem !== undefined).length ?? 0;

  function close() {
    setOpen(false);
    setRows(undefined);
    setProblem(undefined);
  }
  async function check(read: ReadRow[]): Promise<ReadRow[]> {
    if (!checkRows || read.some((row) => row.problem !== undefined)) return read;
    const problems = await checkRows(recordsOf(read));
    return read.map((row, index) => {
      const wrong = problems[index];
      return wrong ? { ...row, problem: wrong } : row;
    });
  }
  function choose(file: File | undefined) {
    setRows(undefined);
    setProblem(undefined);
    if (!file) return;
    readCsv(file, columns, readRow)
      .then(check)
      .then(setRows)
      .catch((error: unknown) => setProblem(messageOf(error)));
  }
  function store(chosen: ReadRow[]) {
    setBusy(true);
    setProblem(undefined);
    importRows(recordsOf(chosen))
      .then((count) => {
        close();
        showSuccess(`${count} ${count === 1 ? 'record' : 'records'} imported successfully`);
      })
      .catch((error: unknown) => setProblem(messageOf(error)))
      .finally(() => setBusy(false));
  }
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        <FileUp aria-hidden="true" className="size-4.5" />
        Import CSV
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={close}
        title={title}
        description={`A CSV file with the columns ${columns.join(', ')}${hint ? `. ${hint}` : ''}`}
      >
        <div className="grid gap-5">
          <CsvFile
            label="File"
            columns={columns}
            rows={rows}
            problem={problem}
            problemTitle="Nothing was imported"
            onChoose={choose}
          />
          <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
            <Button variant="secondary" onClick={close}>
              Cancel
            </Button>
            {rows && wrong === 0 && (
              <Button busy={isBusy} onClick={() => store(rows)}>
                {isBusy ? 'Importing...' : `Import ${rows.length}`}
              </Button>
            )}
          </div>
        </div>
      </Dialog>
    </>
  );
}

type CsvFileProps = {
  label: string;
  hint?: string;
  /** Headings of the file. */
  columns: readonly string[];
  /** Of the chosen file, once it is read. */
  rows: ReadRow[] | undefined;
  problem: string | undefined;
  problemTitle: string;
  onChoose: (file: File | undefined) => void;
};

/** The choice of a CSV file, and what is in it. */
export function CsvFile({ label, hint, columns, rows, ...props }: CsvFileProps) {
  return (
    <>
      <Field label={label} {...(hint && { hint })}>
        {(control) => (
          <Input
            {...control}
            type="file"
            accept=".csv,text/csv"
            className="py-2"
            onChange={({ target }) => props.onChoose(target.files?.[0])}
          />
        )}
      </Field>
      {props.problem && (
        <Alert tone="danger" title={props.problemTitle}>
          {props.problem}
        </Alert>
      )}
      {rows && <CsvPreview columns={columns} rows={rows} />}
    </>
  );
}

const SHOWN = 50;

type CsvPreviewProps = { columns: readonly string[]; rows: ReadRow[] };

function CsvPreview({ columns, rows }: CsvPreviewProps) {
  const wrong = rows.filter(({ problem }) => problem !== undefined);
  const shown = (wrong.length > 0 ? wrong : rows).slice(0, SHOWN);
  return (
    <>
      <Alert
        tone={wrong.length > 0 ? 'danger' : 'info'}
        title={
          wrong.length > 0
            ? `${formatCount(wrong.length)} of ${formatCount(rows.length)} rows need a correction`
            : `${formatCount(rows.length)} rows are ready to be imported`
        }
      >
        {wrong.length > 0 && 'Correct them in the file, and choose it again.'}
      </Alert>
      <ScrollRegion label="Rows of the file">
        <table className="w-full text-left text-sm">
          <thead className="text-muted">
            <tr className="border-b border-line-strong">
              <th scope="col" className="py-2 pr-3 font-semibold">
                Row
              </th>
              {columns.map((column) => (
                <th key={column} scope="col" className="px-3 py-2 font-semibold whitespace-nowrap">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ number, cells, problem }) => (
              <tr key={number} className="border-b border-line align-top">
                <td className="py-2 pr-3">
                  {number}
                  {problem && <p className="w-40 font-medium text-danger">{problem}</p>}
                </td>
                {columns.map((column) => (
                  <td key={column} className="px-3 py-2">
                    {cells[column]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </>
  );
}
