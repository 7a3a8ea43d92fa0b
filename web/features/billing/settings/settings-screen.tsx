import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatMoney } from '#shared/money.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Item } from '#web/components/ui/figures.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import { Panel } from '#web/components/ui/panel.tsx';
import { AccountsPanel } from './accounts-panel.tsx';
import { useSaveSettings, useSettings } from './api.ts';
import { type Settings, settingsSchema, toSettingsForm } from './schema.ts';

function SettingsDialog({ settings, onClose }: { settings: Settings; onClose: () => void }) {
  const { mutateAsync } = useSaveSettings();
  return (
    <EntryDialog
      title="Edit Settings"
      schema={settingsSchema}
      defaultValues={toSettingsForm(settings)}
      submitLabel="Save Changes"
      success="Settings updated"
      failure="Settings not updated"
      save={(form) => mutateAsync({ id: settings.id, form })}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <FieldGrid>
            {field.text('address', 'Address of the Company', { optional: true, wide: true })}
            {field.notes('terms', 'Terms', { hint: 'Below the accounts on each invoice.' })}
            {field.amount('write_off_usd', 'Small Differences up to (USD)', {
              hint: 'What is left of an invoice and not worth asking for.',
            })}
            {field.text('reminder_days', 'Remind after Days', {
              optional: true,
              placeholder: '7, 21, 45',
              hint: 'After the due day, by mail with the statement. Empty: no reminders.',
            })}
          </FieldGrid>
        );
      }}
    </EntryDialog>
  );
}

function Details({ settings, tin }: { settings: Settings; tin: string | null }) {
  const [isEditing, setEditing] = useState(false);
  const { address, terms, write_off_usd, reminder_days } = settings;
  return (
    <Panel title="Invoices and Reminders">
      <dl className="grid gap-x-10 gap-y-4 sm:grid-cols-2">
        <Item name="Tax number of the company" className="tabular-nums">
          {tin ?? (
            <>
              <Badge tone="orange">Missing</Badge>{' '}
              <Link to="/admin/payroll/returns" search={{ tab: 'numbers' }} className={PAGE_LINK}>
                Enter it in Returns
              </Link>
            </>
          )}
        </Item>
        <Item name="Address of the company">{address ?? '-'}</Item>
        <Item name="Terms">{terms ?? '-'}</Item>
        <Item name="Small differences are written off up to" className="tabular-nums">
          {formatMoney(write_off_usd, 'USD')}
        </Item>
        <Item name="Reminders">
          {reminder_days.length === 0
            ? 'None'
            : `${reminder_days.join(', ')} days after the due day, unless the client is in dispute`}
        </Item>
      </dl>
      <Button variant="secondary" className="mt-4" onClick={() => setEditing(true)}>
        Edit Settings
      </Button>
      {isEditing && <SettingsDialog settings={settings} onClose={() => setEditing(false)} />}
    </Panel>
  );
}

/** What invoices say about the company, and how clients are asked to pay. */
export function SettingsScreen() {
  return (
    <>
      <ScreenHeading
        title="Invoice Settings"
        subtitle="Where clients pay to, what invoices say, and when reminders go."
      />
      <div className="grid grid-cols-1 gap-6">
        <AccountsPanel />
        <Loaded query={useSettings()} loadingText="Loading the settings...">
          {(found) => <Details {...found} />}
        </Loaded>
      </div>
    </>
  );
}
