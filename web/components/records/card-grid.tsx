// Cards side by side, as many in a row as there is room for.
import { type ReactNode, useDeferredValue } from 'react';

/** So many fill a phone and most desks; the others are drawn right after they are seen. */
const FIRST = 6;

type CardGridProps<Row> = {
  /** What the cards are, for screen readers. */
  label?: string;
  rows: Row[];
  renderCard: (row: Row) => ReactNode;
};

export function CardGrid<Row extends { id: string }>(props: CardGridProps<Row>) {
  const drawn = useDeferredValue(props.rows.length, FIRST);
  return (
    <ul
      aria-label={props.label}
      className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,21rem),1fr))] gap-4"
    >
      {props.rows.slice(0, drawn).map((row) => (
        <li key={row.id} className="min-w-0">
          {props.renderCard(row)}
        </li>
      ))}
    </ul>
  );
}
