import { useState } from 'react';
import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { useSave } from '#web/components/form/use-save.ts';
import { Alert } from '#web/components/ui/alert.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { CopyButton } from '#web/components/ui/copy-button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { formatDateTime, formatTime } from '#web/lib/format/dates.ts';
import {
  type Device,
  type DeviceCode,
  describeDevice,
  useAddDevice,
  useDevices,
  useNewDeviceCode,
  useRevokeDevice,
} from './devices-api.ts';
import type { Site } from './schema.ts';

const deviceSchema = z.object({
  name: textField('Name', limits.DEVICES_NAME_MAX).min(
    limits.DEVICES_NAME_MIN,
    `Name must be at least ${limits.DEVICES_NAME_MIN} characters`,
  ),
});

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
  const { label, tone } = describeDevice(device);
  const seen =
    device.last_seen_at &&
    `Last seen ${formatDateTime(device.last_seen_at)}${device.away_at ? ', screen off since' : ''}`;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <p className="mr-auto min-w-40">
        <span className="font-semibold">{device.name}</span> <Badge tone={tone}>{label}</Badge>
        <span className="block text-sm text-muted">{seen || 'Not used yet'}</span>
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

type DevicesDialogProps = { site: Pick<Site, 'id' | 'name'>; onClose: () => void };

export function DevicesDialog({ site, onClose }: DevicesDialogProps) {
  const add = useAddDevice();
  const revoke = useRevokeDevice();
  const [issued, setIssued] = useState<DeviceCode>();
  const [removing, setRemoving] = useState<Device>();
  const [isAdding, setAdding] = useState(false);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Devices"
      description={`Shared phones and tablets at ${site.name}, on which guards clock in with a PIN.`}
      className="sm:max-w-2xl"
    >
      <div className="grid gap-5">
        {issued && <Code key={issued.code} issued={issued} />}
        <Loaded query={useDevices(site.id)} loadingText="Loading devices...">
          {(devices) =>
            devices.length === 0 ? (
              <p className="text-muted">No devices yet.</p>
            ) : (
              <ul aria-label="Devices" className="divide-y divide-line border-y border-line">
                {devices.map((device) => (
                  <DeviceRow
                    key={device.id}
                    device={device}
                    onCode={setIssued}
                    onRemove={setRemoving}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
        {isAdding ? (
          <RecordForm
            schema={deviceSchema}
            defaultValues={{ name: '' }}
            submitLabel="Add Device"
            save={async ({ name }) => setIssued(await add.mutateAsync({ siteId: site.id, name }))}
            onSaved={() => setAdding(false)}
            onCancel={() => setAdding(false)}
          >
            {(form) => (
              <FieldGrid>
                {createFields(form).text('name', 'Name', {
                  wide: true,
                  hint: 'Where it hangs or lies, for example Main gate.',
                })}
              </FieldGrid>
            )}
          </RecordForm>
        ) : (
          <Button className="w-fit" onClick={() => setAdding(true)}>
            Add Device
          </Button>
        )}
      </div>
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
    </Dialog>
  );
}
