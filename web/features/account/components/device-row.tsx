// One device that is signed in.
import { Monitor, Smartphone } from 'lucide-react';
import type { Database } from '#shared/database.types.ts';
import { useSave } from '#web/components/form/use-save.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { formatLongDateTime } from '#web/lib/format/dates.ts';
import { deviceName, isHandheld } from '#web/lib/format/device-name.ts';

type Device = Database['public']['Functions']['my_sessions']['Returns'][number];
type DeviceRowProps = { device: Device; onEnd: () => Promise<unknown> };

export function DeviceRow({ device, onEnd }: DeviceRowProps) {
  const { save, busy } = useSave({ success: 'Device signed out' });
  const Icon = isHandheld(device.user_agent) ? Smartphone : Monitor;
  const name = deviceName(device.user_agent);
  // A session that was never refreshed says nothing there.
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
          onClick={() => save(onEnd)}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
