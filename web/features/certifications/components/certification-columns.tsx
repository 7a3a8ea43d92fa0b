// The columns of the certifications.
import { columnsOf } from '#web/components/list/columns.ts';
import { RowActions } from '#web/components/list/row-actions.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { nameOf } from '#web/lib/data/people.ts';
import { formatDay } from '#web/lib/format/dates.ts';
import { distanceOf, VALIDITY_LABELS, VALIDITY_TONES } from '../labels.ts';
import { type CertificationRow, dayOf } from '../schema.ts';

type Actions = {
  onEdit: (row: CertificationRow) => void;
  onDelete: (row: CertificationRow) => void;
};

export const certificationColumns = ({ onEdit, onDelete }: Actions) =>
  columnsOf<CertificationRow>((column) => [
    column.display({
      id: 'person',
      header: 'Person',
      meta: { card: 'title', sort: 'person', className: 'font-semibold' },
      cell: ({ row }) => nameOf(row.original.profiles),
    }),
    column.display({
      id: 'course',
      header: 'Course',
      meta: { sort: 'course' },
      cell: ({ row }) => row.original.training_courses.title,
    }),
    column.display({
      id: 'number',
      header: 'Number',
      meta: { className: 'tabular-nums [overflow-wrap:anywhere]' },
      cell: ({ row }) => row.original.certificate_number ?? '-',
    }),
    column.display({
      id: 'issued',
      header: 'Issued',
      meta: { sort: 'issued', className: 'whitespace-nowrap' },
      cell: ({ row: { original } }) =>
        original.issued_at ? formatDay(dayOf(original.issued_at)) : '-',
    }),
    column.display({
      id: 'expires',
      header: 'Expires',
      meta: { sort: 'expires', className: 'whitespace-nowrap' },
      cell: ({ row: { original } }) => {
        const day = dayOf(original.expires_at);
        return (
          <>
            <time dateTime={original.expires_at}>{formatDay(day)}</time>
            {original.validity !== 'valid' && (
              <span className="text-muted"> ({distanceOf(day)})</span>
            )}
          </>
        );
      },
    }),
    column.display({
      id: 'state',
      header: 'State',
      meta: { card: 'aside' },
      cell: ({ row: { original } }) => (
        <Badge tone={VALIDITY_TONES[original.validity]}>{VALIDITY_LABELS[original.validity]}</Badge>
      ),
    }),
    column.display({
      id: 'actions',
      header: 'Actions',
      meta: { card: 'actions', className: 'text-right' },
      cell: ({ row: { original } }) => (
        <RowActions
          name={`${original.training_courses.title} of ${nameOf(original.profiles)}`}
          onEdit={() => onEdit(original)}
          onDelete={() => onDelete(original)}
        />
      ),
    }),
  ]);
