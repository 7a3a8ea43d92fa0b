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
import { type ListedTimeRule, timeRules, useTimeRules } from './api.ts';
import { Holidays } from './holidays.tsx';
import { TimeRuleDialog } from './time-rule-form.tsx';
import { TimeRulePanel } from './time-rule-panel.tsx';

type Opened = { row: ListedTimeRule; action: 'edit' | 'copy' | 'delete' };

export function TimeRulesScreen() {
  const query = useTimeRules();
  const { roles } = useAuth();
  const [opened, setOpened] = useState<Opened>();
  const mayChange = mayDo(roles, 'time_rules', 'update');
  const rows = query.data ?? [];
  const periods = periodsOf(rows, today());
  const current = periods.find(({ state }) => state === 'now')?.row;
  const close = () => setOpened(undefined);
  return (
    <>
      <ScreenHeading
        title="Time Rules"
        subtitle="How hours become paid hours. Not legal advice: check the figures with the authorities."
      >
        <Link to="/admin/timesheets" className={buttonStyles({ variant: 'secondary' })}>
          <ArrowLeft aria-hidden="true" className="size-4.5" />
          Timesheets
        </Link>
        {mayChange && current && (
          <Button onClick={() => setOpened({ row: current, action: 'copy' })}>
            <Plus aria-hidden="true" className="size-4.5" />
            New Rules
          </Button>
        )}
      </ScreenHeading>
      <div className="grid gap-6">
        <Loaded query={query} loadingText="Loading the rules..." failure="Error">
          {() =>
            periods.map((period) => (
              <TimeRulePanel
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
            ))
          }
        </Loaded>
        <Holidays mayChange={mayDo(roles, 'company_holidays', 'update')} />
      </div>
      {opened?.action === 'delete' && (
        <DeleteRecordDialog
          records={timeRules}
          id={opened.row.id}
          consequence={`${opened.row.name}, in force from ${formatDay(opened.row.effective_from)}. The rules before them will apply instead, and open timesheets are computed again.`}
          onClose={close}
        />
      )}
      {opened && opened.action !== 'delete' && (
        <TimeRuleDialog
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
