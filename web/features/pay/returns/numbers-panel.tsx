import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import type { Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { Pager, usePages } from '#web/components/list/pager.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Item } from '#web/components/ui/figures.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import { Panel } from '#web/components/ui/panel.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { PAGE_SIZE } from '#web/lib/data/pages.ts';
import { formatDay } from '#web/lib/format/dates.ts';
import { useCompanyNumbers, useFormats, useMissingNumbers, useSaveCompanyNumbers } from './api.ts';
import { type CompanyNumbers, companySchema, FORMAT_LABELS, type MissingNumber } from './schema.ts';
import type { ReturnSearch } from './search.ts';

const missing = <Badge tone="orange">Missing</Badge>;

function CompanyDialog({ numbers, onClose }: { numbers: CompanyNumbers; onClose: () => void }) {
  const { mutateAsync } = useSaveCompanyNumbers();
  const { id, tin, nasscorp_number } = numbers;
  return (
    <EntryDialog
      title="Numbers of the Company"
      schema={companySchema}
      defaultValues={{ tin: tin ?? '', nasscorp_number: nasscorp_number ?? '' }}
      submitLabel="Save"
      success="Numbers updated"
      failure="Numbers not updated"
      save={(form) => mutateAsync({ id, form })}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <FieldGrid>
            {field.text('tin', 'Tax Number (TIN)', { optional: true })}
            {field.text('nasscorp_number', 'NASSCORP Number of the Employer', { optional: true })}
          </FieldGrid>
        );
      }}
    </EntryDialog>
  );
}

function Company() {
  const [isEditing, setEditing] = useState(false);
  return (
    <Panel title="Company">
      <Loaded query={useCompanyNumbers()} loadingText="Loading the numbers...">
        {(numbers) => (
          <>
            <dl className="flex flex-wrap items-end gap-x-10 gap-y-3">
              <Item name="Tax number (TIN)" className="tabular-nums">
                {numbers.tin ?? missing}
              </Item>
              <Item name="NASSCORP number of the employer" className="tabular-nums">
                {numbers.nasscorp_number ?? missing}
              </Item>
              <Button variant="secondary" onClick={() => setEditing(true)}>
                Edit Numbers
              </Button>
            </dl>
            {isEditing && <CompanyDialog numbers={numbers} onClose={() => setEditing(false)} />}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function Subject({ row }: { row: MissingNumber }) {
  if (row.subject === 'company') return 'The company';
  if (row.subject === 'client') {
    return (
      <Link to="/admin/invoices/vat" search={{ tab: 'clients', q: row.name }} className={PAGE_LINK}>
        {row.name}
      </Link>
    );
  }
  return (
    <Link to="/admin/staff" search={{ open: row.id }} className={PAGE_LINK}>
      {row.name}
    </Link>
  );
}

const SUBJECTS: Record<string, string> = { company: 'Company', staff: 'Staff', client: 'Client' };

const COLUMNS: Column<MissingNumber>[] = [
  {
    header: 'Name',
    card: 'title',
    className: 'font-semibold',
    cell: (row) => <Subject row={row} />,
  },
  { header: 'Kind', card: 'aside', cell: ({ subject }) => SUBJECTS[subject] ?? subject },
  { header: 'TIN', cell: ({ tin }) => (tin ? missing : '-') },
  { header: 'NASSCORP number', cell: ({ nasscorp_number }) => (nasscorp_number ? missing : '-') },
];

type NumbersPanelProps = { page: number; onChange: ChangeSearch<ReturnSearch> };

function Missing({ page, onChange }: NumbersPanelProps) {
  const query = useMissingNumbers(page);
  const onPage = usePages(query.data, page, PAGE_SIZE, onChange);
  return (
    <Panel title="Missing">
      <Loaded query={query} loadingText="Loading the missing numbers...">
        {({ rows, total }) =>
          total === 0 ? (
            <EmptyNote>Nothing is missing</EmptyNote>
          ) : (
            <>
              <p className="mb-3 text-sm text-muted">
                {formatCount(total)} in all. Open one to enter its numbers.
              </p>
              <DataTable
                label="Missing"
                dense
                columns={COLUMNS}
                rows={rows}
                rowId={({ subject, id }) => `${subject} ${id}`}
              />
              <Pager page={page} pageSize={PAGE_SIZE} total={total} onPage={onPage} />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Formats() {
  return (
    <Panel title="How Numbers Are Written">
      <Loaded query={useFormats()} loadingText="Loading the formats...">
        {(formats) => (
          <ul className="grid gap-2 text-sm">
            {formats.map(({ id, kind, mask, effective_from, source }) => (
              <li key={id}>
                <strong>
                  {FORMAT_LABELS[kind]}: <span className="tabular-nums">{mask}</span>
                </strong>
                , 9 is a digit.{' '}
                <span className="text-muted">
                  From {formatDay(effective_from)}: {source}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}

/** Numbers that returns and invoices name: of the company, and who lacks one. */
export function NumbersPanel(props: NumbersPanelProps) {
  return (
    <div className="grid grid-cols-1 gap-6">
      <Company />
      <Missing {...props} />
      <Formats />
    </div>
  );
}
