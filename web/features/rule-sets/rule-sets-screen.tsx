import { mayDo } from '#shared/permissions.ts';
import { VersionsScreen } from '#web/components/records/versions-screen.tsx';
import { useAuth } from '#web/lib/session/auth.ts';
import { ruleSets, useRuleSets } from './api.ts';
import { RuleSetDialog } from './rule-set-form.tsx';
import { RuleSetPanel } from './rule-set-panel.tsx';

export function RuleSetsScreen() {
  const { roles } = useAuth();
  return (
    <VersionsScreen
      title="Roster Rules"
      subtitle="Not legal advice: check the figures with the authorities."
      back={{ to: '/admin/roster', label: 'Roster' }}
      addLabel="New Rule Set"
      query={useRuleSets()}
      records={ruleSets}
      mayChange={mayDo(roles, 'rule_sets', 'update')}
      consequence="The rules before it will apply instead; what is already assigned stays."
      Panel={RuleSetPanel}
      Form={RuleSetDialog}
    />
  );
}
