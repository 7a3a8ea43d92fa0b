import { useState } from 'react';
import { PinForm } from '#web/components/form/pin-form.tsx';
import { useSave } from '#web/components/form/use-save.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { usePinState, useSetPin, useUnlockPin } from '#web/lib/data/pins.ts';

/** The PIN for shared devices, for those who look after it. */
export function PinSection({ id }: { id: string }) {
  const { data } = usePinState(id);
  const set = useSetPin();
  const unlock = useUnlockPin();
  const { save, busy } = useSave({ success: 'PIN unlocked' });
  const [isOpen, setOpen] = useState(false);
  if (!data) return null;
  return (
    <Panel title="PIN for Shared Devices">
      <div className="flex flex-wrap items-center gap-3">
        <p className="mr-auto">
          {data.is_locked && <Badge tone="red">Locked after five wrong PINs</Badge>}
          {!data.is_locked && (data.is_set ? 'Set' : 'Not set yet')}
        </p>
        {data.is_locked && (
          <Button
            variant="secondary"
            busy={busy}
            onClick={() => void save(() => unlock.mutateAsync(id))}
          >
            Unlock
          </Button>
        )}
        <Button variant="secondary" onClick={() => setOpen(true)}>
          {data.is_set ? 'Change PIN' : 'Set PIN'}
        </Button>
      </div>
      {isOpen && (
        <Dialog open onOpenChange={() => setOpen(false)} title="Set PIN">
          <PinForm
            onSave={(pin) => set.mutateAsync({ userId: id, pin })}
            onSaved={() => setOpen(false)}
          />
        </Dialog>
      )}
    </Panel>
  );
}
