import { Link } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { ITEM_LINK, SectionRow } from '#web/components/ui/section-row.tsx';

type Status = ComponentProps<typeof StatusBadge>['status'];

type IncidentRowProps = {
  incident: { id: string; title: string; severity: Status; status: Status };
  detail: string;
};

/** In a section of a page; opens the incident. */
export function IncidentRow({ incident, detail }: IncidentRowProps) {
  const { id, title, severity, status } = incident;
  return (
    <li>
      <Link to="/admin/incidents" search={{ open: id }} className={ITEM_LINK}>
        <SectionRow
          title={title}
          detail={detail}
          badge={
            <span className="flex shrink-0 flex-col items-end gap-1.5 sm:flex-row">
              <StatusBadge status={severity} />
              <StatusBadge status={status} />
            </span>
          }
        />
      </Link>
    </li>
  );
}
