// A passkey: the browser itself asks for the finger, the face or the security key.
import { Fingerprint } from 'lucide-react';
import { useSave } from '#web/components/form/use-save.ts';
import { Button } from '#web/components/ui/button.tsx';
import { answerWithPasskey } from '#web/lib/session/passkey.ts';

export function PasskeyStep({ factorId, success }: { factorId: string; success: string }) {
  const { save, busy } = useSave({ success });
  return (
    <div className="grid gap-5">
      <p className="text-pretty">
        Your device asks you to confirm with your fingerprint, your face, its PIN or a security key.
      </p>
      <Button
        busy={busy}
        onClick={() => save(() => answerWithPasskey(factorId))}
        className="w-full"
      >
        {!busy && <Fingerprint aria-hidden="true" className="size-5" />}
        Use my passkey
      </Button>
    </div>
  );
}
