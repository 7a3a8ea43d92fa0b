import { Link } from '@tanstack/react-router';
import { ArrowLeft, Plus } from 'lucide-react';
import { useState } from 'react';
import { mayDo } from '#shared/permissions.ts';
import { DeleteRecordDialog } from '#web/components/form/delete-dialog.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { periodsOf } from '#web/lib/data/dated-versions.ts';
import { formatDay, today } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { type ListedRuleSet, ruleSets, useRuleSets } from './api.ts';
import { RuleSetDialog } from './rule-set-form.tsx';
import { RuleSetPanel } from './rule-set-panel.tsx';

type Opened = { row: ListedRuleSet; action: 'edit' | 'copy' | 'delete' };

export function RuleSetsScreen() {
  const query = useRuleSets();
  const { roles } = useAuth();
  const [opened, setOpened] = useState<Opened>();
  const mayChange = mayDo(roles, 'rule_sets', 'update');
  const rows = query.data ?? [];
  const periods = periodsOf(rows, today());
  const current = periods.find(({ state }) => state === 'now')?.row;
  const close = () => setOpened(undefined);
  return (
    <>
      <ScreenHeading
        title="Roster Rules"
        subtitle="Not legal advice: check the figures with the authorities."
      >
        <Link to="/admin/roster" className={buttonStyles({ variant: 'secondary' })}>
          <ArrowLeft aria-hidden="true" className="size-4.5" />
          Roster
        </Link>
        {mayChange && current && (
          <Button onClick={() => setOpened({ row: current, action: 'copy' })}>
            <Plus aria-hidden="true" className="size-4.5" />
            New Rule Set
          </Button>
        )}
      </ScreenHeading>
      <Loaded query={query} loadingText="Loading the rules..." failure="Error">
        {() => (
          <div className="grid gap-6">
            {periods.map((period) => (
              <RuleSetPanel
                key={period.row.id}
                period={period}
                onEdit={
                  mayChange ? () => setOpened({ row: period.row, action: 'edit' }) : undefined
                }
                onDelete={
                  mayChange && rows.length > 1
                    ? () => setOpened({ row: period.row, action: 'delete' })
                    : undefined
                }
              />
            ))}
          </div>
        )}
      </Loaded>
      {opened?.action === 'delete' && (
        <DeleteRecordDialog
          records={ruleSets}
          id={opened.row.id}
          consequence={`${opened.row.name}, in force from ${formatDay(opened.row.effective_from)}. The rules before it will apply instead; what is already assigned stays.`}
          onClose={close}
        />
      )}
      {opened && opened.action !== 'delete' && (
        <RuleSetDialog
          row={opened.row}
          isNew={opened.action === 'copy'}
          latest={
            opened.action === 'edit' ? rows.find(({ id }) => id === opened.row.id) : undefined
          }
          onClose={close}
        />
      )}
    </>
  );
}
