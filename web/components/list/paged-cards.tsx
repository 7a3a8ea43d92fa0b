import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { CARDS_PAGE } from '#web/lib/data/pages.ts';
import { CardGrid, type CardsProps } from './cards.tsx';
import { ListStates } from './list-states.tsx';
import { ListPager, usePages } from './pager.tsx';

type PagedCardsProps<Row> = CardsProps<Row> & {
  /** From 1. */
  page: number;
  size?: number | undefined;
  usual?: number | undefined;
  onChange: ChangeSearch<{ page?: number | undefined; size?: number | undefined }>;
};

export function PagedCards<Row extends { id: string }>(props: PagedCardsProps<Row>) {
  const { query, page, usual = CARDS_PAGE, size = usual, onChange } = props;
  const answered = query.isPlaceholderData ? undefined : query.data;
  const onPage = usePages(answered, page, size, onChange);
  return (
    <ListStates {...props} isEmpty={({ rows }) => rows.length === 0}>
      {({ rows, total }) => (
        <>
          <CardGrid label={props.label} rows={rows} renderCard={props.renderCard} />
          <ListPager {...{ page, size, usual, total, onPage }} onChange={onChange} />
        </>
      )}
    </ListStates>
  );
}
