// How old something is that could not be loaded again.
import { cn } from '#web/lib/cn.ts';
import { formatDateTime } from '#web/lib/format.ts';

type LastUpdatedProps = {
  query: { dataUpdatedAt: number };
  className?: string;
};

export function LastUpdated({ query, className }: LastUpdatedProps) {
  const at = new Date(query.dataUpdatedAt).toISOString();
  return (
    <p className={cn('text-sm text-muted', className)}>
      Last updated <time dateTime={at}>{formatDateTime(at)}</time>
    </p>
  );
}
