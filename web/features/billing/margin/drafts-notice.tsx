import { Link } from '@tanstack/react-router';
import { formatCount } from '#shared/count.ts';
import { Alert } from '#web/components/ui/alert.tsx';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { useDraftCount } from './api.ts';
import type { Months } from './rules.ts';

type DraftsNoticeProps = { months: Months; client: string | undefined };

/** Warns of invoices that are missing from the sums; its own failure is not shown. */
export function DraftsNotice({ months, client }: DraftsNoticeProps) {
  const { data: count = 0 } = useDraftCount(months, client);
  if (count === 0) return null;
  return (
    <Alert
      className="mb-5"
      title={
        count === 1
          ? '1 invoice is still a draft'
          : `${formatCount(count)} invoices are still drafts`
      }
      action={
        <Link
          to="/admin/invoices"
          search={{ status: 'draft' }}
          className={buttonStyles({ variant: 'secondary' })}
        >
          Show Drafts
        </Link>
      }
    >
      The margin of these months rises when they are issued.
    </Alert>
  );
}
