import { formatLongDateTime } from '#web/lib/format/dates.ts';
import type { IncidentDetails } from './schema.ts';

const LEVELS: Record<number, string> = {
  0: 'Reminder sent',
  1: 'Supervisors got a notice',
  2: 'Operations managers got a notice',
  3: 'Admins got a notice',
};

/** The next deadline by the goals, and the notices about those that were near or missed. */
export function HandlingTimes({ incident }: { incident: IncidentDetails }) {
  const { next_deadline, incident_escalations: steps } = incident;
  const isLate = next_deadline !== null && Date.parse(next_deadline) < Date.now();
  if (next_deadline === null && steps.length === 0) return null;
  return (
    <div className="mb-4 grid gap-1.5 text-sm text-muted">
      {next_deadline !== null && (
        <p className={isLate ? 'font-semibold text-danger' : 'text-ink'}>
          {isLate ? 'Late since ' : 'Next step by '}
          <time dateTime={next_deadline}>{formatLongDateTime(next_deadline)}</time>
        </p>
      )}
      {steps.length > 0 && (
        <ul aria-label="Reminders and escalations" className="grid gap-1">
          {steps.map(({ id, level, goal, created_at }) => (
            <li key={id}>
              {LEVELS[level]} ({goal}),{' '}
              <time dateTime={created_at}>{formatLongDateTime(created_at)}</time>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
