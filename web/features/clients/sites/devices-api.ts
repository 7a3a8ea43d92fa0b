import { devicesKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

export const useDevices = (siteId: string) =>
  useLiveQuery('devices', devicesKey, {
    queryKey: [...devicesKey, siteId],
    queryFn: async () => {
      const { data } = await supabase()
        .from('devices')
        .select('*')
        .eq('site_id', siteId)
        .order('created_at')
        .limit(100)
        .throwOnError();
      return data;
    },
  });

export type Device = NonNullable<ReturnType<typeof useDevices>['data']>[number];

export function describeDevice(device: Pick<Device, 'revoked_at' | 'bound_at'>) {
  if (device.revoked_at) return { label: 'Removed', tone: 'grey' } as const;
  if (device.bound_at) return { label: 'In use', tone: 'green' } as const;
  return { label: 'Waiting for its code', tone: 'orange' } as const;
}

/** Shown once. */
export type DeviceCode = { code: string; expires_at: string };

async function addDevice({ siteId, name }: { siteId: string; name: string }): Promise<DeviceCode> {
  const { data } = await supabase()
    .rpc('add_device', { p_site_id: siteId, p_name: name })
    .single()
    .throwOnError();
  return data;
}

async function newCode(deviceId: string): Promise<DeviceCode> {
  const { data } = await supabase()
    .rpc('new_device_code', { p_device_id: deviceId })
    .single()
    .throwOnError();
  return data;
}

async function revoke(deviceId: string): Promise<void> {
  await supabase().rpc('revoke_device', { p_device_id: deviceId }).throwOnError();
}

export const useAddDevice = () => useChange(devicesKey, addDevice);
export const useNewDeviceCode = () => useChange(devicesKey, newCode);
export const useRevokeDevice = () => useChange(devicesKey, revoke);
