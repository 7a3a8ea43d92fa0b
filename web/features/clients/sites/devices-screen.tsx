import { Plus } from 'lucide-react';
import { useState } from 'react';
import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { useSave } from '#web/components/form/use-save.ts';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { SiteChoice } from '#web/components/list/site-choice.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { CopyButton } from '#web/components/ui/copy-button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { useSiteOptions } from '#web/lib/data/lookups.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { formatDateTime, formatTime } from '#web/lib/format/dates.ts';
import {
  type Device,
  type DeviceCode,
  useAddDevice,
  useDevices,
  useNewDeviceCode,
  useRevokeDevice,
} from './devices-api.ts';
import type { DeviceSearch } from './search.ts';

const deviceSchema = z.object({
  site: z.string().min(1, 'Choose a site'),
  name: textField('Name', limits.DEVICES_NAME_MAX).min(
    limits.DEVICES_NAME_MIN,
    `Name must be at least ${limits.DEVICES_NAME_MIN} characters`,
  ),
});

function stateOf(device: Device) {
  if (device.revoked_at) return { label: 'Removed', tone: 'grey' } as const;
  if (device.bound_at) return { label: 'In use', tone: 'green' } as const;
  return { label: 'Waiting for its code', tone: 'orange' } as const;
}

function Code({ issued: { code, expires_at } }: { issued: DeviceCode }) {
  return (
    <Alert title="Enter this code on the device">
      <span className="block">
        Open <strong>{location.origin}/kiosk</strong> there. The code works once, until{' '}
        {formatTime(expires_at)}, and is not shown again.
      </span>
      <span className="my-3 block font-semibold text-3xl tracking-[0.15em]">
        {code.slice(0, 4)} {code.slice(4)}
      </span>
      <CopyButton text={code} label="Copy code" />
    </Alert>
  );
}

type DeviceRowProps = {
  device: Device;
  onCode: (issued: DeviceCode) => void;
  onRemove: (device: Device) => void;
};

function DeviceRow({ device, onCode, onRemove }: DeviceRowProps) {
  const { mutateAsync } = useNewDeviceCode();
  const { save, busy } = useSave();
  const { label, tone } = stateOf(device);
  const seen =
    device.last_seen_at &&
    `last seen ${formatDateTime(device.last_seen_at)}${device.away_at ? ', screen off since' : ''}`;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <p className="mr-auto min-w-40">
        <span className="font-semibold">{device.name}</span> <Badge tone={tone}>{label}</Badge>
        <span className="block text-sm text-muted">
          {device.sites.name}
          {', '}
          {seen || 'not used yet'}
        </span>
      </p>
      <Button
        variant="secondary"
        busy={busy}
        aria-label={`New code for ${device.name}`}
        onClick={() => void save(async () => onCode(await mutateAsync(device.id)))}
      >
        New Code
      </Button>
      {!device.revoked_at && (
        <Button
          variant="danger-ghost"
          aria-label={`Remove ${device.name}`}
          onClick={() => onRemove(device)}
        >
          Remove
        </Button>
      )}
    </li>
  );
}

type AddDeviceProps = {
  /** Chosen at first. */
  site: string;
  onAdded: (issued: DeviceCode) => void;
  onClose: () => void;
};

function AddDevice({ site, onAdded, onClose }: AddDeviceProps) {
  const add = useAddDevice();
  const { data: sites = [] } = useSiteOptions();
  return (
    <Dialog open onOpenChange={onClose} title="Add Device">
      <RecordForm
        schema={deviceSchema}
        defaultValues={{ site, name: '' }}
        submitLabel="Add Device"
        save={async (device) =>
          onAdded(await add.mutateAsync({ siteId: device.site, name: device.name }))
        }
        onSaved={onClose}
        onCancel={onClose}
      >
        {(form) => {
          const field = createFields(form);
          return (
            <FieldGrid>
              {field.select(
                'site',
                'Site',
                sites.map(({ id, name, client_name }) => [id, `${name} (${client_name})`]),
                { isSearched: true, wide: true },
              )}
              {field.text('name', 'Name', {
                wide: true,
                hint: 'Where it hangs or lies, for example Main gate.',
              })}
            </FieldGrid>
          );
        }}
      </RecordForm>
    </Dialog>
  );
}

type DevicesScreenProps = { search: DeviceSearch; onChange: ChangeSearch<DeviceSearch> };

export function DevicesScreen({ search, onChange }: DevicesScreenProps) {
  const revoke = useRevokeDevice();
  const [issued, setIssued] = useState<DeviceCode>();
  const [removing, setRemoving] = useState<Device>();
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <ScreenHeading
        title="Devices"
        subtitle="Shared phones and tablets, on which guards clock in with a PIN."
      >
        <Button onClick={() => setAdding(true)}>
          <Plus aria-hidden="true" className="size-4.5" />
          Add Device
        </Button>
      </ScreenHeading>
      <div className="grid gap-5">
        <SiteChoice
          value={search.site ?? ''}
          onChoose={(site) => onChange({ site })}
          empty="All sites"
        />
        {issued && <Code key={issued.code} issued={issued} />}
        <Loaded query={useDevices(search.site)} loadingText="Loading devices...">
          {(devices) =>
            devices.length === 0 ? (
              <p className="text-muted">
                {search.site ? 'No devices at this site yet.' : 'No devices yet.'} Guards clock in
                on their own phones.
              </p>
            ) : (
              <Card className="px-4 sm:px-5">
                <ul aria-label="Devices" className="divide-y divide-line">
                  {devices.map((device) => (
                    <DeviceRow
                      key={device.id}
                      device={device}
                      onCode={setIssued}
                      onRemove={setRemoving}
                    />
                  ))}
                </ul>
              </Card>
            )
          }
        </Loaded>
      </div>
      {isAdding && (
        <AddDevice site={search.site ?? ''} onAdded={setIssued} onClose={() => setAdding(false)} />
      )}
      {removing && (
        <ConfirmDialog
          title="Remove Device"
          question={`Remove ${removing.name}?`}
          confirmLabel="Remove"
          busyLabel="Removing..."
          success="Device removed"
          onConfirm={() => revoke.mutateAsync(removing.id)}
          onClose={() => setRemoving(undefined)}
        >
          Nobody can clock in on it from now on. Clock events that it has not sent yet stay on it
          until it gets a new code.
        </ConfirmDialog>
      )}
    </>
  );
}
