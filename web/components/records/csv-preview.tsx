// What a CSV file would bring: its first rows, and every row that can't be imported.
import { Alert } from '#web/components/ui/alert.tsx';
import { ScrollRegion } from '#web/components/ui/panel.tsx';
import type { ReadRow } from '#web/lib/files/read-csv.ts';

const SHOWN = 50;

type CsvPreviewProps = { columns: readonly string[]; rows: ReadRow[] };

export function CsvPreview({ columns, rows }: CsvPreviewProps) {
  const wrong = rows.filter(({ problem }) => problem !== undefined);
  const shown = (wrong.length > 0 ? wrong : rows).slice(0, SHOWN);
  return (
    <>
      <Alert
        tone={wrong.length > 0 ? 'danger' : 'info'}
        title={
          wrong.length > 0
            ? `${wrong.length} of ${rows.length} rows need a correction`
            : `${rows.length} rows are ready to be imported`
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
            {shown.map(({ number, texts, problem }) => (
              <tr key={number} className="border-b border-line align-top">
                <td className="py-2 pr-3">
                  {number}
                  {problem && <p className="w-40 font-medium text-danger">{problem}</p>}
                </td>
                {columns.map((column) => (
                  <td key={column} className="px-3 py-2">
                    {texts[column]}
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
