// The alarm panels that make calls: their secrets, and what each sent last.
import { useState } from 'react';
import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { mayDo } from '#shared/permissions.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { PickerField } from '#web/components/form/picker-field.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { CopyButton } from '#web/components/ui/copy-button.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { useMatchingSites } from '#web/lib/data/lookups.ts';
import { pickedSchema, textField } from '#web/lib/form-fields/text-field.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import {
  type AlarmPanel,
  type PanelAccess,
  useDeletePanel,
  useNewPanelSecret,
  usePanels,
  useSavePanel,
} from './panels-api.ts';

const panelSchema = z.object({
  name: textField('Name', limits.ALARM_PANELS_NAME_MAX).min(1, 'Write the name'),
  site: pickedSchema.optional().refine((site) => site !== undefined, 'Choose a site'),
  account: textField('Account', 16).regex(/^([0-9A-Fa-f]{3,16})?$/, {
    message: '3 to 16 digits or letters A to F',
  }),
});

type PanelFormProps = {
  /** Undefined for a new one, whose secret is made with it. */
  panel?: AlarmPanel;
  onAccess: (access: PanelAccess) => void;
  onClose: () => void;
};

function PanelForm({ panel, onAccess, onClose }: PanelFormProps) {
  const save = useSavePanel();
  const makeSecret = useNewPanelSecret();
  const [id] = useState(() => panel?.id ?? crypto.randomUUID());
  const [seen] = useState(panel?.updated_at);
  return (
    <EntryDialog
      title={panel ? 'Change Panel' : 'Add Panel'}
      schema={panelSchema}
      defaultValues={{
        name: panel?.name ?? '',
        site: panel ? { id: panel.site_id, label: panel.sites.name } : undefined,
        account: panel?.account ?? '',
      }}
      submitLabel={panel ? 'Save Panel' : 'Add Panel'}
      success={panel ? 'Panel saved' : 'Panel added'}
      failure="The panel was not saved"
      save={async ({ name, site, account }) => {
        await save.mutateAsync({ id, seen, name, account, siteId: site?.id ?? '' });
        if (!panel) onAccess(await makeSecret.mutateAsync({ id, name }));
      }}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <div className="grid gap-5">
            <PickerField
              control={form.control}
              name="site"
              label="Site"
              searchLabel="Search sites"
              placeholder="Choose a site"
              useChoices={useMatchingSites}
            />
            <FieldGrid>
              {field.text('name', 'Name', { hint: 'For example Panel of the store.' })}
              {field.text('account', 'Contact ID account', {
                optional: true,
                hint: 'Messages of other accounts are refused.',
              })}
            </FieldGrid>
          </div>
        );
      }}
    </EntryDialog>
  );
}

function Access({ access: { name, address, secret } }: { access: PanelAccess }) {
  return (
    <Alert title={`Enter address and secret in ${name}`} className="mb-4">
      <span className="block">The secret is not shown again. An earlier one no longer works.</span>
      <span className="my-3 block font-mono text-sm [overflow-wrap:anywhere] select-all">
        {address}
      </span>
      <span className="my-3 block font-mono text-sm [overflow-wrap:anywhere] select-all">
        {secret}
      </span>
      <span className="flex flex-wrap gap-2">
        <CopyButton text={address} label="Copy address" />
        <CopyButton text={secret} label="Copy secret" />
      </span>
    </Alert>
  );
}

type Shown = { panel: AlarmPanel; dialog: 'change' | 'secret' | 'remove' };
type PanelRowProps = { panel: AlarmPanel; onShow: ((shown: Shown['dialog']) => void) | undefined };

function PanelRow({ panel, onShow }: PanelRowProps) {
  const { name, account, sites, panel_events } = panel;
  const [last] = panel_events;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <p className="mr-auto min-w-0 basis-64 [overflow-wrap:anywhere]">
        <span className="font-semibold">{name}</span>
        <span className="block text-sm text-muted">
          {sites.name}
          {account && `, account ${account}`}
        </span>
        <span className="block text-sm text-muted">
          {last ? `${formatDateTime(last.received_at)}: ${last.body}` : 'Nothing received yet'}
        </span>
      </p>
      {onShow && (
        <span className="flex flex-wrap gap-1 [&>button]:px-3">
          <Button
            variant="secondary"
            aria-label={`Change: ${name}`}
            onClick={() => onShow('change')}
          >
            Change
          </Button>
          <Button
            variant="ghost"
            aria-label={`New Secret: ${name}`}
            onClick={() => onShow('secret')}
          >
            New Secret
          </Button>
          <Button
            variant="danger-ghost"
            aria-label={`Remove: ${name}`}
            onClick={() => onShow('remove')}
          >
            Remove
          </Button>
        </span>
      )}
    </li>
  );
}

type PanelsTabProps = { isNew: boolean; onNewClose: () => void };

export function PanelsTab({ isNew, onNewClose }: PanelsTabProps) {
  const mayChange = mayDo(useAuth().roles, 'call_goals', 'update');
  const makeSecret = useNewPanelSecret();
  const remove = useDeletePanel();
  const [access, setAccess] = useState<PanelAccess>();
  const [shown, setShown] = useState<Shown>();
  const done = () => setShown(undefined);
  return (
    <>
      {access && <Access key={access.secret} access={access} />}
      <Loaded
        query={usePanels()}
        loadingText="Loading the panels..."
        missing="The panels could not be loaded"
      >
        {(panels) =>
          panels.length === 0 ? (
            <EmptyNote>
              No alarm panel yet. A panel that is added here makes calls by itself.
            </EmptyNote>
          ) : (
            <Card className="px-4 sm:px-5">
              <ul aria-label="Alarm panels" className="divide-y divide-line">
                {panels.map((panel) => (
                  <PanelRow
                    key={panel.id}
                    panel={panel}
                    onShow={mayChange ? (dialog) => setShown({ panel, dialog }) : undefined}
                  />
                ))}
              </ul>
            </Card>
          )
        }
      </Loaded>
      {isNew && <PanelForm onAccess={setAccess} onClose={onNewClose} />}
      {shown?.dialog === 'change' && (
        <PanelForm panel={shown.panel} onAccess={setAccess} onClose={done} />
      )}
      {shown?.dialog === 'secret' && (
        <ConfirmDialog
          title={`New secret for ${shown.panel.name}?`}
          question="The panel’s present secret stops working at once."
          confirmLabel="Make New Secret"
          failure="The secret was not made"
          onConfirm={async () => setAccess(await makeSecret.mutateAsync(shown.panel))}
          onClose={done}
        />
      )}
      {shown?.dialog === 'remove' && (
        <ConfirmDialog
          title={`Remove ${shown.panel.name}?`}
          question="What it sends is refused from then on, and the list of what it sent is deleted. Its calls stay."
          confirmLabel="Remove"
          busyLabel="Removing..."
          success="Panel removed"
          failure="The panel was not removed"
          onConfirm={() => remove.mutateAsync(shown.panel.id)}
          onClose={done}
        />
      )}
    </>
  );
}
