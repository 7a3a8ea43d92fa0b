import { useNavigate } from '@tanstack/react-router';
import { RadioTower } from 'lucide-react';
import { mayDispatch } from '#shared/screens.ts';
import { Button } from '#web/components/ui/button.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { type CallSource, useMakeCall } from '#web/lib/data/service-calls.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { useAuth } from '#web/lib/session/auth.ts';

type CallButtonProps = { source: CallSource; subject: string; className?: string };

/** Makes a call for service of an SOS or a report, and opens it in Dispatch. */
export function CallButton({ source, subject, className }: CallButtonProps) {
  const { roles } = useAuth();
  const navigate = useNavigate();
  const make = useMakeCall();
  if (!mayDispatch(roles)) return null;
  async function press() {
    try {
      const call = await make.mutateAsync(source);
      await navigate({ to: '/admin/dispatch', search: { open: call } });
    } catch (error) {
      showError('The call was not made', describeError(error));
    }
  }
  return (
    <Button
      variant="secondary"
      busy={make.isPending}
      className={className}
      aria-label={`Call for Service: ${subject}`}
      onClick={() => void press()}
    >
      <RadioTower aria-hidden="true" className="size-4" /> Call for Service
    </Button>
  );
}
