import { LogOut, type LucideIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Button, type ButtonStyle } from '#web/components/ui/button.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { cn } from '#web/lib/cn.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { firstPaint } from '#web/lib/render/first-paint.ts';
import { lazily } from '#web/lib/render/lazily.tsx';
import { useAuth } from '#web/lib/session/auth.ts';
import { useSignOut } from './sign-in-api.ts';

// The button is in the code of the sign-in screen; dialogs and the outbox are not.
const SignOutQuestion = lazily(
  async () => (await import('./sign-out-question.tsx')).SignOutQuestion,
);
const loadCount = () => import('#web/lib/outbox/count-waiting.ts');
const loadDelivery = () => import('#web/lib/outbox/delivery-token.ts');

type SignOutButtonProps = {
  label: 'Logout' | 'Sign Out' | 'Back to sign in';
  variant?: ButtonStyle['variant'];
  Icon?: LucideIcon;
  /** Icon only on narrow phones; the label is then for screen readers. */
  compact?: boolean;
};

export function SignOutButton(props: SignOutButtonProps) {
  const { label, variant = 'secondary', Icon = LogOut, compact = false } = props;
  const signOut = useSignOut();
  const { user } = useAuth();
  const [waiting, setWaiting] = useState(0);
  const [isDelivered, setDelivered] = useState(false);
  useEffect(() => {
    // Before they are needed: signing out works without a network.
    firstPaint
      .then(() => Promise.all([loadCount(), loadDelivery(), SignOutQuestion.load()]))
      .catch(console.warn);
  }, []);
  async function leave() {
    await signOut.mutateAsync();
    showSuccess('Logged out');
  }
  async function press() {
    try {
      const count = user ? await (await loadCount()).countWaiting(user.id) : 0;
      const { readDelivery, dropDelivery } = await loadDelivery();
      if (user && count > 0) {
        setDelivered((await readDelivery(user.id)) !== undefined);
        setWaiting(count);
      } else {
        if (user) await dropDelivery(user.id);
        await leave();
      }
    } catch (error) {
      showError('Error', describeError(error));
    }
  }
  const button = (
    <Button
      variant={variant}
      busy={signOut.isPending}
      onClick={() => void press()}
      className={cn('shrink-0 cramped:shrink', compact && 'max-[25rem]:px-3.5')}
    >
      {!signOut.isPending && <Icon aria-hidden="true" className="size-4" />}
      <span className={cn(compact && 'max-[25rem]:sr-only')}>{label}</span>
    </Button>
  );
  if (waiting === 0) return button;
  return (
    <>
      {button}
      <LazyPart onClose={() => setWaiting(0)}>
        <SignOutQuestion
          waiting={waiting}
          isDelivered={isDelivered}
          label={label}
          onConfirm={leave}
          onClose={() => setWaiting(0)}
        />
      </LazyPart>
    </>
  );
}
