import { Link } from '@tanstack/react-router';
import { lazy } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { Loading, Opening } from '#web/components/ui/loading.tsx';
import { useDutyStatus } from '#web/features/clocking/clock/use-clock.ts';
import { BookScreen } from '#web/features/posts/book/guard/book-screen.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { bookDutyOf } from './book-duty.ts';

const NoteDialog = lazy(async () => ({
  default: (await import('#web/features/posts/handovers/guard/note-dialog.tsx')).NoteDialog,
}));

function OwnBook({ userId }: { userId: string }) {
  const { duty } = useDutyStatus(userId);
  if (!duty) return <Loading text="Opening the book..." />;
  if (duty.state !== 'in') {
    return (
      <Alert
        title="You are not on duty"
        action={
          <Link to="/staff" className={buttonStyles({ variant: 'secondary' })}>
            Home
          </Link>
        }
      >
        The book of your post opens when you clock in.
      </Alert>
    );
  }
  const { shift } = duty;
  return (
    <BookScreen
      key={shift.assignment_id}
      userId={userId}
      duty={bookDutyOf(shift)}
      renderHandover={(onClose) => (
        <LazyPart fallback={<Opening title="Handover note" />} onClose={onClose}>
          <NoteDialog userId={userId} handover={shift} onClose={onClose} />
        </LazyPart>
      )}
    />
  );
}

export function StaffBookScreen() {
  const { user } = useAuth();
  usePageTitle('Book of the Post');
  return user ? <OwnBook userId={user.id} /> : null;
}
