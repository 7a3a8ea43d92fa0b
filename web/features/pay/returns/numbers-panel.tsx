import { Link } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { TAX_NUMBER_FORMATS_KIND } from '#shared/database.values.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import type { Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { Pager, usePages } from '#web/components/list/pager.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { Item } from '#web/components/ui/figures.tsx';
import { IconButton } from '#web/components/ui/icon-button.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import { Panel } from '#web/components/ui/panel.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { PAGE_SIZE } from '#web/lib/data/pages.ts';
import { formatDay, today } from '#web/lib/format/dates.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import {
  useAddFormat,
  useCompanyNumbers,
  useDeleteFormat,
  useFormats,
  useMissingNumbers,
  useSaveCompanyNumbers,
} from './api.ts';
import {
  type CompanyNumbers,
  companySchema,
  describeMask,
  FORMAT_LABELS,
  formatSchema,
  type MissingNumber,
  type NumberFormat,
} from './schema.ts';
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

const FORMAT_COLUMNS: Column<NumberFormat>[] = [
  {
    header: 'Number',
    card: 'title',
    className: 'font-semibold',
    cell: ({ kind }) => FORMAT_LABELS[kind],
  },
  { header: 'Form', cell: ({ mask }) => describeMask(mask) },
  { header: 'From', cell: ({ effective_from }) => formatDay(effective_from) },
  { header: 'Source', card: 'text', cell: ({ source }) => source },
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

function FormatDialog({ onClose }: { onClose: () => void }) {
  const { mutateAsync } = useAddFormat();
  return (
    <EntryDialog
      title="Add Format"
      description="Numbers that are entered from this day on are compared with it. Those that are stored stay."
      schema={formatSchema}
      defaultValues={{ kind: 'tin' as const, effective_from: today(), mask: '', source: '' }}
      submitLabel="Add Format"
      success="Format added"
      failure="Format not added"
      save={mutateAsync}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <FieldGrid>
            {field.select('kind', 'Number', toOptions(TAX_NUMBER_FORMATS_KIND, FORMAT_LABELS))}
            {field.day('effective_from', 'From')}
            {field.text('mask', 'Form', {
              wide: true,
              hint: '9 stands for a digit, A for a capital letter: 999-99.',
            })}
            {field.text('source', 'Source', { wide: true })}
          </FieldGrid>
        );
      }}
    </EntryDialog>
  );
}

const nameOfFormat = ({ kind, effective_from }: NumberFormat) =>
  `${FORMAT_LABELS[kind]} from ${formatDay(effective_from)}`;

function Formats() {
  const [dialog, setDialog] = useState<NumberFormat | 'new'>();
  const { mutateAsync } = useDeleteFormat();
  const close = () => setDialog(undefined);
  return (
    <Panel title="How Numbers Are Written">
      <Loaded query={useFormats()} loadingText="Loading the formats...">
        {(formats) => (
          <DataTable
            label="How Numbers Are Written"
            dense
            columns={[
              ...FORMAT_COLUMNS,
              {
                header: 'Actions',
                card: 'actions',
                className: 'text-right',
                cell: (row: NumberFormat) => (
                  <IconButton
                    variant="danger-ghost"
                    title="Delete"
                    label={`Delete ${nameOfFormat(row)}`}
                    Icon={Trash2}
                    onClick={() => setDialog(row)}
                  />
                ),
              },
            ]}
            rows={formats}
            rowId={({ id }) => id}
            room={52}
          />
        )}
      </Loaded>
      <Button variant="secondary" className="mt-4" onClick={() => setDialog('new')}>
        Add Format
      </Button>
      {dialog === 'new' && <FormatDialog onClose={close} />}
      {dialog !== undefined && dialog !== 'new' && (
        <ConfirmDialog
          title="Delete Format"
          question={`Are you sure you want to delete the format of ${nameOfFormat(dialog)}?`}
          confirmLabel="Delete"
          busyLabel="Deleting..."
          success="Format deleted"
          failure="Format not deleted"
          onConfirm={() => mutateAsync(dialog.id)}
          onClose={close}
        />
      )}
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
