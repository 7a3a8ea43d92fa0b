// Where an incident happened, when it was reported and by whom.
import { formatLongDateTime } from '#web/lib/format/dates.ts';
import { CATEGORY_LABELS } from '../labels.ts';
import type { IncidentDetails } from '../schema.ts';

type IncidentFactsProps = { incident: IncidentDetails; reporter: string | undefined };

export function IncidentFacts({ incident, reporter }: IncidentFactsProps) {
  const { sites, created_at, category } = incident;
  const facts = [
    ['Site', sites.name],
    ['Client', sites.client_name],
    ['Address', sites.address],
    ['Category', CATEGORY_LABELS[category]],
    ['Reported', formatLongDateTime(created_at)],
    ['Reported by', reporter ?? 'Account deleted'],
  ];
  return (
    <dl className="grid gap-x-6 gap-y-3 text-[0.9375rem] xs:grid-cols-2">
      {facts.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="[overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
