import { Link } from '@tanstack/react-router';
import { printedDuration } from '#shared/documents/client-month.ts';
import { mayDo } from '#shared/permissions.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { type OpenedVersion, VersionDialog } from '#web/components/records/version-dialog.tsx';
import {
  FigureRow,
  type ShownVersion,
  VersionPanel,
} from '#web/components/records/version-panel.tsx';
import { VersionsScreen } from '#web/components/records/versions-screen.tsx';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import {
  GOAL_SEVERITIES,
  goalsSchema,
  incidentGoals,
  type ListedGoals,
  readGoals,
  toForm,
  useGoals,
} from './goals.ts';

function GoalsPanel(props: ShownVersion<ListedGoals>) {
  const { row } = props.period;
  const column = (title: string, goal: 'response' | 'resolution') => (
    <div>
      <h4 className="mb-2 font-semibold">{title}</h4>
      <dl className="divide-y divide-line border-y border-line">
        {GOAL_SEVERITIES.map((severity) => (
          <FigureRow
            key={severity}
            label={STATUS_LABELS[severity]}
            value={printedDuration(readGoals(row, severity)[goal])}
          />
        ))}
      </dl>
    </div>
  );
  return (
    <VersionPanel {...props} table="incident_goals">
      <div className="grid gap-x-10 gap-y-6 lg:grid-cols-2">
        {column('Response', 'response')}
        {column('Resolution', 'resolution')}
      </div>
    </VersionPanel>
  );
}

function GoalsDialog(opened: OpenedVersion<ListedGoals>) {
  return (
    <VersionDialog
      {...opened}
      noun="goals"
      records={incidentGoals}
      description="They apply to reports from their first day on."
      schema={goalsSchema}
      toForm={toForm}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <div className="grid gap-6">
            <FieldGrid>
              {field.text('name', 'Name')}
              {field.day('effective_from', 'In Force From')}
            </FieldGrid>
            {GOAL_SEVERITIES.map((severity) => (
              <fieldset key={severity}>
                <legend className="mb-3 font-semibold">{STATUS_LABELS[severity]}</legend>
                <FieldGrid>
                  {field.text(`${severity}.response`, 'Response (minutes)', {
                    inputMode: 'numeric',
                  })}
                  {field.text(`${severity}.resolution`, 'Resolution (hours)', {
                    inputMode: 'numeric',
                  })}
                </FieldGrid>
              </fieldset>
            ))}
          </div>
        );
      }}
    </VersionDialog>
  );
}

export function GoalsScreen() {
  const { roles } = useAuth();
  return (
    <VersionsScreen
      title="Incident Goals"
      subtitle="How soon we respond to a report and resolve it, at all hours and on all days. Owners get a reminder before, supervisors and managers a notice after."
      back={{ to: '/admin/incidents', label: 'Incidents' }}
      addLabel="New Goals"
      query={useGoals()}
      records={incidentGoals}
      mayChange={mayDo(roles, 'incident_goals', 'update')}
      consequence="The previous goals will apply instead."
      Panel={GoalsPanel}
      Form={GoalsDialog}
    >
      <p className="text-sm text-muted">
        What a report asks for is in its template:{' '}
        <Link to="/admin/incidents/templates" className={PAGE_LINK}>
          Report Templates
        </Link>
      </p>
    </VersionsScreen>
  );
}
