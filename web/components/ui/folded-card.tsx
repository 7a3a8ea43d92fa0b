import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useMediaQuery } from '#web/lib/app/media-query.ts';
import { Card } from './card.tsx';

type FoldedCardProps = {
  title: string;
  /** What it holds, in a few words. */
  summary: ReactNode;
  /** Begins open on a phone too. */
  isPressing?: boolean;
  children: ReactNode;
};

/** A card of a phone's home screen that takes one row until it is opened; on a desk it begins open. */
export function FoldedCard({ title, summary, isPressing = false, children }: FoldedCardProps) {
  const isWide = useMediaQuery('(width >= 64rem)');
  const [chosen, setOpen] = useState<boolean>();
  const isOpen = chosen ?? (isWide || isPressing);
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <Card>
        <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary className="flex min-h-14 cursor-pointer list-none items-center gap-3 px-4 py-2 focus-visible:-outline-offset-3 sm:px-5 [&::-webkit-details-marker]:hidden">
            <span className="min-w-0 flex-1">
              <h2 id={headingId} className="font-display text-xl leading-tight">
                {title}
              </h2>
              {!isOpen && <span className="block truncate text-sm text-muted">{summary}</span>}
            </span>
            <ChevronDown
              aria-hidden="true"
              className="size-5 shrink-0 text-muted transition-transform in-open:rotate-180"
            />
          </summary>
          <div className="border-t border-line">{children}</div>
        </details>
      </Card>
    </section>
  );
}
