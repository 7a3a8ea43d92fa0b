// Leads through the pages of a list, and says where one is. Nothing, where one page holds everything.
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from '#web/components/ui/button.tsx';

type PagerProps = {
  /** From 1. */
  page: number;
  pageSize: number;
  /** How many rows there are on all pages. */
  total: number;
  onPage: (page: number) => void;
};

export function Pager({ page, pageSize, total, onPage }: PagerProps) {
  const pages = Math.max(1, Math.ceil(total / pageSize));
  if (pages === 1 && page === 1) return null;
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, total);
  return (
    <nav aria-label="Pages" className="mt-5 flex items-center justify-between gap-3">
      <Button
        variant="secondary"
        className="print:hidden"
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <ChevronLeft aria-hidden="true" className="size-4" />
        Previous
      </Button>
      <p role="status" className="text-center text-sm text-muted tabular-nums">
        {first <= total ? `${first}–${last} of ${total}` : `Page ${page} of ${pages}`}
      </p>
      <Button
        variant="secondary"
        className="print:hidden"
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      >
        Next
        <ChevronRight aria-hidden="true" className="size-4" />
      </Button>
    </nav>
  );
}
