import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Monitor, Smartphone } from 'lucide-react';
import { useState } from 'react';
import type { Database } from '#shared/database.types.ts';
import { useSave } from '#web/components/form/use-save.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { formatLongDateTime } from '#web/lib/format/dates.ts';
import { deviceName, isHandheld } from '#web/lib/format/device-name.ts';
import { AccountSection, SectionState } from './account-section.tsx';
import { devicesQuery, signOutDevice, signOutDevices } from './api.ts';

type Device = Database['public']['Functions']['my_sessions']['Returns'][number];
type DeviceRowProps = { device: Device; onSignOut: () => Promise<unknown> };

function DeviceRow({ device, onSignOut }: DeviceRowProps) {
  const { save, busy } = useSave({ success: 'Device signed out' });
  const Icon = isHandheld(device.user_agent) ? Smartphone : Monitor;
  const name = deviceName(device.user_agent);
  // Empty until the session is first refreshed.
  const seen = device.refreshed_at || device.created_at;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4">
      <Icon aria-hidden="true" className="size-6 shrink-0 text-muted" strokeWidth={1.5} />
      <div className="min-w-40 flex-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
          {name}
          {device.current && <Badge tone="green">This device</Badge>}
        </p>
        <p className="mt-0.5 text-sm text-muted">
          Last seen {formatLongDateTime(seen)}
          {device.ip && <> from {device.ip}</>}
        </p>
        <p className="text-sm text-muted">Signed in {formatLongDateTime(device.created_at)}</p>
      </div>
      {!device.current && (
        <Button
          variant="secondary"
          className="max-sm:ml-10"
          busy={busy}
          aria-label={`Sign out ${name}`}
          onClick={() => save(onSignOut)}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}

export function DevicesSection() {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(devicesQuery());
  const [confirming, setConfirming] = useState<'others' | 'global' | null>(null);
  const reload = () => queryClient.invalidateQueries({ queryKey: devicesQuery().queryKey });
  const others = data?.filter((device) => !device.current) ?? [];
  return (
    <AccountSection
      title="Signed-in devices"
      text="The phones and computers where you are signed in. Is one of them not yours? Sign it out, then change your password."
    >
      {data ? (
        <>
          <ul className="-my-4 divide-y divide-line">
            {data.map((device) => (
              <DeviceRow
                key={device.id}
                device={device}
                onSignOut={() => signOutDevice(device.id).then(reload)}
              />
            ))}
          </ul>
          <div className="mt-7 flex flex-wrap gap-3 max-sm:grid">
            {others.length > 0 && (
              <Button variant="secondary" onClick={() => setConfirming('others')}>
                Sign out other devices
              </Button>
            )}
            <Button
              variant="secondary"
              className="text-danger"
              onClick={() => setConfirming('global')}
            >
              Sign out everywhere
            </Button>
          </div>
        </>
      ) : (
        <SectionState error={error} onRetry={() => refetch()} />
      )}
      {confirming === 'others' && (
        <ConfirmDialog
          title="Sign out other devices?"
          confirmLabel="Sign out others"
          success="Other devices signed out"
          onConfirm={() => signOutDevices('others').then(reload)}
          onClose={() => setConfirming(null)}
        >
          You stay signed in here. All other devices have to sign in again.
        </ConfirmDialog>
      )}
      {confirming === 'global' && (
        <ConfirmDialog
          title="Sign out everywhere?"
          confirmLabel="Sign out everywhere"
          success="Signed out everywhere"
          onConfirm={() => signOutDevices('global')}
          onClose={() => setConfirming(null)}
        >
          You will be signed out on every device, including this one.
        </ConfirmDialog>
      )}
    </AccountSection>
  );
}
