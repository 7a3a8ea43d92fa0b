// Incident Management: search, filters, pages, and the dialog of the one that the address names.
import { useMemo } from 'react';
import { FilterSelect } from '#web/components/list/filter-select.tsx';
import { ListToolbar } from '#web/components/list/list-toolbar.tsx';
import { PagedTable } from '#web/components/list/paged-table.tsx';
import { ExportButton } from '#web/components/records/export-button.tsx';
import { ScreenHeading } from '#web/components/records/screen-heading.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { exportIncidents } from '../api/export-incidents.ts';
import { useIncidents } from '../api/list-incidents.ts';
import { SEVERITIES, SEVERITY_LABELS } from '../labels.ts';
import { type IncidentSearch, STATUS_FILTER_LABELS, STATUS_FILTERS } from '../schema.ts';
import { incidentColumns } from './incident-columns.tsx';
import { IncidentDialog } from './incident-dialog.tsx';

const STATUS_OPTIONS = STATUS_FILTERS.map((each) => [each, STATUS_FILTER_LABELS[each]] as const);
const SEVERITY_OPTIONS = SEVERITIES.toReversed().map(
  (each) => [each, SEVERITY_LABELS[each]] as const,
);

type IncidentListProps = { search: IncidentSearch; onChange: ChangeSearch<IncidentSearch> };

export function IncidentList({ search, onChange }: IncidentListProps) {
  const { open, page = 1, ...filters } = search;
  const query = useIncidents({ ...filters, page });
  const columns = useMemo(() => incidentColumns(({ id }) => onChange({ open: id })), [onChange]);
  const { q, status, severity } = filters;
  const isNarrowed = Boolean(q || status || severity) || page > 1;
  return (
    <>
      <ScreenHeading title="Incident Management">
        <ExportButton exportRecords={() => exportIncidents(filters)} />
      </ScreenHeading>
      <ListToolbar
        searchLabel="Search incidents"
        search={filters.q ?? ''}
        onSearch={(text) => onChange({ q: text || undefined, page: undefined })}
      >
        <FilterSelect
          label="Status"
          all="All statuses"
          options={STATUS_OPTIONS}
          value={filters.status}
          onChange={(value) => onChange({ status: value, page: undefined })}
        />
        <FilterSelect
          label="Severity"
          all="All severities"
          options={SEVERITY_OPTIONS}
          value={filters.severity}
          onChange={(value) => onChange({ severity: value, page: undefined })}
        />
      </ListToolbar>
      <PagedTable
        query={query}
        loading="Loading incidents..."
        empty={
          isNarrowed
            ? 'No incidents match. Change the search or the filters.'
            : 'No incidents yet. What guards report appears here.'
        }
        dense
        room={57}
        label="Incidents"
        columns={columns}
        rowId={({ id }) => id}
        onOpen={({ id }) => onChange({ open: id })}
        page={page}
        sort={filters.sort}
        onChange={onChange}
      />
      {open && (
        <IncidentDialog key={open} id={open} onClose={() => onChange({ open: undefined })} />
      )}
    </>
  );
}
