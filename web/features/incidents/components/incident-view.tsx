// An incident on the screen, from the title down to its timeline.
import type { ReactNode } from 'react';
import { useReporter } from '../api/get-incident.ts';
import { type IncidentDetails, nameOf } from '../schema.ts';
import { EvidenceSection } from './evidence/evidence-section.tsx';
import { SeverityBadge, StatusBadge } from './incident-badges.tsx';
import { IncidentFacts } from './incident-facts.tsx';
import { PrintIncident } from './print-incident.tsx';
import { StatusForm } from './status-form.tsx';
import { Timeline } from './timeline.tsx';

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="border-t border-line pt-5">
      <h3 className="mb-3 font-display text-lg leading-tight">{title}</h3>
      {children}
    </section>
  );
}

export function IncidentView({ incident }: { incident: IncidentDetails }) {
  const { data, isLoading } = useReporter(incident.raised_by_user_id);
  const reporter = isLoading ? '…' : nameOf(data);
  return (
    <div data-first-focus tabIndex={-1} className="grid gap-6 outline-none">
      <div className="grid gap-3">
        <p className="text-lg font-semibold [overflow-wrap:anywhere]">{incident.title}</p>
        <div className="flex flex-wrap gap-2">
          <SeverityBadge severity={incident.severity} />
          <StatusBadge status={incident.status} />
        </div>
      </div>
      <IncidentFacts incident={incident} reporter={reporter} />
      <Part title="Description">
        <p className="[overflow-wrap:anywhere] whitespace-pre-line">{incident.description}</p>
      </Part>
      <Part title="Evidence">
        <EvidenceSection incident={incident} />
      </Part>
      <Part title="Update Status">
        <StatusForm incident={incident} />
      </Part>
      <Part title="Timeline">
        <Timeline incident={incident} reporter={reporter} withNotes />
      </Part>
      <Part title="Report">
        <PrintIncident incident={incident} reporter={reporter} />
      </Part>
    </div>
  );
}
