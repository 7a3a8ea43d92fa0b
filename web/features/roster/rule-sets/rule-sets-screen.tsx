import { mayDo } from '#shared/permissions.ts';
import {
  FigureRow,
  type ShownVersion,
  VersionPanel,
} from '#web/components/records/version-panel.tsx';
import { VersionsScreen } from '#web/components/records/versions-screen.tsx';
import { formatClock } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { type ListedRuleSet, ruleSets, useRuleSets } from './api.ts';
import { RuleSetDialog } from './rule-set-form.tsx';
import { FIGURE_NAMES, FIGURES, type RuleSet, readSources, WISH_NAMES, WISHES } from './schema.ts';

function Figures({ row }: { row: RuleSet }) {
  const sources = readSources(row);
  return (
    <dl className="divide-y divide-line border-y border-line">
      {FIGURE_NAMES.map((name) => (
        <FigureRow
          key={name}
          label={FIGURES[name].label}
          value={`${row[name]} ${FIGURES[name].unit}`}
          source={sources[name] ?? 'No source given'}
        />
      ))}
      <FigureRow label="A night is worked at" value={formatClock(row.night_at)} />
    </dl>
  );
}

function Weights({ row }: { row: RuleSet }) {
  return (
    <dl className="divide-y divide-line border-y border-line">
      {WISH_NAMES.map((name) => {
        const weight = row[`weight_${name}`];
        return (
          <div key={name} className="grid grid-cols-[1fr_5rem_2rem] items-center gap-x-3 py-2">
            <dt>{WISHES[name]}</dt>
            <dd aria-hidden="true" className="h-1.5 rounded-full bg-sunken">
              <div className="h-full rounded-full bg-accent-fill" style={{ width: `${weight}%` }} />
            </dd>
            <dd className="text-right font-semibold tabular-nums">{weight}</dd>
          </div>
        );
      })}
      {(['bids', 'swaps'] as const).map((what) => (
        <div key={what} className="grid grid-cols-[1fr_auto] gap-x-3 py-2">
          <dt>{what === 'bids' ? 'Bids for open shifts' : 'Swaps'}</dt>
          <dd className="font-semibold">
            {row[`${what}_approve_themselves`] ? 'Approved by themselves' : 'Approved by a planner'}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function RuleSetPanel(props: ShownVersion<ListedRuleSet>) {
  const { row } = props.period;
  return (
    <VersionPanel {...props} table="rule_sets">
      <div className="grid gap-x-10 gap-y-6 lg:grid-cols-2">
        <div>
          <h4 className="mb-2 font-semibold">Hard rules</h4>
          <Figures row={row} />
        </div>
        <div>
          <h4 className="mb-2 font-semibold">Wishes</h4>
          <Weights row={row} />
        </div>
      </div>
    </VersionPanel>
  );
}

export function RuleSetsScreen() {
  const { roles } = useAuth();
  return (
    <VersionsScreen
      title="Roster Rules"
      subtitle="Not legal advice: check the figures with the authorities."
      addLabel="New Rule Set"
      query={useRuleSets()}
      records={ruleSets}
      mayChange={mayDo(roles, 'rule_sets', 'update')}
      consequence="The previous rules will apply instead. Existing assignments stay."
      Panel={RuleSetPanel}
      Form={RuleSetDialog}
    />
  );
}
