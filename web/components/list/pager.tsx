import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from 'lucide-react';
import { useCallback, useEffect, useId } from 'react';
import { formatCount } from '#shared/count.ts';
import { Button } from '#web/components/ui/button.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { cn } from '#web/lib/cn.ts';
import { PAGE_SIZES } from '#web/lib/data/pages.ts';

type PagerProps = {
  /** From 1. */
  page: number;
  pageSize: number;
  /** Rows on all pages. */
  total: number;
  onPage: (page: number) => void;
  /** Set where the rows on the screen are something else. */
  noun?: string;
  /** Lets the user choose how many rows a page has; undefined is the default. */
  sizes?: { usual: number; onSize: (size: number | undefined) => void };
};

type PageSizeProps = NonNullable<PagerProps['sizes']> & { size: number };

function PageSize({ usual, size, onSize }: PageSizeProps) {
  const id = useId();
  return (
    <div className="flex items-center gap-2 text-sm text-muted max-sm:hidden print:hidden">
      <label htmlFor={id}>Rows per page</label>
      <div className="w-22">
        <Select
          id={id}
          value={size}
          onChange={({ target }) => {
            const chosen = Number(target.value);
            onSize(chosen === usual ? undefined : chosen);
          }}
        >
          {[...new Set([usual, ...PAGE_SIZES])]
            .sort((a, b) => a - b)
            .map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
        </Select>
      </div>
    </div>
  );
}

export function Pager({ page, pageSize, total, onPage, noun = '', sizes }: PagerProps) {
  const pages = Math.max(1, Math.ceil(total / pageSize));
  if (page === 1 && total <= Math.min(pageSize, sizes?.usual ?? pageSize)) return null;
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, total);
  // With two pages, Previous and Next already reach both ends.
  const isLong = pages > 2;
  return (
    <nav
      aria-label="Pages"
      className="mt-5 flex flex-wrap items-center justify-between gap-x-3 gap-y-2"
    >
      <div className="flex gap-2 print:hidden">
        {isLong && (
          <Button
            variant="secondary"
            size="icon"
            aria-label="First page"
            title="First page"
            disabled={page <= 1}
            onClick={() => onPage(1)}
          >
            <ChevronsLeft aria-hidden="true" className="size-4" />
          </Button>
        )}
        <Button
          variant="secondary"
          className="px-4"
          disabled={page <= 1}
          onClick={() => onPage(page - 1)}
        >
          <ChevronLeft aria-hidden="true" className="size-4" />
          Previous
        </Button>
      </div>
      <p
        role="status"
        className="text-center text-sm text-muted tabular-nums max-sm:order-first max-sm:w-full"
      >
        {first <= total
          ? `${formatCount(first)}–${formatCount(last)} of ${formatCount(total)} ${noun}`.trim()
          : `Page ${formatCount(page)} of ${formatCount(pages)}`}
      </p>
      {sizes && <PageSize {...sizes} size={pageSize} />}
      <div className="flex gap-2 print:hidden">
        <Button
          variant="secondary"
          className="px-4"
          disabled={page >= pages}
          onClick={() => onPage(page + 1)}
        >
          Next
          <ChevronRight aria-hidden="true" className="size-4" />
        </Button>
        {isLong && (
          <Button
            variant="secondary"
            size="icon"
            aria-label="Last page"
            title="Last page"
            disabled={page >= pages}
            onClick={() => onPage(pages)}
          >
            <ChevronsRight aria-hidden="true" className="size-4" />
          </Button>
        )}
      </div>
    </nav>
  );
}

type ListPagerProps = Omit<PagerProps, 'pageSize' | 'sizes'> & {
  /** Rows per page, and how many are usual. */
  size: number;
  usual: number;
  onChange: (change: { size: number | undefined; page: undefined }) => void;
};

export function ListPager({ size, usual, onChange, ...pager }: ListPagerProps) {
  const onSize = (next: number | undefined) => onChange({ size: next, page: undefined });
  return <Pager {...pager} pageSize={size} sizes={{ usual, onSize }} />;
}

type Answered = { rows: readonly unknown[]; total: number };

/**
 * Redirects to the last page when the address names one beyond it.
 * @param answered the response for this page; undefined while it is loading
 * @param page from 1
 * @param onChange replaces the current history entry
 * @returns the pager's `onPage`; page 1 is left out of the address
 */
export function usePages(
  answered: Answered | undefined,
  page: number,
  pageSize: number,
  onChange: (change: { page: number | undefined }) => void,
): (page: number) => void {
  const onPage = useCallback(
    (next: number) => onChange({ page: next > 1 ? next : undefined }),
    [onChange],
  );
  const isBeyond = answered !== undefined && answered.rows.length === 0 && page > 1;
  // Never forward: with a total that is too high, this would redirect for ever.
  const last = isBeyond ? Math.min(page - 1, Math.ceil(answered.total / pageSize)) : page;
  useEffect(() => {
    if (isBeyond) onPage(last);
  }, [isBeyond, last, onPage]);
  return onPage;
}

export const MoreButton = ({ onPress, className }: { onPress: () => void; className?: string }) => (
  <Button variant="secondary" className={cn('justify-self-start', className)} onClick={onPress}>
    Show more
  </Button>
);
