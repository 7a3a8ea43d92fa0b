// Where the person is signed in: each device, with its end; the others, or all of them.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { devicesQuery, signOutDevice, signOutDevices } from '../api/devices.ts';
import { AccountSection } from './account-section.tsx';
import { DeviceRow } from './device-row.tsx';
import { SectionState } from './section-state.tsx';

export function DevicesSection() {
  const queryClient = useQueryClient();
  const { data, error, isFetching, refetch } = useQuery(devicesQuery());
  const [asks, setAsks] = useState<'others' | 'global' | null>(null);
  const reload = () => queryClient.invalidateQueries({ queryKey: devicesQuery().queryKey });
  const others = data?.filter((device) => !device.current) ?? [];
  return (
    <AccountSection
      title="Signed-in devices"
      text="Sign out any device that you no longer use or do not know, and then change your password."
    >
      {data ? (
        <>
          <ul className="-my-4 divide-y divide-line">
            {data.map((device) => (
              <DeviceRow
                key={device.id}
                device={device}
                onEnd={() => signOutDevice(device.id).then(reload)}
              />
            ))}
          </ul>
          <div className="mt-7 flex flex-wrap gap-3 max-sm:grid">
            {others.length > 0 && (
              <Button variant="secondary" onClick={() => setAsks('others')}>
                Sign out other devices
              </Button>
            )}
            <Button variant="secondary" className="text-danger" onClick={() => setAsks('global')}>
              Sign out everywhere
            </Button>
          </div>
        </>
      ) : (
        <SectionState error={error} isFetching={isFetching} onRetry={() => refetch()} />
      )}
      {asks === 'others' && (
        <ConfirmDialog
          title="Sign out other devices?"
          confirmLabel="Sign out others"
          success="Other devices are signed out"
          onConfirm={() => signOutDevices('others').then(reload)}
          onClose={() => setAsks(null)}
        >
          You stay signed in here. Anyone who uses your account elsewhere has to sign in again.
        </ConfirmDialog>
      )}
      {asks === 'global' && (
        <ConfirmDialog
          title="Sign out everywhere?"
          confirmLabel="Sign out everywhere"
          success="Signed out everywhere"
          onConfirm={() => signOutDevices('global')}
          onClose={() => setAsks(null)}
        >
          You are signed out on every device, this one included.
        </ConfirmDialog>
      )}
    </AccountSection>
  );
}
