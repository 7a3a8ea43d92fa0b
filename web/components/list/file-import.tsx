import { useMutation } from '@tanstack/react-query';
import { FileDown, FileUp } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { ScrollRegion } from '#web/components/ui/panel.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import {
  type ImportColumn,
  type ImportedRecord,
  type ReadFile,
  type ReadRow,
  type RowReader,
  readTable,
} from '#web/lib/files/read-table.ts';

type FileImportProps = {
  title: string;
  /** What the rows are, for example "Clients". */
  records: string;
  columns: readonly ImportColumn[];
  hint?: string;
  /** Rows of one import, if it has a limit of its own. */
  most?: number;
  readRow: RowReader;
  /** Asks the server about rows that `readRow` accepts. @returns what is wrong with each, or null */
  checkRows?: (rows: ImportedRecord[]) => Promise<(string | null)[]>;
  /** @param numbers of the rows in the file @returns how many were added */
  importRows: (rows: ImportedRecord[], numbers: number[], fileName: string) => Promise<number>;
  /** What is entered beside the file, below it. */
  children?: ReactNode;
};

const recordsOf = (rows: ReadRow[]) => rows.flatMap(({ record }) => (record ? [record] : []));

function describeColumns(columns: readonly ImportColumn[], hint: string | undefined) {
  const headings = (isRequired: boolean) =>
    columns
      .filter((column) => (column.isRequired ?? false) === isRequired)
      .map(({ heading }) => heading);
  const optional = headings(false);
  const parts = [`An Excel or CSV file with the columns ${headings(true).join(', ')}`];
  if (optional.length > 0) parts.push(`It may also have ${optional.join(', ')}`);
  if (hint) parts.push(hint);
  return parts.join('. ');
}

export function FileImport(props: FileImportProps) {
  const { title, records, columns, hint, most, readRow, checkRows, importRows } = props;
  const [isOpen, setOpen] = useState(false);
  const [file, setFile] = useState<ReadFile>();
  const [fileName, setFileName] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const { rows = [] } = file ?? {};
  const isReady = rows.length > 0 && rows.every((row) => row.problem === undefined);

  function close() {
    setOpen(false);
    setFile(undefined);
    setProblem(undefined);
  }
  async function check(read: ReadFile): Promise<ReadFile> {
    if (!checkRows || read.rows.some((row) => row.problem !== undefined)) return read;
    const problems = await checkRows(recordsOf(read.rows));
    const checked = read.rows.map((row, index) => {
      const wrong = problems[index];
      return wrong ? { ...row, problem: wrong } : row;
    });
    return { ...read, rows: checked };
  }
  function choose(chosen: File | undefined) {
    setFile(undefined);
    setProblem(undefined);
    if (!chosen) return;
    setFileName(chosen.name);
    readTable(chosen, columns, readRow, most)
      .then(check)
      .then(setFile)
      .catch((error: unknown) => setProblem(describeError(error)));
  }
  function store() {
    setBusy(true);
    setProblem(undefined);
    importRows(
      recordsOf(rows),
      rows.map(({ number }) => number),
      fileName,
    )
      .then((count) => {
        close();
        showSuccess(`${count} ${count === 1 ? 'record' : 'records'} imported successfully`);
      })
      .catch((error: unknown) => setProblem(describeError(error)))
      .finally(() => setBusy(false));
  }
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        <FileUp aria-hidden="true" className="size-4.5" />
        Import File
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={close}
        title={title}
        description={describeColumns(columns, hint)}
      >
        <div className="grid gap-5">
          <ImportFile
            label="File"
            template={{ records, columns }}
            file={file}
            problem={problem}
            problemTitle="Nothing was imported"
            onChoose={choose}
          />
          {props.children}
          <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
            <Button variant="secondary" onClick={close}>
              Cancel
            </Button>
            {isReady && (
              <Button busy={isBusy} onClick={store}>
                {isBusy ? 'Importing...' : `Import ${rows.length}`}
              </Button>
            )}
          </div>
        </div>
      </Dialog>
    </>
  );
}

type Template = {
  /** What the rows are, for example "Clients". */
  records: string;
  columns: readonly ImportColumn[];
};

function TemplateButton({ records, columns }: Template) {
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const { downloadTemplate } = await import('#web/lib/files/import-template.ts');
      await downloadTemplate(records, columns);
    },
    onError: (error) => showError('Error', describeError(error)),
  });
  return (
    <Button
      variant="secondary"
      className="justify-self-start"
      busy={isPending}
      onClick={() => mutate()}
    >
      {!isPending && <FileDown aria-hidden="true" className="size-4.5" />}
      Download Template
    </Button>
  );
}

type ImportFileProps = {
  label: string;
  hint?: string;
  template: Template;
  file: ReadFile | undefined;
  problem: string | undefined;
  problemTitle: string;
  onChoose: (file: File | undefined) => void;
};

const ACCEPTED =
  '.xlsx,.csv,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export function ImportFile({ label, hint, template, file, ...props }: ImportFileProps) {
  return (
    <>
      <TemplateButton {...template} />
      <Field label={label} {...(hint && { hint })}>
        {(control) => (
          <Input
            {...control}
            type="file"
            accept={ACCEPTED}
            className="p-1.5"
            onChange={({ target }) => props.onChoose(target.files?.[0])}
          />
        )}
      </Field>
      {props.problem && (
        <Alert tone="danger" title={props.problemTitle}>
          {props.problem}
        </Alert>
      )}
      {file && <Preview {...file} />}
    </>
  );
}

const SHOWN = 50;

function Preview({ columns, ignored, rows, sheet }: ReadFile) {
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
      {(sheet !== undefined || ignored.length > 0) && (
        <div className="grid gap-1 text-sm break-words text-muted">
          {sheet !== undefined && <p>Read from the sheet “{sheet}”</p>}
          {ignored.length > 0 && <p>Not read: {ignored.join(', ')}</p>}
        </div>
      )}
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
