/** The backend's limit of rows per response (`max_rows`). */
const PAGE = 1000;

/**
 * Reads all rows, page by page.
 * @param page fetches rows `from` to `to`, both inclusive
 * @param most maximum number of rows
 */
export async function everyRow<Row>(
  page: (from: number, to: number) => Promise<Row[]>,
  most = Number.POSITIVE_INFINITY,
) {
  const rows: Row[] = [];
  for (;;) {
    const next = await page(rows.length, Math.min(rows.length + PAGE, most) - 1);
    rows.push(...next);
    if (next.length < PAGE || rows.length >= most) return rows;
  }
}
