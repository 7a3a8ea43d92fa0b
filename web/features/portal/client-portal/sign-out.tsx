import { LogOut } from 'lucide-react';
import { Button } from '#web/components/ui/button.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { signOut } from './session.ts';

export function SignOut() {
  function leave() {
    signOut();
    showSuccess('Logged out');
  }
  return (
    <Button
      variant="secondary"
      className="shrink-0 max-[25rem]:px-3.5 print:hidden"
      onClick={leave}
    >
      <LogOut aria-hidden="true" className="size-4" />
      <span className="max-[25rem]:sr-only">Sign Out</span>
    </Button>
  );
}
