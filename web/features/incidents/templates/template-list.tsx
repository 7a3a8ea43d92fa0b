import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { INCIDENTS_CATEGORY, INCIDENTS_SEVERITY } from '#shared/database.values.ts';
import { mayDo } from '#shared/permissions.ts';
import { DeleteRecordDialog } from '#web/components/form/delete-dialog.tsx';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { PickerField } from '#web/components/form/picker-field.tsx';
import { RecordDialog } from '#web/components/form/record-dialog.tsx';
import type { Column } from '#web/components/list/columns.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { SiteLink } from '#web/components/ui/place-links.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { useMatchingSites } from '#web/lib/data/lookups.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { INCIDENT_CATEGORY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { templateList, templates } from './api.ts';
import type { Template, TemplateForm } from './schema.ts';
import type { TemplateSearch } from './search.ts';

const columns: Column<Template>[] = [
  { header: 'Title', card: 'title', className: 'font-semibold', cell: (row) => row.title },
  {
    header: 'Site',
    cell: (row) =>
      row.sites ? (
        <SiteLink id={row.site_id} name={row.sites.name} />
      ) : (
        <span className="whitespace-nowrap text-muted">Every site</span>
      ),
  },
  { header: 'Category', cell: (row) => INCIDENT_CATEGORY_LABELS[row.category] },
  { header: 'Severity', card: 'aside', cell: (row) => <StatusBadge status={row.severity} /> },
  {
    header: 'Questions',
    card: 'text',
    className: 'min-w-48 max-w-md',
    cell: (row) => <span className="line-clamp-2 text-muted">{row.questions}</span>,
  },
];

const nameOf = (row: Template) => row.title;

const FILTERS = [{ kind: 'site', key: 'site' }] as const;

function TemplateFields({ form }: { form: UseFormReturn<TemplateForm> }) {
  const field = createFields(form);
  return (
    <FieldGrid>
      {field.text('title', 'Title', { wide: true })}
      <PickerField
        control={form.control}
        name="site"
        label="Site"
        optional
        hint="Without one, guards at every site see it."
        className="sm:col-span-2"
        searchLabel="Search sites"
        placeholder="Every site"
        useChoices={useMatchingSites}
      />
      {field.select(
        'category',
        'Category',
        toOptions(INCIDENTS_CATEGORY, INCIDENT_CATEGORY_LABELS),
        {
          empty: 'Choose a category',
        },
      )}
      {field.select('severity', 'Severity', toOptions(INCIDENTS_SEVERITY, STATUS_LABELS), {
        empty: 'Choose a severity',
      })}
      {field.notes('questions', 'Questions', {
        optional: false,
        hint: 'One on each line. The description begins with them, and the guard writes the answers.',
        rows: 6,
      })}
    </FieldGrid>
  );
}

type TemplateListProps = { search: TemplateSearch; onChange: ChangeSearch<TemplateSearch> };

export function TemplateList({ search, onChange }: TemplateListProps) {
  const { roles } = useAuth();
  const [deleting, setDeleting] = useState<Template>();
  const mayChange = mayDo(roles, 'incident_templates', 'update');
  return (
    <ListScreen
      {...templateList.useScreen(search, onChange)}
      title="Report Templates"
      subtitle="What happens often. A guard taps one, and the report asks what you need to know."
      {...(mayChange ? { addLabel: 'Add Template' } : {})}
      filters={FILTERS}
      Table={TableRows}
      columns={columns}
      {...(mayChange ? { actions: { nameOf, onDelete: setDeleting } } : {})}
      dialog={(opened) =>
        mayChange && (
          <RecordDialog {...opened} records={templates}>
            {(form) => <TemplateFields form={form} />}
          </RecordDialog>
        )
      }
    >
      {deleting && (
        <DeleteRecordDialog
          records={templates}
          id={deleting.id}
          consequence={`Guards no longer see “${deleting.title}”. Reports that were written with it stay.`}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </ListScreen>
  );
}
