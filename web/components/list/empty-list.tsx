import { Link } from '@tanstack/react-router';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { useHasRows } from '#web/lib/data/has-rows.ts';
import { EMPTY_LISTS } from '#web/lib/vocabulary/empty-lists.ts';

/** The text of an empty list, with the link to what comes before it. @param noun what the rows are */
export function EmptyList({ noun }: { noun: string }) {
  const { text = `No ${noun} yet. Add the first one above.`, first } = EMPTY_LISTS[noun] ?? {};
  const { data: hasFirst } = useHasRows(first?.table);
  if (first === undefined || hasFirst !== false) return text;
  return (
    <>
      {first.text}{' '}
      <Link
        to={first.path}
        search={first.search ?? {}}
        className={buttonStyles({ variant: 'link' })}
      >
        {first.label}
      </Link>
    </>
  );
}
