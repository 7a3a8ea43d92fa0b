import { mayDo } from '#shared/permissions.ts';
import { VersionsScreen } from '#web/components/records/versions-screen.tsx';
import { useAuth } from '#web/lib/session/auth.ts';
import { timeRules, useTimeRules } from './api.ts';
import { Holidays } from './holidays.tsx';
import { TimeRuleDialog } from './time-rule-form.tsx';
import { TimeRulePanel } from './time-rule-panel.tsx';

export function TimeRulesScreen() {
  const { roles } = useAuth();
  return (
    <VersionsScreen
      title="Time Rules"
      subtitle="How hours become paid hours. Not legal advice: check the figures with the authorities."
      back={{ to: '/admin/timesheets', label: 'Timesheets' }}
      addLabel="New Rules"
      query={useTimeRules()}
      records={timeRules}
      mayChange={mayDo(roles, 'time_rules', 'update')}
      consequence="The rules before them will apply instead, and open timesheets are computed again."
      Panel={TimeRulePanel}
      Form={TimeRuleDialog}
    >
      <Holidays mayChange={mayDo(roles, 'company_holidays', 'update')} />
    </VersionsScreen>
  );
}
