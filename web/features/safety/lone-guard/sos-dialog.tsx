import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Spinner } from '#web/components/ui/loading.tsx';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';
import { profileQuery } from '#web/lib/session/session-queries.ts';
import { openSosQuery } from './api.ts';
import { ControlRoom } from './control-room.tsx';
import { FalseAlarm } from './false-alarm.tsx';
import { queuedSos, type Sos, sosText } from './sos.ts';

function SosState({ isWaiting, reason }: { isWaiting: boolean; reason: string | undefined }) {
  if (reason !== undefined) {
    return (
      <p role="alert" className="font-semibold text-danger">
        Not sent: {reason} Call the control room.
      </p>
    );
  }
  return (
    <p role="status" className="flex items-start gap-3 font-semibold">
      {isWaiting ? (
        <>
          <Spinner /> Sending. It is tried again every few seconds while the app is open.
        </>
      ) : (
        <>
          <CircleCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-success" />
          The control room has your SOS.
        </>
      )}
    </p>
  );
}

type SosDialogProps = {
  userId: string;
  /** Undefined asks first. */
  sos: Sos | undefined;
  onSend: () => void;
  onClose: () => void;
};

export function SosDialog({ userId, sos, onSend, onClose }: SosDialogProps) {
  const { waiting, refused } = useOutbox();
  const { data: profile } = useQuery(profileQuery(userId));
  const { data: open = [] } = useQuery(openSosQuery(userId));
  const setOpen = (isOpen: boolean) => !isOpen && onClose();
  if (!sos) {
    return (
      <Dialog
        open
        onOpenChange={setOpen}
        title="Send an SOS?"
        description="The control room gets your position at once, and the telephone opens."
      >
        <Button variant="danger" className="min-h-16 w-full text-lg" onClick={onSend}>
          Send SOS
        </Button>
      </Dialog>
    );
  }
  const queued = queuedSos([...waiting, ...refused], sos.sosId);
  const isWaiting = queued?.isRaiseWaiting ?? false;
  const stored = open.find(({ id, last_id }) => id === sos.sosId || last_id === sos.sosId);
  const text = sosText({
    name: profile?.full_name,
    siteName: sos.siteName ?? stored?.site_name,
    gps: queued?.gps ?? stored?.gps,
    at: sos.deviceAt + (sos.offsetMs ?? 0),
    timezone: sos.timezone,
  });
  return (
    <Dialog open onOpenChange={setOpen} title={isWaiting ? 'Sending your SOS' : 'SOS sent'}>
      <div className="grid gap-4">
        <SosState isWaiting={isWaiting} reason={queued?.refusal} />
        <ControlRoom text={text} />
        <FalseAlarm userId={userId} sos={sos} className="border-t border-line pt-5" />
      </div>
    </Dialog>
  );
}
