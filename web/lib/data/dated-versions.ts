import { dayAfter } from '../format/days.ts';

/** A version applies until the next one begins. */
type Dated = { effective_from: string };

/** The versions with the day on which each ends, and which one is in force. @param rows newest first */
export function toPeriods<Row extends Dated>(rows: readonly Row[], day: string) {
  const current = rows.find(({ effective_from }) => effective_from <= day) ?? rows.at(-1);
  return rows.map((row, index) => {
    const next = rows[index - 1];
    return {
      row,
      lastDay: next && dayAfter(next.effective_from, -1),
      state:
        row === current
          ? ('now' as const)
          : row.effective_from > day
            ? ('later' as const)
            : ('past' as const),
    };
  });
}
