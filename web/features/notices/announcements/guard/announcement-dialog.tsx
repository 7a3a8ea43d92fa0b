import { useState } from 'react';
import { OutlinedText } from '#web/components/text/outlined-text.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatDateTime, formatDay } from '#web/lib/format/dates.ts';
import { waitingText } from '#web/lib/outbox/submit.ts';
import { type Announcement, submitConfirmation } from './announcements.ts';

type AnnouncementDialogProps = {
  userId: string;
  announcement: Announcement;
  onClose: () => void;
};

export function AnnouncementDialog({ userId, announcement, onClose }: AnnouncementDialogProps) {
  const [isBusy, setBusy] = useState(false);
  const { title, body, author, published_at, last_day, isRead } = announcement;

  async function confirm() {
    setBusy(true);
    try {
      const outcome = await submitConfirmation(userId, announcement);
      if (outcome.state === 'refused') throw new Error(outcome.reason);
      showSuccess('Marked as Read', waitingText(outcome));
      onClose();
    } catch (error) {
      showError('Error', describeError(error));
      setBusy(false);
    }
  }
  return (
    <Dialog open onOpenChange={onClose} title={title}>
      <p className="mb-4 text-sm break-words text-muted">
        {author && `${author}, `}
        {formatDateTime(published_at)}. Until {formatDay(last_day)}
      </p>
      <OutlinedText text={body} level={3} />
      {!isRead && (
        <div className="sticky -bottom-5 -mx-5 mt-6 -mb-5 border-t border-line bg-raised px-5 py-3 sm:-bottom-6 sm:-mx-7 sm:-mb-6 sm:px-7">
          <Button busy={isBusy} className="min-h-14 w-full text-lg" onClick={() => void confirm()}>
            I have read this
          </Button>
        </div>
      )}
    </Dialog>
  );
}
