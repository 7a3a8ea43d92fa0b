// Keeps the page in the address within a list: rows go away, and a list may be narrowed while another page is chosen.
import { useCallback, useEffect } from 'react';

type Answered = { rows: readonly unknown[]; total: number };

/**
 * Leads to the last page there is when the address names one beyond it.
 * @param answered what the database says of this very page; undefined while it has said nothing, or only of another
 * @param page from 1
 * @param onChange changes the address, in place of the present entry of the history
 * @returns what the pager calls; the first page stays out of the address
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
  // Never forward: a total that counts rows which did not come would lead here again.
  const last = isBeyond ? Math.min(page - 1, Math.ceil(answered.total / pageSize)) : page;
  useEffect(() => {
    if (isBeyond) onPage(last);
  }, [isBeyond, last, onPage]);
  return onPage;
}
