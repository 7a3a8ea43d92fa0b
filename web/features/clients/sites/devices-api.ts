import { devicesKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

/** A tablet at every site, and those that were removed. */
const MOST_DEVICES = 1000;

/** @param siteId of one site; undefined for all */
export const useDevices = (siteId: string | undefined) =>
  useLiveQuery('devices', devicesKey, {
    queryKey: [...devicesKey, siteId ?? 'all'],
    queryFn: async () => {
      const devices = supabase().from('devices').select('*, sites(name)');
      const { data } = await (siteId === undefined ? devices : devices.eq('site_id', siteId))
        .order('sites(name)')
        .order('created_at')
        .limit(MOST_DEVICES)
        .throwOnError();
      return data;
    },
  });

export type Device = NonNullable<ReturnType<typeof useDevices>['data']>[number];

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
